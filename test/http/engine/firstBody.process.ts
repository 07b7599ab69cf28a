import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { json, startFixture } from './fixture.ts';

// A process of its own for firstBody.test.ts: the parser is loaded with the first body of a process.

/** The answer to a body that was sent at once, and the statuses of all requests. */
export type Outcome = Readonly<{ answer: readonly unknown[]; statuses: readonly number[] }>;

const HEAD = 'POST /anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n';

const fixture = await startFixture();
const leaver = connect(fixture.port, '127.0.0.1').on('error', () => undefined);
leaver.write(`${HEAD}Expect: 100-continue\r\n\r\n`);
const answering = fixture.call('/anything', json('{"first":1}'));
// 100 Continue: the parser is being loaded.
await once(leaver, 'data');
leaver.destroy();
const { status, body } = await answering;
const end = performance.now() + 5_000;
while (fixture.lines.length < 2 && performance.now() < end) await pause(10);
const outcome: Outcome = {
  answer: [status, body?.body],
  statuses: fixture.lines.map((line) => line.status).toSorted(),
};
process.send?.(outcome);
await fixture.close();
