import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { openDatabase, type Value } from '../../stores/sqlite/database.ts';
import type { Written } from './written.ts';

/** What the yardstick answers; `written`: what it writes for each request first, to a file at `path`. */
export type Yardstick = Readonly<{ answer: string; written: Written | null; path: string }>;

// The yardstick of bench/sessions.ts: Koa and the body parser, with what the file of its only argument says.
// It prints its address, and tells its processor time as the service does.
const { answer, written, path }: Yardstick = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));

/** Writes the same rows under other identifiers, in one transaction. */
const writer = ({ schema, rows, ids }: Written): (() => void) => {
  const database = openDatabase(path, { synchronous: 'FULL', schema: schema.join(';') });
  const inserts = rows.map(({ table, values }) => ({
    values,
    statement: database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`),
  }));
  let count = 0;
  return () => {
    count += 1;
    const own = ids.map((id) => [id, id.slice(0, -8) + String(count).padStart(8, '0')] as const);
    const renamed = (value: Value): Value =>
      typeof value === 'string' ? own.reduce((text, [from, to]) => text.replaceAll(from, to), value) : value;
    database.transaction(() => {
      for (const { statement, values } of inserts) statement.run(...values.map(renamed));
    });
  };
};

const write = written && writer(written);
const app = new Koa();
app.use(koaBody());
app.use((ctx) => {
  ctx.type = 'application/json';
  const { user, system } = process.cpuUsage();
  if (ctx.path === '/metrics') ctx.body = `process_cpu_seconds_total ${(user + system) / 1_000_000}\n`;
  else {
    write?.();
    ctx.status = 201;
    ctx.body = answer;
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
