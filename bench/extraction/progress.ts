import { Presets, SingleBar } from 'cli-progress';

/** Tells of progress on standard error: a bar on a terminal, else a line now and then. */
export const createProgress = (title: string, total: number) => {
  const bar = process.stderr.isTTY
    ? new SingleBar(
        { format: `${title} {bar} {value}/{total} | {eta_formatted} left` },
        Presets.shades_classic,
      )
    : null;
  bar?.start(total, 0);
  let done = 0;
  return {
    step: (): void => {
      done += 1;
      if (bar) bar.update(done);
      else if (done === total || done % 10 === 0) process.stderr.write(`${title}: ${done} of ${total}\n`);
    },
    stop: (): void => bar?.stop(),
  };
};
