import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Position } from '../kernel/event.ts';
import { allProjections } from '../projections/all.ts';
import { liveCheckpoint } from '../projections/engine/readModels.ts';
import { runRebuild } from '../projections/engine/rebuild/leased.ts';
import type { Core } from '../runtime/wire.ts';
import { type Server, type Settings, startServer } from '../scripts/demo/intake.ts';
import type { EventLog } from '../stores/events/log.ts';
import { openCoreOf } from '../test/support/core.ts';
import { usageOf } from './deliveries/usage.ts';
import { EVENTS_OF_SUBMISSION, fillLog } from './filledLog.ts';
import { type Cost, compare, cost, judge, median, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { ownSettings } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'read models of a running service: catching up after a stop, and how late they are';

const CATCHING_UP = {
  figure: 'P7',
  what: 'a service catches up with its log',
  yardstick: 'a rebuild of the same',
  goal: 0.8,
  by: 'cpu',
} as const;

/**
 * Measures a service that starts without read models beside a rebuild of all, and, once it has caught up, the
 * time from when another process has stored an event until all read models include it; `--events N` (default
 * 200,000), `--rounds N` (3), `--rate N` events a second (1,000), `--seconds N` (20). Its rows are those of
 * P7.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { events, rounds, rate, seconds } = optionsOf(options, {
    events: 200_000,
    rounds: 3,
    rate: 1_000,
    seconds: 20,
  });
  const folder = mkdtempSync(join(tmpdir(), 'intake-lag-'));
  const settings = ownSettings(folder);
  try {
    const facts = await fill(settings, Math.ceil(events / EVENTS_OF_SUBMISSION));
    const row = await compare(
      CATCHING_UP,
      rounds,
      () => rebuildAll(settings),
      () => catchUp(folder, settings),
    );
    return [row, await lag(settings, facts, rate, seconds)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

type Facts = Readonly<{ companyId: string; keyId: string }>;

const fill = async (settings: Settings, submissions: number): Promise<Facts> => {
  const core = await openCoreOf(settings);
  const ulid = core.ids.ulid();
  const facts = { companyId: `cmp_${ulid}`, keyId: `key_${ulid}` };
  const hash = 'f'.repeat(64);
  await core.credentials.add({ ...facts, mode: 'live', hash, revokedAt: null, lastUsedAt: null });
  await fillLog(core.log, submissions, facts, false);
  await core.close();
  return facts;
};

const rebuildAll = async (settings: Settings): Promise<Cost> => {
  const core = await openCoreOf(settings);
  const { log, documents, owner } = core;
  const { signal } = new AbortController();
  const options = { log, documents, owner, signal, onEvent: () => undefined, page: 5_000 };
  const events = log.offset(await headOf(core));
  try {
    return await cost(events, async () => {
      if (!(await runRebuild({ ...options, patienceMs: 0, graceMs: 0, anew: true }, allProjections)))
        throw new Error('the rebuild was cancelled');
    });
  } finally {
    await core.close();
  }
};

const headOf = async ({ log }: Core): Promise<Position> => {
  const head = await log.head();
  if (head === null) throw new Error('the log is empty');
  return head;
};

/** Of the service alone, from the first commit of its read models on: its start is another figure. */
const catchUp = (folder: string, settings: Settings): Promise<Cost> => {
  for (const file of ['models.db', 'models.db-wal', 'models.db-shm'])
    rmSync(join(folder, file), { force: true });
  return serving(settings, [], async (core, server) => {
    const head = await headOf(core);
    const first = await reached(core, server, '' as Position);
    const last = await reached(core, server, head);
    const events = core.log.offset(head) - first.events;
    return {
      elapsed: ((last.ms - first.ms) * 1_000) / events,
      cpu: ((last.cpuMs - first.cpuMs) * 1_000) / events,
    };
  });
};

/** Runs `body` beside a service with these options. */
const serving = async <T>(
  settings: Settings,
  options: readonly string[],
  body: (core: Core, server: Server) => Promise<T>,
): Promise<T> => {
  const server = await startServer(settings, ...options);
  try {
    const core = await openCoreOf(settings);
    return await body(core, server).finally(core.close);
  } finally {
    await server.stop();
  }
};

const reached = async ({ log, documents }: Core, { pid }: Server, position: Position) => {
  for (;;) {
    const at = await liveCheckpoint(allProjections, documents.models);
    if (at !== null && at >= position)
      return { events: log.offset(at), ms: performance.now(), cpuMs: usageOf(pid).cpuMs };
    await sleep(10);
  }
};

/** The time from when an event is stored until all read models include it. */
const lag = (settings: Settings, facts: Facts, rate: number, seconds: number): Promise<Row> =>
  // Workers would process what is appended here.
  serving(settings, ['--roles', 'api,projections,reactors'], async (core, server) => {
    await reached(core, server, await headOf(core));
    const submissions = Math.ceil((rate * seconds) / EVENTS_OF_SUBMISSION);
    const before = scheduledOf(server);
    const took = await latencies(core, rate, (log) => fillLog(log, submissions, facts, false));
    const waited = shareWaited(before, scheduledOf(server));
    const what = `p99 until read models include an event, at ${rate.toLocaleString('en')} events/s`;
    const goal = { figure: 'P7', what, yardstick: '-', goal: 100, isAtMost: true, unit: 'ms' };
    const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;
    return judge(
      goal,
      p99,
      `p50 ${median(took).toFixed(1)} ms of ${took.length.toLocaleString('en')} events; with work to do, its loop waited ${Math.round(waited * 100)} % of the time for a processor`,
    );
  });

/** How long the event loop of a service has run and has waited for a processor, as Linux counts it, in ns. */
const scheduledOf = ({ pid }: Server) => {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran, waited };
};

type Scheduled = ReturnType<typeof scheduledOf>;

const shareWaited = (before: Scheduled, after: Scheduled): number => {
  const waited = after.waited - before.waited;
  return waited / (waited + after.ran - before.ran);
};

/** In milliseconds, of what `fill` appends to a log that takes so many events a second. */
const latencies = async (
  { log, documents }: Core,
  rate: number,
  fill: (log: EventLog) => Promise<unknown>,
): Promise<readonly number[]> => {
  const waiting = new Map<Position, number>();
  const took: number[] = [];
  const start = performance.now();
  let due = 0;
  const append: EventLog['append'] = async (...values) => {
    const dueAt = start + (due++ * 1_000) / rate;
    await sleep(Math.max(0, dueAt - performance.now()));
    const head = await log.append(...values);
    waiting.set(head.position, performance.now());
    return head;
  };
  let isOver = false;
  const filling = fill({ ...log, append }).finally(() => {
    isOver = true;
  });
  for (; !isOver || waiting.size > 0; await sleep(2)) {
    const at = await liveCheckpoint(allProjections, documents.models);
    for (const [position, appendedAt] of waiting) {
      if (at === null || position > at) continue;
      took.push(performance.now() - appendedAt);
      waiting.delete(position);
    }
  }
  await filling;
  return took;
};
