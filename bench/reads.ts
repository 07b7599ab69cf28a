import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { createTenant } from '../scripts/demo/intake.ts';
import { openCoreOf } from '../test/support/core.ts';
import { untilIdle } from './deliveries/stage.ts';
import { fillLog } from './filledLog.ts';
import { type Cost, compare, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import type { Yardstick } from './reads/server.ts';
import { serviceSettings, WORKFLOW } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'answers to GET requests against bare Koa, and against Koa that reads the same rows';

const CALLERS = 8;
const YARDSTICK = 'bare Koa sending the same bytes';
const LEAST = 'Koa that looks up the key, reads the row, and writes a log line';
const LEAST_GOAL = 0.7;
const SERVER = fileURLToPath(new URL('./reads/server.js', import.meta.url));

/**
 * Measures answers by the processor time of the server; `--submissions N` (default 2,000), `--requests N` a
 * round (5,000), `--rounds N` (5). Its rows are those of P1 and P2.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { submissions, requests, rounds } = optionsOf(options, {
    submissions: 2_000,
    requests: 5_000,
    rounds: 5,
  });
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  try {
    return await measure(await fill(folder, submissions), requests, rounds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

type Filled = Readonly<{ settings: Record<string, string>; key: string; submissionId: string }>;

const fill = async (folder: string, submissions: number): Promise<Filled> => {
  const settings = {
    ...serviceSettings(folder),
    ...{ LOG_LEVEL: 'info', RATE_LIMIT: '1000000' }, // as usual: each request is logged, and counted
  };
  const { companyId, keyId, key } = await createTenant(settings, 'Bench', WORKFLOW);
  const core = await openCoreOf(settings);
  const filled = await fillLog(core.log, submissions, { companyId, keyId }, false);
  await core.close();
  const submissionId = filled.at(-1);
  if (submissionId === undefined) throw new Error('a log without submissions');
  return { settings, key, submissionId };
};

const measure = async (filled: Filled, requests: number, rounds: number): Promise<readonly Row[]> => {
  const { key, submissionId } = filled;
  const measured = [
    ['/api/v1/submissions?limit=20', 'P1', 0.6],
    [`/api/v1/jobs/${submissionId.replace('sub_', 'ses_')}`, 'P2', 0.6],
    [`/api/v1/submissions/${submissionId}`, 'P2', 0.5],
    ['/api/v1/workflows', 'P2', 0.6],
  ] as const;
  const ours = await start(filled.settings);
  await ours.untilReady();
  const contents: Record<string, string> = {};
  for (const [path] of measured) contents[path] = await ours.text(path, key);
  const bare = await start({}, { contents });
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const least = await start({}, { contents, folder, key });
  const rows = [];
  for (const [path, figure, goal] of measured) {
    const what = path.replace(/(sub|ses)_\w+/, '{id}').replace('/api/v1', 'GET ');
    const get = (server: Serving) => () => server.cost(path, key, requests);
    for (const [yardstick, server, aim] of [
      [YARDSTICK, bare, goal],
      [LEAST, least, LEAST_GOAL],
    ] as const)
      rows.push(
        await compare({ figure, what, yardstick, goal: aim, by: 'cpu' }, rounds, get(server), get(ours)),
      );
  }
  await Promise.all([ours.stop(), bare.stop(), least.stop()]);
  rmSync(folder, { recursive: true });
  return rows;
};

type Serving = Awaited<ReturnType<typeof start>>;

/** Starts a server in a process of its own: the service, or a yardstick. */
const start = async (settings: Readonly<Record<string, string>>, yardstick: Yardstick | null = null) => {
  const env = { ...process.env, ...settings };
  const child = fork(SERVER, { env, stdio: ['ignore', 'inherit', 'ignore', 'ipc'] });
  const url = (await asked(child, { yardstick })) as string;
  const pool = new Pool(url, { connections: CALLERS, pipelining: 1 });
  const text = async (path: string, key: string): Promise<string> => {
    const headers = { authorization: `Bearer ${key}` };
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
    const content = await body.text();
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${content}`);
    return content;
  };
  return {
    text,
    untilReady: async (): Promise<void> => {
      while ((await pool.request({ path: '/health/ready', method: 'GET' })).statusCode !== 200)
        await sleep(200);
      // Reactors go through the filled log first: their work is not a request's.
      if (child.pid !== undefined) await untilIdle(child.pid);
    },
    /** What each of so many requests costs, sent by 8 callers on connections that are kept. */
    cost: async (path: string, key: string, requests: number): Promise<Cost> => {
      const before = (await asked(child, 'usage')) as NodeJS.CpuUsage;
      const started = performance.now();
      let sent = 0;
      const caller = async (): Promise<void> => {
        for (; sent < requests; sent += 1) await text(path, key);
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      const elapsed = ((performance.now() - started) * 1_000) / sent;
      const after = (await asked(child, 'usage')) as NodeJS.CpuUsage;
      return { elapsed, cpu: (after.user + after.system - before.user - before.system) / sent };
    },
    stop: async (): Promise<void> => {
      await pool.close();
      child.disconnect();
      await once(child, 'exit');
    },
  };
};

const asked = (child: ChildProcess, message: object | string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const gone = (): void => reject(new Error('a server has ended before it answered'));
    child.once('exit', gone);
    child.once('message', (answer) => {
      child.off('exit', gone);
      resolve(answer);
    });
    child.send(message);
  });
