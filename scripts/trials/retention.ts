import { setTimeout as sleep } from 'node:timers/promises';
import { type Usage, usageOf } from '../../bench/deliveries/usage.ts';
import { latencies, quantile } from '../../bench/openLoop.ts';
import { optionsOf } from '../../bench/options.ts';
import { print } from '../named.ts';
import { type Due, fillDue } from './retention/fillDue.ts';
import { folderOf, whileServed } from './served.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'retention works through submissions that are due (--submissions 100000): how many a second, and what the API’s p99 is meanwhile';

/** Pages of the list of submissions, sent whatever the answers take. */
const RATE = 20;
const IDLE_SECONDS = 20;
const SLICE_SECONDS = 5;
const GOAL_TIMES = 3;

/**
 * Fills a log with submissions that are due, has retention redact them all, and compares the time of reads
 * meanwhile with those before and after. True when all are redacted and p99 is at most three times as long.
 * `--minutes N` ends it earlier, with what was done by then. Needs Linux.
 */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const { submissions, minutes } = optionsOf(options, { submissions: 100_000, minutes: 1_440 });
  const folder = folderOf([]);
  const due = await fillDue({ ...folder.settings, SWEEP: '1s' }, submissions);
  try {
    return await whileServed(due.settings, ({ url, pid }) =>
      measure(due, { url, pid, minutes, submissions }),
    );
  } finally {
    await due.close();
    folder.remove();
  }
};

type Load = Readonly<{ url: string; pid: number; minutes: number; submissions: number }>;

const measure = async (due: Due, { url, pid, minutes, submissions }: Load): Promise<boolean> => {
  const reads = (seconds: number) => latencies(() => page(url, due.key), RATE, seconds);
  await reads(SLICE_SECONDS); // warms up
  const idle = [...(await reads(IDLE_SECONDS))];
  const before = usageOf(pid);
  await due.enforce();
  const started = performance.now();
  const busy: number[] = [];
  let left = await due.left();
  for (let lastDone = 0; left.done < submissions; ) {
    busy.push(...(await reads(SLICE_SECONDS)));
    left = await due.left();
    const elapsed = (performance.now() - started) / 1_000;
    print(
      `${elapsed.toFixed(0)} s: ${left.requested} requested, ${left.done} done, ` +
        `${((left.done - lastDone) / SLICE_SECONDS).toFixed(1)}/s; p99 ${ms(busy)}`,
    );
    lastDone = left.done;
    if (elapsed > minutes * 60) break;
  }
  const seconds = (performance.now() - started) / 1_000;
  report(left, seconds, before, usageOf(pid));
  await sleep(1_000);
  if (left.done === submissions) idle.push(...(await reads(IDLE_SECONDS)));
  const times = quantile(busy, 0.99) / quantile(idle, 0.99);
  const isReached = left.done === submissions && times <= GOAL_TIMES;
  print(`p50 ${ms(idle, 0.5)} idle, ${ms(busy, 0.5)} meanwhile; p99 ${ms(idle)} idle, ${ms(busy)} meanwhile`);
  print(
    `goal: ${submissions} redacted, p99 at most ${GOAL_TIMES} times: ${left.done}, ${times.toFixed(2)} times: ` +
      `${isReached ? 'reached' : 'MISSED'}`,
  );
  return isReached;
};

const page = async (url: string, key: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/api/v1/submissions?limit=20`, { headers });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`a page was answered with ${answer.status}`);
};

const report = ({ done }: { done: number }, seconds: number, before: Usage, after: Usage): void => {
  const cpuMs = (after.cpuMs - before.cpuMs) / done;
  print(
    `${done} redacted in ${seconds.toFixed(0)} s: ${(done / seconds).toFixed(1)} a second, ` +
      `${cpuMs.toFixed(1)} ms of processor time and ${((after.bytes - before.bytes) / done / 1_000).toFixed(0)} kB written each`,
  );
};

const ms = (values: readonly number[], share = 0.99): string => `${quantile(values, share).toFixed(1)} ms`;
