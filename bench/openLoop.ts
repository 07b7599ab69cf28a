import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds that each request took, sent at even times, so many a second for so many seconds, whatever the
 * answers take.
 */
export const latencies = async (
  send: (n: number) => Promise<unknown>,
  rate: number,
  seconds: number,
): Promise<readonly number[]> => {
  const took: number[] = [];
  const under: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    const due = start + (n * 1_000) / rate;
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    // Measured from when it was due: a client that waits for its turn would not notice the wait.
    under.push(send(n).then(() => void took.push(performance.now() - due)));
  }
  await Promise.all(under);
  return took;
};

/** The value that so large a share of all does not exceed. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;
