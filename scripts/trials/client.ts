import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { table } from '../../cli/table.ts';
import { createClient, type IntakeClient } from '../../client/index.ts';
import { freePorts } from '../../test/support/freePort.ts';
import { createTenant, type Settings } from '../demo/intake.ts';
import { samplePath } from '../demo/receipts.ts';
import { print } from '../named.ts';
import { killableService, settingsOf } from './served.ts';
import { wholeFeed } from './throughKills.ts';

/** What `npm run trial -- --help` says of this. */
export const summary =
  'submissions by the client to a service that is killed meanwhile (--count 1000, --kills 10): each is done once';

const AT_ONCE = 8;

/** How many submissions, and how often the service is killed (`kill -9`) while they are sent. */
type Load = Readonly<{ count: number; kills: number }>;

/** What became of them. Of each there should be one; the names of those that are there otherwise. */
export type Outcome = Readonly<{
  sessions: number;
  processed: number;
  lost: readonly string[];
  doubled: readonly string[];
  /** Those of which the feed does not tell once that they were completed. */
  toldOtherwise: readonly string[];
  seconds: number;
}>;

/** True when every submission was done exactly once. */
export const run = async (options: readonly string[]): Promise<boolean> => {
  const known = {
    count: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '10' },
  } as const;
  const { values } = parseArgs({ args: [...options], options: known });
  const load = { count: Number(values.count), kills: Number(values.kills) };
  const folder = mkdtempSync(join(tmpdir(), 'intake-trial-'));
  try {
    const outcome = await submitThroughKills({ ...settingsOf(folder), LOG_LEVEL: 'fatal' }, load, print);
    show(outcome, load);
    return isOnce(outcome, load);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Whether each submission was done exactly once. */
export const isOnce = (outcome: Outcome, { count }: Load): boolean =>
  outcome.sessions === count &&
  outcome.processed === count &&
  [outcome.lost, outcome.doubled, outcome.toldOtherwise].every((names) => names.length === 0);

/**
 * Serves a folder and submits to it, eight at once, while the service is killed and started again. Throws
 * what the client throws.
 */
export const submitThroughKills = async (
  settings: Settings,
  load: Load,
  say: (line: string) => void,
): Promise<Outcome> => {
  // Addresses of files, which the client may hold when the service dies, are those of the next one too.
  const kept = { ...settings, ...(await freePorts()) };
  const { key } = await createTenant(kept, 'Trial', samplePath('receipt.workflow.json'));
  const service = killableService(kept);
  await service.start();
  const intake = createClient({ url: `http://127.0.0.1:${kept.PORT}`, key });
  const started = performance.now();
  const progress = { done: 0 };
  const over = new AbortController();
  const killAndServe = async (): Promise<void> => {
    for (let kill = 1; kill <= load.kills; kill += 1) {
      while (progress.done < (kill * load.count) / (load.kills + 1))
        await sleep(10, undefined, { signal: over.signal });
      await service.kill();
      await service.start();
      say(`killed ${kill} of ${load.kills} times, ${progress.done} of ${load.count} done`);
    }
  };
  const killed = killAndServe();
  try {
    await Promise.all([killed, submitAll(intake, load, progress)]);
    return { ...(await judged(intake, load)), seconds: (performance.now() - started) / 1_000 };
  } finally {
    over.abort();
    await Promise.allSettled([killed]);
    await service.kill();
  }
};

const nameOf = (n: number): string => `order-${n}`;

const submitAll = async (intake: IntakeClient, { count }: Load, progress: { done: number }) => {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      const n = begun++;
      const file = { content: new TextEncoder().encode(receipt(n)), name: `receipt-${n}.txt` };
      const job = await intake.submit('receipt', [file], { clientSubmissionId: nameOf(n) });
      await intake.wait(job.sessionId);
      progress.done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

/** No two are alike, or they would wait for a person as duplicates. */
const receipt = (n: number): string =>
  [
    `Nordwind Office Supplies ${n} Ltd.`,
    `${1 + (n % 200)} Harbour Street, London`,
    `Receipt no. ${100_000 + n}`,
    `Date: 2026-0${1 + (n % 9)}-${10 + (n % 18)}`,
    `${1 + (n % 7)} x article ${n}`,
    `Total: GBP ${(10 + ((n * 7_919) % 90_000) / 100).toFixed(2)}`,
  ].join('\n');

const judged = async (intake: IntakeClient, { count }: Load): Promise<Omit<Outcome, 'seconds'>> => {
  const names = Array.from({ length: count }, (_, n) => nameOf(n));
  const found = new Map<string, string[]>();
  let processed = 0;
  for await (const row of intake.list('/api/v1/submissions', { query: { limit: 100 } })) {
    const name = row.clientSubmissionId ?? '';
    found.set(name, [...(found.get(name) ?? []), row.id]);
    if (row.submissionStatus === 'approved' || row.submissionStatus === 'review') processed += 1;
  }
  const told = await completions(intake);
  const times = (name: string): number => found.get(name)?.length ?? 0;
  return {
    sessions: new Set([...found.values()].flat()).size,
    processed,
    lost: names.filter((name) => times(name) === 0),
    doubled: [...found.keys()].filter((name) => times(name) > 1),
    toldOtherwise: names.filter((name) => found.get(name)?.some((id) => told.get(id) !== 1)),
  };
};

/** How often the feed tells of each submission that its session was completed. */
const completions = async (intake: IntakeClient): Promise<ReadonlyMap<string | null, number>> => {
  const told = new Map<string | null, number>();
  for (const { submissionId } of await wholeFeed(intake, 'session.completed'))
    told.set(submissionId, (told.get(submissionId) ?? 0) + 1);
  return told;
};

const show = (outcome: Outcome, { count, kills }: Load): void => {
  const goal = (what: string, found: number, wanted: number) => ({ what, found, wanted });
  const rows = [
    goal('sessions', outcome.sessions, count),
    goal('processed', outcome.processed, count),
    goal('lost', outcome.lost.length, 0),
    goal('doubled', outcome.doubled.length, 0),
    goal('not told of once', outcome.toldOtherwise.length, 0),
  ];
  type Goal = (typeof rows)[number];
  const columns = {
    [`${count} submissions, ${kills} kills`]: ({ what }: Goal) => what,
    found: ({ found }: Goal) => found,
    goal: ({ wanted, found }: Goal) => `${wanted} ${found === wanted ? 'reached' : 'MISSED'}`,
  };
  print(table(rows, columns));
  print(`${outcome.seconds.toFixed(0)} s`);
};
