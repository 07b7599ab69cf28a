import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';

/** The content of an answer, by its path; the yardstick sends it as it is. */
export type Contents = Readonly<Record<string, string>>;

// A process that serves for bench/reads.ts and tells its processor time: the service itself, or, when it is
// given contents, bare Koa that sends them.
const serveContents = async (contents: Contents): Promise<string> => {
  const bodies = new Map(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)]));
  const app = new Koa();
  app.use((ctx) => {
    ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
    ctx.body = bodies.get(ctx.url);
  });
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const serveIntake = async (): Promise<string> => {
  const { roles } = await import('../../cli/runtime.ts');
  const { readConfig } = await import('../../runtime/settings/config.ts');
  const { serve } = await import('../../runtime/serve.ts');
  return (await serve(readConfig(process.env), roles)).healthUrl;
};

process.on('message', async (message: Readonly<{ contents: Contents | null }> | 'usage') => {
  if (message === 'usage') process.send?.(process.cpuUsage());
  else if ('contents' in message)
    process.send?.(await (message.contents ? serveContents(message.contents) : serveIntake()));
});
process.on('disconnect', () => process.exit());
