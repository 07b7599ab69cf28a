import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { createTenant, intake, type Settings, startServer } from '../../scripts/demo/intake.ts';
import { openCoreOf } from '../../test/support/core.ts';
import { untilIdle } from '../deliveries/stage.ts';
import { usageOf } from '../deliveries/usage.ts';
import { fillLog } from '../filledLog.ts';
import { WORKFLOW } from '../service.ts';

const ROWS = 20;
/** How deep the later page lies; in a smaller log it is the last one. */
const DEEP = 500;
/** What is asked for beside the number of rows; null: the later page. */
export const PAGES: Readonly<Record<string, string | null>> = {
  'page 1': '',
  [`page ${DEEP}`]: null,
  'by status': '&status=approved',
  'by workflow': '&workflow=receipt',
  'by time': '&createdAfter=2026-01-01T00:00:00Z',
};
const CALLERS = 4;

/** What a page costs the server, in µs of processor time. */
export type Served = Readonly<{ costOf(page: string, requests: number): Promise<number> }>;

type Page = Readonly<{ pagination: Readonly<{ nextCursor: string | null }> }>;

/** A service on a log of so many submissions, whose read models are made at once: live ones take longer. */
export const serve = async (
  settings: Settings,
  submissions: number,
  onStarted: (stop: () => Promise<unknown>) => void,
): Promise<Served> => {
  const { companyId, keyId, key } = await createTenant(settings, 'Bench', WORKFLOW);
  const core = await openCoreOf(settings);
  await fillLog(core.log, submissions, { companyId, keyId }, false);
  await core.close();
  await intake(settings, 'projections', 'rebuild', '--all', '--json');
  const server = await startServer(settings);
  onStarted(server.stop);
  await untilReady(server.url);
  await untilIdle(server.pid);
  const pool = new Pool(server.url, { connections: CALLERS });
  onStarted(() => pool.close());
  const page = async (query: string): Promise<string | null> => {
    const headers = { authorization: `Bearer ${key}` };
    const path = `/api/v1/submissions?limit=${ROWS}${query}`;
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}`);
    return ((await body.json()) as Page).pagination.nextCursor;
  };
  let cursor = '';
  for (let n = 1; n < Math.min(DEEP, submissions / ROWS); n += 1) cursor = `&cursor=${await page(cursor)}`;
  const costOf = async (name: string, requests: number): Promise<number> => {
    const query = PAGES[name] ?? cursor;
    const before = usageOf(server.pid).cpuMs;
    let sent = 0;
    const caller = async (): Promise<void> => {
      for (; sent < requests; sent += 1) await page(query);
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return ((usageOf(server.pid).cpuMs - before) * 1_000) / sent;
  };
  return { costOf };
};

/** Resolves when /health/ready answers 200. */
export const untilReady = async (url: string): Promise<void> => {
  while ((await fetch(`${url}/health/ready`)).status !== 200) await sleep(5);
};
