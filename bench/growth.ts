import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { createTenant, intake, type Settings, startServer, type Tenant } from '../scripts/demo/intake.ts';
import { print } from '../scripts/named.ts';
import { openCoreOf } from '../test/support/core.ts';
import { untilIdle } from './deliveries/stage.ts';
import { usageOf } from './deliveries/usage.ts';
import { fillLog } from './filledLog.ts';
import { judge, median, type Plot, type Row } from './measure.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'the start up to the first 200, and the cost of a page, as the log grows';

const P13 = { figure: 'P13', yardstick: 'node -e 0', isAtMost: true, unit: 'ms' } as const;
const P14 = {
  figure: 'P14',
  yardstick: 'the same at 1,000',
  isAtMost: true,
  unit: 'times',
  goal: 2,
} as const;
/** Of a submission without a webhook. */
const EVENTS_EACH = 7;
const FEW = 1_000;
const STEPS = 10;
const ROWS = 20;
/** How deep the later page lies; there are as many in the smallest log. */
const DEEP = 40;
const CALLERS = 4;
const WORKFLOW = fileURLToPath(new URL('../../scripts/samples/receipt.workflow.json', import.meta.url));

/**
 * Measures starts of the service with an empty folder, then logs of 1,000 submissions up to `--events N`
 * (default 1,000,000), ten times as many each: pages of submissions by the server's processor time, and starts
 * with the largest; `--requests N` of each page (2,000), `--rounds N` (5). Needs Linux.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { values } = parseArgs({
    args: [...options],
    options: {
      events: { type: 'string', default: '1000000' },
      requests: { type: 'string', default: '2000' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const [events, requests, rounds] = [values.events, values.requests, values.rounds].map(Number) as [
    number,
    number,
    number,
  ];
  const folder = mkdtempSync(join(tmpdir(), 'intake-growth-'));
  try {
    const empty = await starts(rounds, () => settingsOf(mkdtempSync(join(folder, 'empty-'))));
    const settings = settingsOf(join(folder, 'data'));
    const grown = await grow(settings, Math.round(events / EVENTS_EACH), requests);
    const filled = await starts(rounds, () => settings);
    return [
      judge({ ...P13, what: 'start to the first 200, empty log', goal: 1_000 }, ...empty),
      judge({ ...P13, what: `the same, ${events.toLocaleString('en')} events`, goal: 2_000 }, ...filled),
      ...grown,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const settingsOf = (folder: string): Settings => ({
  ...{ PORT: '0', STORAGE_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', RATE_LIMIT: '0' },
});

/** The median of so many starts, each beside one of Node alone. */
const starts = async (rounds: number, settings: () => Settings): Promise<[number, string]> => {
  const pairs: Readonly<{ ours: number; bare: number }>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now();
    await once(spawn(process.execPath, ['-e', '0']), 'exit');
    const pair = { bare: performance.now() - begun, ours: await startOf(settings()) };
    if (round > 0) pairs.push(pair);
  }
  const bare = median(pairs.map((pair) => pair.bare));
  const ratio = median(pairs.map((pair) => pair.ours / pair.bare));
  return [
    median(pairs.map(({ ours }) => ours)),
    `${ratio.toFixed(1)} times the ${bare.toFixed(0)} ms of Node alone`,
  ];
};

const startOf = async (settings: Settings): Promise<number> => {
  const begun = performance.now();
  const server = await startServer(settings);
  await untilReady(server.url);
  const took = performance.now() - begun;
  await server.stop();
  return took;
};

const untilReady = async (url: string): Promise<void> => {
  while ((await fetch(`${url}/health/ready`)).status !== 200) await sleep(5);
};

/** The costs of pages at each size of the log. */
const grow = async (settings: Settings, most: number, requests: number): Promise<readonly Row[]> => {
  const tenant = await createTenant(settings, 'Bench', WORKFLOW);
  const lines = { 'page 1': [] as [number, number][], [`page ${DEEP}`]: [] as [number, number][] };
  let filled = 0;
  for (let size = FEW; filled < most; size = Math.min(size * STEPS, most)) {
    await fill(settings, tenant, size - filled);
    filled = size;
    const costs = await pageCosts(settings, tenant.key, requests);
    for (const [n, line] of Object.values(lines).entries()) line.push([size, costs[n] ?? Number.NaN]);
    print(`${size} submissions: ${costs.map((one) => one.toFixed(0)).join(' and ')} µs`);
  }
  const plot: Plot = {
    ...{ title: 'Cost of a page of 20 submissions', isLogarithmic: true, lines },
    ...{ x: 'submissions', y: 'µs of processor time' },
  };
  return Object.entries(lines).map(([page, line], n) => {
    const what = `GET /submissions, ${page}, at ${filled.toLocaleString('en')} submissions`;
    const [few = Number.NaN, many = Number.NaN] = [line[0]?.[1], line.at(-1)?.[1]];
    const row = judge({ ...P14, what }, many / few, `${many.toFixed(0)} µs against ${few.toFixed(0)}`);
    return n === 0 ? { ...row, plot } : row;
  });
};

/** Adds so many submissions, and makes the read models anew: live ones would take longer. */
const fill = async (settings: Settings, { companyId, keyId }: Tenant, submissions: number): Promise<void> => {
  const core = await openCoreOf(settings);
  await fillLog(core.log, submissions, { companyId, keyId }, false);
  await core.close();
  await intake(settings, 'projections', 'rebuild', '--all', '--anew', '--json');
};

/** What the first page costs the server, and a later one, in µs of processor time. */
const pageCosts = async (settings: Settings, key: string, requests: number): Promise<readonly number[]> => {
  const server = await startServer(settings);
  await untilReady(server.url);
  await untilIdle(server.pid);
  const pool = new Pool(server.url, { connections: CALLERS });
  const page = async (cursor: string | null): Promise<string | null> => {
    const path = `/api/v1/submissions?limit=${ROWS}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const headers = { authorization: `Bearer ${key}` };
    const { body } = await pool.request({ method: 'GET', path, headers });
    return ((await body.json()) as { nextCursor: string | null }).nextCursor;
  };
  const costOf = async (cursor: string | null, count: number): Promise<number> => {
    const before = usageOf(server.pid).cpuMs;
    let sent = 0;
    const caller = async (): Promise<void> => {
      for (; sent < count; sent += 1) await page(cursor);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return ((usageOf(server.pid).cpuMs - before) * 1_000) / sent;
  };
  let cursor: string | null = null;
  for (let n = 1; n < DEEP; n += 1) cursor = await page(cursor);
  const costs: number[] = [];
  for (const one of [null, cursor]) {
    await costOf(one, requests);
    costs.push(await costOf(one, requests));
  }
  await pool.close();
  await server.stop();
  return costs;
};
