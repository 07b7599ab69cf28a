import { Presets, SingleBar } from 'cli-progress';

export type Bar = Readonly<ReturnType<typeof createBar>>;

/** A bar of progress on a terminal; `format` as cli-progress takes it. */
export const createBar = (format: string, stream: NodeJS.WriteStream) => {
  const bar = new SingleBar({ format, stream, stopOnComplete: false }, Presets.shades_classic);
  let isStarted = false;
  return {
    /** Shows how much is done of all, and what else the format names. */
    show: (total: number, done: number, payload: Readonly<Record<string, string>>): void => {
      if (!isStarted) bar.start(total, done, payload);
      isStarted = true;
      bar.setTotal(total);
      bar.update(done, payload);
    },
    /** Makes room for a line of text. */
    clear: (): void => {
      if (isStarted) stream.write('\r\u001b[K');
    },
    stop: (): void => {
      if (isStarted) bar.stop();
      isStarted = false;
    },
  };
};
