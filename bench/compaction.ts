import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentStore, Fence } from '../stores/documents/port.ts';
import { sqliteDocumentStore } from '../stores/documents/sqlite.ts';
import { judge, median, type Row } from './measure.ts';
import { quantile } from './openLoop.ts';
import { optionsOf } from './options.ts';
import { bytesIn, fillSubmissions, writeOf } from './search/filled.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'what the compaction after a redaction takes, and how long writes wait beside it';

/** As the service gathers them. */
const GATHER_MS = 200;
const BETWEEN_MS = 20;
const IDLE_MS = 5_000;
const OPEN = { figure: 'compaction', goal: null, isAtMost: true } as const;

/**
 * Fills read models with `--submissions N` (default 125,000: some 300 MB), changes one of them, and compacts,
 * `--rounds N` times (3), while others are changed one after the other.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { submissions, rounds } = optionsOf(options, { submissions: 125_000, rounds: 3 });
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const store = sqliteDocumentStore({ folder, clock: { now: () => new Date() }, gatherMs: GATHER_MS });
  try {
    const fence = await fillSubmissions(store, submissions);
    await store.compact?.(); // what the filling has left is not what a redaction leaves
    const megabytes = Math.round(bytesIn(folder) / 1e6);
    const change = changing(store, fence, submissions);
    const idle = await waitsWhile(change, sleep(IDLE_MS));
    const took: number[] = [];
    const cpu: number[] = [];
    const waits: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [begun, before] = [performance.now(), process.cpuUsage()];
      const done = compacted(store).then(() => took.push(performance.now() - begun));
      waits.push(...(await waitsWhile(change, done)));
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1_000);
    }
    const yardstick = `${megabytes} MB`;
    const shares = `p50 ${median(waits).toFixed(1)} ms, longest ${Math.max(...waits).toFixed(0)}`;
    return [
      judge({ ...OPEN, what: 'compaction', yardstick, unit: 's' }, median(took) / 1_000),
      judge(
        { ...OPEN, what: 'its processor time, and the writes’', yardstick, unit: 's' },
        median(cpu) / 1_000,
      ),
      judge({ ...OPEN, what: 'p99 of a write', yardstick: 'idle', unit: 'ms' }, quantile(idle, 0.99)),
      judge({ ...OPEN, what: 'the same beside it', yardstick, unit: 'ms' }, quantile(waits, 0.99), shares),
    ];
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const compacted = async ({ compact }: DocumentStore): Promise<void> => compact?.();

/** Changes one submission after the other, as far from each other as people would. */
const changing = ({ models }: DocumentStore, fence: Fence, submissions: number) => {
  let changes = 0;
  return async (): Promise<void> => {
    changes += 1;
    await models.commit([writeOf((changes * 7_919) % submissions, submissions + changes)], {}, fence);
  };
};

/** How long each change took, until something is done; the last one begins before that. */
const waitsWhile = async (
  change: () => Promise<void>,
  done: Promise<unknown>,
): Promise<readonly number[]> => {
  let isDone = false;
  const ended = done.finally(() => {
    isDone = true;
  });
  const waits: number[] = [];
  while (!isDone) {
    const begun = performance.now();
    await change();
    waits.push(performance.now() - begun);
    await sleep(BETWEEN_MS);
  }
  await ended;
  return waits;
};
