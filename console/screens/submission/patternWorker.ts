// A worker: what it is asked comes from `pattern.ts` alone.
self.onmessage = ({ data }: MessageEvent<Readonly<{ pattern: string; text: string }>>) =>
  self.postMessage(new RegExp(data.pattern, 'u').test(data.text));
