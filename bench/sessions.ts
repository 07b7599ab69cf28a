import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Server } from '../scripts/demo/intake.ts';
import { type Cost, compare, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { withService } from './service.ts';

/** What `npm run bench -- --help` says of this. */
export const summary = 'sessions opened by 8 callers against Koa and a body parser answering a constant';

const CALLERS = 8;
const GOAL = {
  figure: 'P4',
  what: `POST of a session with one URL, ${CALLERS} callers`,
  yardstick: 'Koa and body parser answering a constant',
  goal: 0.35,
  by: 'cpu',
} as const;
const PATH = '/api/v1/workflows/receipt/sessions';
const YARDSTICK = fileURLToPath(new URL('constantServer.js', import.meta.url));
const BODY = JSON.stringify({
  clientSubmissionId: 'expense-report-4711',
  metadata: { department: 'sales', employee: 'E-1024' },
  files: [{ mimeType: 'image/jpeg', fileSize: 123_456 }],
});

/**
 * Measures sessions with one declared file, whose address is signed too; `--count N` sessions a round (400),
 * `--rounds N` (5). Judged by the processor time of the servers.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { rounds, count } = optionsOf(options, { rounds: 5, count: 400 });
  return withService(({ server, key }) => measure(server.url, key, count, Math.max(5, rounds)));
};

const measure = async (url: string, key: string, count: number, rounds: number): Promise<readonly Row[]> => {
  const ours = new Pool(url, { connections: CALLERS });
  const answer = await open(ours, key);
  const constant = await startConstant(answer);
  const bare = new Pool(constant.url, { connections: CALLERS });
  try {
    return [
      await compare(
        GOAL,
        rounds,
        () => sessions(bare, key, count),
        () => sessions(ours, key, count),
      ),
    ];
  } finally {
    await Promise.all([ours.close(), bare.close()]);
    await constant.stop();
  }
};

/** So many sessions, each caller one after the other; the processor time is the server's. */
const sessions = async (pool: Pool, key: string, count: number): Promise<Cost> => {
  const before = await cpuSeconds(pool);
  const start = performance.now();
  const caller = async (): Promise<void> => {
    for (let n = 0; n < count / CALLERS; n += 1) await open(pool, key);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const elapsed = ((performance.now() - start) * 1_000) / count;
  return { elapsed, cpu: (((await cpuSeconds(pool)) - before) * 1_000_000) / count };
};

const open = async (pool: Pool, key: string): Promise<string> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { statusCode, body } = await pool.request({ method: 'POST', path: PATH, headers, body: BODY });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`a session was answered ${statusCode}: ${text}`);
  return text;
};

const cpuSeconds = async (pool: Pool): Promise<number> => {
  const { body } = await pool.request({ method: 'GET', path: '/metrics' });
  return Number(/^\w*process_cpu_seconds_total (\S+)/m.exec(await body.text())?.[1] ?? Number.NaN);
};

const startConstant = async (answer: string): Promise<Pick<Server, 'url' | 'stop'>> => {
  const child = spawn(process.execPath, [YARDSTICK, answer], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const { value: url } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const stop = async (): Promise<void> => {
    child.kill();
    await exited;
  };
  return { url, stop };
};
