import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient, type IntakeClient } from '../client/index.ts';
import { print } from '../scripts/named.ts';
import { judge, median, type Row } from './measure.ts';
import { latencies, quantile } from './openLoop.ts';
import { optionsOf } from './options.ts';
import { withService } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'how long the API takes to answer while documents are read, beside idle';

const SAMPLES = fileURLToPath(new URL('../../scripts/samples/', import.meta.url));
/** Requests a second that are sent whatever the answers take. */
const RATE = 100;
/**
 * Measures in turns: the API alone, and the same while `--workers` (default 4) read pictures; `--seconds` of
 * each (10), `--rounds` (5). Judged by the median of the rounds' ratios.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { workers, seconds, rounds } = optionsOf(options, { workers: 4, seconds: 10, rounds: 5 });
  return withService(
    ({ server, key }) => measure(createClient({ url: server.url, key }), workers, seconds, rounds),
    {
      WORKERS: String(workers),
    },
  );
};

const measure = async (
  api: IntakeClient,
  workers: number,
  seconds: number,
  rounds: number,
): Promise<readonly Row[]> => {
  await keepReading(api, workers, async () => sleep(2_000)); // and the children have started
  const listing = () =>
    latencies(() => api.get('/api/v1/submissions', { query: { limit: 20 } }), RATE, seconds);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const idle = await listing();
    const { result: busy, read } = await keepReading(api, workers, listing);
    ratios.push(quantile(busy, 0.99) / quantile(idle, 0.99));
    print(
      `round ${round}: p50 ${show(idle, 0.5)} idle, ${show(busy, 0.5)} busy; p99 ${show(idle, 0.99)} idle, ${show(busy, 0.99)} busy; ` +
        `${ratios.at(-1)?.toFixed(2)} times; ${read} documents read in that time`,
    );
  }
  const what = `p99 of GET /submissions while ${workers} documents are read`;
  const goal = { figure: 'P10', what, yardstick: 'idle', goal: 3, isAtMost: true, unit: 'times' };
  return [judge(goal, median(ratios))];
};

/**
 * Keeps all workers at work for as long as `work` takes: for each a document that is read and one that waits.
 */
const keepReading = async <T>(api: IntakeClient, workers: number, work: () => Promise<T>) => {
  let isOver = false;
  let read = 0;
  const lane = async (): Promise<void> => {
    while (!isOver) {
      const { sessionId } = await api.submit('receipt', [join(SAMPLES, 'receipt.jpg')]);
      await api.wait(sessionId);
      if (!isOver) read += 1;
    }
  };
  const lanes = Promise.all(Array.from({ length: workers * 2 }, lane));
  const result = await work();
  isOver = true;
  await lanes;
  return { result, read };
};

const show = (values: readonly number[], share: number): string => `${quantile(values, share).toFixed(1)} ms`;
