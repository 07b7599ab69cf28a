import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { untilIdle } from './deliveries/stage.ts';
import { type Cost, compare, type Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { withService } from './service.ts';
import type { Yardstick } from './sessions/server.ts';
import { writtenBy } from './sessions/written.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'sessions opened by 8 callers against Koa and a body parser, with and without what is written';

const CALLERS = 8;
const POST = { figure: 'P4', what: `POST of a session with one URL, ${CALLERS} callers`, by: 'cpu' } as const;
const CONSTANT = { ...POST, yardstick: 'Koa and body parser answering a constant', goal: 0.35 } as const;
const LEAST = {
  ...POST,
  yardstick: 'the same that write the events, documents and key in one transaction first',
  goal: 0.5,
} as const;
const PATH = '/api/v1/workflows/receipt/sessions';
const YARDSTICK = fileURLToPath(new URL('sessions/server.js', import.meta.url));
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
  return withService(async ({ server, key, folder }) => {
    const ours = new Pool(server.url, { connections: CALLERS });
    try {
      await sessions(ours, key, count);
      await untilIdle(server.pid);
      let answer = '';
      const written = await writtenBy(server.data, async () => {
        answer = await open(ours, key);
        await untilIdle(server.pid);
      });
      const rows: Row[] = [];
      for (const [goal, writes] of [
        [CONSTANT, null],
        [LEAST, written],
      ] as const) {
        const yardstick = await startYardstick(folder, {
          answer,
          written: writes,
          path: join(folder, 'least.db'),
        });
        rows.push(
          await compare(
            goal,
            Math.max(5, rounds),
            () => sessions(yardstick.pool, key, count),
            () => sessions(ours, key, count),
          ),
        );
        await yardstick.stop();
      }
      return rows;
    } finally {
      await ours.close();
    }
  });
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

const startYardstick = async (folder: string, yardstick: Yardstick) => {
  const file = join(folder, 'yardstick.json');
  writeFileSync(file, JSON.stringify(yardstick));
  const child = spawn(process.execPath, [YARDSTICK, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const { value: url } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const pool = new Pool(url, { connections: CALLERS });
  const stop = async (): Promise<void> => {
    await pool.close();
    child.kill();
    await exited;
  };
  return { pool, stop };
};
