import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Koa, { type Middleware } from 'koa';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { createLogger } from '../../telemetry/log.ts';

/**
 * What Koa sends, by its path: as it is, or read from a database in `folder` for who has the key, with a line
 * in the log.
 */
export type Yardstick = Readonly<{ contents: Readonly<Record<string, string>> }> &
  (Readonly<{ folder: string; key: string }> | Readonly<{ folder?: undefined }>);

// A process that serves for bench/reads.ts and tells its processor time: the service itself, or a yardstick.
const serveYardstick = async (yardstick: Yardstick): Promise<string> => {
  const app = new Koa();
  app.use(yardstick.folder === undefined ? constant(yardstick.contents) : least(yardstick));
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const TYPE = 'application/json; charset=utf-8';

const constant = (contents: Yardstick['contents']): Middleware => {
  const bodies = new Map(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)]));
  return (ctx) => {
    ctx.res.setHeader('Content-Type', TYPE);
    ctx.body = bodies.get(ctx.url);
  };
};

const least = ({ contents, folder, key }: Extract<Yardstick, { key: string }>): Middleware => {
  const schema = 'CREATE TABLE kept (id TEXT PRIMARY KEY, body TEXT)';
  const database = openDatabase(join(folder, 'least.db'), { synchronous: 'NORMAL', schema });
  const insert = database.prepare('INSERT INTO kept VALUES (?, ?)');
  for (const [path, body] of Object.entries(contents)) insert.run(path, body);
  insert.run(hash('sha256', key), '{}');
  const find = database.texts<[string]>('SELECT body FROM kept WHERE id = ?');
  const logger = createLogger('info');
  return (ctx) => {
    const started = performance.now();
    const given = ctx.get('authorization').slice('Bearer '.length);
    if (find(hash('sha256', given)).length === 0) ctx.throw(401);
    ctx.res.setHeader('Content-Type', TYPE);
    ctx.body = find(ctx.url)[0]?.[0];
    const { method, url, status } = ctx;
    logger.info({ method, url, status, durationMs: performance.now() - started }, 'request');
  };
};

const serveIntake = async (): Promise<string> => {
  const { roles } = await import('../../cli/runtime.ts');
  const { readConfig } = await import('../../runtime/settings/config.ts');
  const { serve } = await import('../../runtime/serve.ts');
  return (await serve(readConfig(process.env), roles)).healthUrl;
};

process.on('message', async (message: Readonly<{ yardstick: Yardstick | null }> | 'usage') => {
  if (message === 'usage') process.send?.(process.cpuUsage());
  else if ('yardstick' in message)
    process.send?.(await (message.yardstick ? serveYardstick(message.yardstick) : serveIntake()));
});
process.on('disconnect', () => process.exit());
