import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { koaBody } from 'koa-body';

// The yardstick of bench/sessions.ts: Koa and the body parser, answering with the bytes of its only argument.
// It prints its address, and tells its processor time as the service does.
const answer = process.argv[2] ?? '';
const app = new Koa();
app.use(koaBody());
app.use((ctx) => {
  ctx.type = 'application/json';
  const { user, system } = process.cpuUsage();
  if (ctx.path === '/metrics') ctx.body = `process_cpu_seconds_total ${(user + system) / 1_000_000}\n`;
  else {
    ctx.status = 201;
    ctx.body = answer;
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});
