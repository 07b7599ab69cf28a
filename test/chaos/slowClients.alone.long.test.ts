import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import * as assert from 'uvu/assert';
import { rounds, suite } from '../harness.ts';
import { openWorld, type World } from '../support/world.ts';

const test = suite('slow clients');
let world: World;
test.before(async () => {
  world = await openWorld();
  await world.start();
});
test.after(() => world.close());

const SOCKETS = rounds(100, 2_000);
const ASKED = rounds(200, 1_000);
const LIMIT_MS = 50;

/** The time that 99 of 100 well-behaved requests take at most, sent at a steady pace, in milliseconds. */
const p99 = async (): Promise<number> => {
  const pool = new Pool(world.url, { connections: 4 });
  const headers = { authorization: `Bearer ${world.key}` };
  const times: number[] = [];
  for (let asked = 0; asked < ASKED; asked += 1) {
    const begun = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/api/v1/submissions', headers });
    await body.dump();
    assert.is(statusCode, 200);
    times.push(performance.now() - begun);
    await sleep(3);
  }
  await pool.close();
  return times.sort((a, b) => a - b)[Math.floor(ASKED * 0.99)] ?? Number.NaN;
};

/** Ways of being slow: headers, or a body, that come byte by byte; answers that nobody reads. */
const slownesses: readonly (readonly [begin: () => string, drip: string])[] = [
  [() => 'GET /health/live HTTP/1.1\r\nHost: a\r\nX: ', 'x'],
  [
    () =>
      `POST /api/v1/workflows/receipt/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.key}\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{`,
    ' ',
  ],
  [() => 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(30), ''],
];

const slowClient = (port: number, number: number): Socket => {
  const [begin, drip] = slownesses[number % slownesses.length] ?? [() => '', ''];
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write(begin());
  const timer = drip === '' ? undefined : setInterval(() => socket.write(drip), 1_000);
  socket.on('error', () => socket.destroy()).on('close', () => clearInterval(timer));
  return socket;
};

test(
  `${SOCKETS} of them do not delay a good one: 99 of 100 requests take ${LIMIT_MS} ms at most`,
  async () => {
    const { port } = new URL(world.url);
    const quiet = await p99();
    const slow: Socket[] = [];
    for (let number = 0; number < SOCKETS; number += 1) {
      const socket = slowClient(Number(port), number);
      slow.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    const limit = Math.max(LIMIT_MS, quiet * 5);
    // What else the machine does can only add to a time.
    let loaded = Number.POSITIVE_INFINITY;
    for (let tries = 0; loaded > limit && tries < 3; tries += 1) loaded = await p99();
    for (const socket of slow) socket.destroy();
    assert.ok(loaded <= limit, `p99 ${loaded.toFixed(1)} ms beside them, ${quiet.toFixed(1)} ms without`);
  },
  { timeoutMs: rounds(90_000, 180_000) },
);
