import { Presets, SingleBar } from 'cli-progress';
import type { Output } from './output.ts';

/** Between two lines of progress where there is no terminal. */
const INTERVAL_MS = 2_000;

/**
 * Shows how many of all are done: a bar on a terminal, else a notice now and then, and one at the end; `stop`
 * it.
 */
export const createCounter = (output: Output, what: string) => {
  const bar =
    output.json || !process.stderr.isTTY
      ? null
      : createBar(`{bar} {percentage} % | {value}/{total} ${what}`, process.stderr);
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show: (done: number, total: number): void => {
      bar?.show(total, done, {});
      if (bar || (done < total && performance.now() - shownAt < INTERVAL_MS)) return;
      shownAt = performance.now();
      output.notice(`${done} of ${total} ${what}`);
    },
    stop: (): void => bar?.stop(),
  };
};

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
