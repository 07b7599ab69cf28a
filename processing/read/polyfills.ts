/**
 * Polyfills of what PDF.js needs and Node.js 20 lacks, to be imported before it; only in the child process
 * that reads files, so that the service's own globals are unchanged.
 */
type Newer = {
  resolve: unknown;
  try?: (work: (...given: unknown[]) => unknown, ...given: unknown[]) => Promise<unknown>;
};
type NewerUrl = { parse?: (url: string, base?: string) => URL | null };

const promise: Newer = Promise;
promise.try ??= async (work, ...given) => work(...given);

type NewerBuffer = { transferToFixedLength?: (length?: number) => ArrayBuffer };

const buffer: ArrayBuffer & NewerBuffer = ArrayBuffer.prototype;
// Without it PDF.js silently ends the list of a page's operations at the first text.
buffer.transferToFixedLength ??= function (this: ArrayBuffer, length = this.byteLength) {
  const copy = new ArrayBuffer(length);
  new Uint8Array(copy).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)));
  return copy;
};

const url: NewerUrl = URL;
url.parse ??= (text, base) => (URL.canParse(text, base) ? new URL(text, base) : null);
