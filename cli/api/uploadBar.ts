import type { Progress } from '../../client/index.ts';
import { type Bar, createBar } from '../bar.ts';
import type { Output } from '../output.ts';

/** The bar of an upload, on standard error where that is a terminal; else nothing is shown. */
export const createUploadBar = ({ json }: Output) => {
  const isShown = !json && process.stderr.isTTY;
  const bar: Bar | null = isShown
    ? createBar('{bar} {percentage} % | {sent} of {size} MB', process.stderr)
    : null;
  return {
    show: ({ totalSent, totalSize }: Progress): void =>
      bar?.show(totalSize, totalSent, { sent: megabytes(totalSent), size: megabytes(totalSize) }),
    stop: (): void => bar?.stop(),
  };
};

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
