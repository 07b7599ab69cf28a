import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { createEgress } from '../../outbound/egress.ts';
import { createSender } from '../../outbound/send.ts';
import { deliveryHeaders } from '../../outbound/sign.ts';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { SINK_HOST } from '../deliveries/sink.ts';
import { usageOf } from '../deliveries/usage.ts';
import { pageOf } from './page.ts';
import type { Stage } from './stage.ts';

/** Processor time in ms of what a submission can't do without, without any service. */
export type Bare = Readonly<{ appendsMs: number; fileMs: number; webhookMs: number }>;

/** So many callers share a commit, as the submissions do that are under way together. */
const AT_ONCE = 8;

/** Measures so many of each: the appends of submissions that are stored, a page of text, and a webhook. */
export const bareLoops = async (stage: Stage, count: number): Promise<Bare> => ({
  appendsMs: appends(stage.folder, count),
  fileMs: await files(stage.folder, count),
  webhookMs: await webhooks(stage.sink, count),
});

type Row = readonly [stream: string, id: string, type: string, metadata: string, data: string];

/** The rows of the newest submissions once more, in a log of their own, durably. */
const appends = (folder: string, count: number): number => {
  const log = openDatabase(join(folder, 'data', 'log.db'), { synchronous: 'FULL' });
  const rows = log
    .prepare<Row>('SELECT stream, id, type, metadata, data FROM events ORDER BY position DESC LIMIT ?')
    .all(count * 6);
  const submissions = new Set(rows.map(([stream]) => stream).filter((stream) => stream.startsWith('sub')))
    .size;
  log.close();
  const own = mkdtempSync(join(folder, 'bare-'));
  const database = openDatabase(join(own, 'log.db'), { synchronous: 'FULL' });
  database.exec(
    'CREATE TABLE events (position INTEGER PRIMARY KEY, stream, id UNIQUE, type, metadata, data)',
  );
  const insert = database.prepare(
    'INSERT INTO events (stream, id, type, metadata, data) VALUES (?, ?, ?, ?, ?)',
  );
  const cpu = process.cpuUsage();
  for (let first = 0; first < rows.length; first += AT_ONCE)
    database.transaction(() => {
      for (const row of rows.slice(first, first + AT_ONCE)) insert.run(...row);
    });
  const spent = since(cpu);
  database.close();
  rmSync(own, { recursive: true });
  return spent / submissions;
};

const since = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
};

/** A bare server in a process of its own receives, writes and syncs each file. */
const files = async (folder: string, count: number): Promise<number> => {
  const child = fork(new URL('./files.process.js', import.meta.url), [mkdtempSync(join(folder, 'bare-'))]);
  const [port] = await once(child, 'message');
  const put = async (n: number): Promise<void> => {
    const { body } = await request(`http://127.0.0.1:${port}/${n}`, { method: 'PUT', body: pageOf(n) });
    await body.dump();
  };
  await inTurns(count / 4, put);
  const before = usageOf(child.pid ?? 0).cpuMs;
  await inTurns(count, put);
  const spent = usageOf(child.pid ?? 0).cpuMs - before;
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
  return spent / count;
};

const webhooks = async ({ live, ca }: Stage['sink'], count: number): Promise<number> => {
  const host = `hooks.${SINK_HOST}`;
  const egress = createEgress({ egress: 'any', resolve: new Map([[host, ['127.0.0.1']]]), ca });
  const sender = createSender(egress);
  const body = JSON.stringify({ result: 'x'.repeat(1_200) });
  const send = async (n: number): Promise<void> => {
    const signable = { eventId: `bare-${n}`, eventType: 'session.completed', body, at: new Date() };
    const headers = deliveryHeaders(signable, ['f'.repeat(64)]);
    const { error } = await sender.send({ url: `https://${host}:${live}/bare`, headers, body });
    if (error !== null) throw new Error(error);
  };
  await inTurns(count / 4, send);
  const cpu = process.cpuUsage();
  await inTurns(count, send);
  const spent = since(cpu);
  await egress.close();
  return spent / count;
};

const inTurns = async (count: number, act: (n: number) => Promise<void>): Promise<void> => {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) await act(begun++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};
