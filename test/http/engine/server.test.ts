import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { securityHeadersOf } from '../../../http/engine/identify.ts';
import { answerRefusals } from '../../../http/engine/server/refusals.ts';
import { gate } from '../../controls/stores.ts';
import { eventually, suite } from '../../harness.ts';
import { json, keys, startFixture } from './fixture.ts';

const test = suite('the HTTP server [problems-11]');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture({ limits: { headersMs: 400, requestMs: 800, graceMs: 50 } });
});
test.after(() => fixture.close());

const key = `Authorization: Bearer ${keys.company}\r\n`;
const getOpen = `GET /api/v1/open HTTP/1.1\r\nHost: a\r\n${key}\r\n`;

/** The problem in a raw answer, which must be complete: status line, headers, as many bytes as it says. */
const problemIn = (answer: string, status: number) => {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} \\S`));
  assert.match(head, /\r\ncontent-type: application\/problem\+json/i);
  assert.is(Number(/content-length: (\d+)/i.exec(head)?.[1]), Buffer.byteLength(body));
  const problem = JSON.parse(body);
  assert.is(problem.status, status);
  assert.is(problem.requestId, /x-request-id: (\S+)/i.exec(head)?.[1]);
  for (const [name, value] of Object.entries(securityHeadersOf(null)))
    assert.ok(head.toLowerCase().includes(`\r\n${name}: ${value}`.toLowerCase()), name);
  return problem;
};

const refused: readonly (readonly [string, string, number, string])[] = [
  ['a malformed request line', 'GARBAGE\r\n\r\n', 400, 'malformed-request'],
  ['a request line without a version', 'GET /\r\nHost: a\r\n\r\n', 400, 'malformed-request'],
  ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'malformed-request'],
  ...['http://[::1/x', 'http://'].map(
    (target) =>
      [
        `the target ${target}`,
        `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
        400,
        'malformed-request',
      ] as const,
  ),
  ['no Host header', 'GET /anything HTTP/1.1\r\n\r\n', 400, 'malformed-request'],
  [
    'two Host headers',
    'GET /api/v1/open HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n',
    400,
    'malformed-request',
  ],
  [
    'a Host that is not valid',
    'GET /api/v1/open HTTP/1.1\r\nHost: a, b/c\r\nConnection: close\r\n\r\n',
    400,
    'malformed-request',
  ],
  [
    'a second Host behind 2,500 headers',
    `GET /api/v1/open HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(2_500)}Host: b\r\nConnection: close\r\n\r\n`,
    400,
    'malformed-request',
  ],
  [
    'a chunk with extensions over 16 KiB',
    `POST /anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n`,
    413,
    'content-too-large',
  ],
  [
    'a header with a control character',
    'GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n',
    400,
    'malformed-request',
  ],
  [
    'a length and chunks at once',
    'POST /anything HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'malformed-request',
  ],
  [
    'a bad chunk',
    'POST /anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    400,
    'malformed-request',
  ],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed-request'],
  [
    'headers over 16 KiB',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers-too-large',
  ],
  [
    'an address over 16 KiB',
    `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    431,
    'headers-too-large',
  ],
  [
    'another expectation',
    'POST /anything HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
    417,
    'expectation-failed',
  ],
  ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 501, 'upgrade-refused'],
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'request-timeout'],
  [
    'a body that never ends',
    'POST /anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    408,
    'request-timeout',
  ],
  ['a star', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404, 'not-found'],
  [
    'a NUL in the path',
    'GET /api/v1/open%00 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    404,
    'not-found',
  ],
  [
    'a broken escape in the path',
    'GET /api/v1/%zz/%c0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    404,
    'not-found',
  ],
  ['two slashes', 'GET //api/v1/open HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404, 'not-found'],
  [
    'another protocol by upgrade',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n',
    404,
    'not-found',
  ],
];

const TLS = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03';
test('a client that leaves when its tunnel is refused is no failure of the service', async () => {
  const server = createServer();
  const failures: unknown[] = [];
  answerRefusals(server, {
    observer: { answered: () => undefined, failed: (error) => void failures.push(error) },
    publicUrl: null,
    newRequestId: () => 'r-1',
    afterAnswers: (_, refuse) => refuse(undefined),
  });
  for (const code of ['ECONNRESET', 'EPIPE', 'EIO']) {
    const socket = new PassThrough();
    server.emit('connect', { method: 'CONNECT', url: 'example.com:443' }, socket, Buffer.alloc(0));
    socket.destroy(Object.assign(new Error(code), { code }));
    await new Promise((resolve) => socket.once('close', resolve));
  }
  assert.equal(
    failures.map((error) => (error as Error).message),
    ['EIO'],
  );
});

const strays: readonly (readonly [string, string, RegExp])[] = [
  ['a TLS handshake', TLS, /^A TLS handshake arrived at the http port: use http:\/\//],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/2 arrived at a port that speaks HTTP\/1\.1/],
  ['the PROXY protocol', 'PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n', /^The PROXY protocol arrived/],
  ['its second version', '\r\n\r\n\0\r\nQUIT\n!', /^The PROXY protocol arrived/],
];

for (const [what, bytes, said] of strays)
  test(`${what} on the port is named in the answer and in its log line`, async () => {
    fixture.lines.length = 0;
    const problem = problemIn(await fixture.raw(bytes), 400);
    assert.match(problem.detail, said);
    await eventually('its line', () => fixture.lines.length > 0);
    assert.equal(
      fixture.lines.map(({ status, stray }) => [status, stray]),
      [[400, problem.detail]],
    );
  });

for (const [what, request, status, code] of refused)
  test(`${what} is a ${status} problem`, async () => {
    fixture.lines.length = 0;
    const problem = problemIn(await fixture.raw(request), status);
    assert.is(problem.code, code);
    await eventually('its one line', () => fixture.lines.length > 0);
    assert.equal(
      fixture.lines.map(({ requestId }) => requestId),
      [problem.requestId],
    );
  });

test('a refusal of Node’s own repeats nothing of a query', async () => {
  fixture.lines.length = 0;
  const answer = await fixture.raw(
    'GET /api/invitation/validate?token=s3cr3t HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n',
  );
  assert.is(problemIn(answer, 417).instance, '/api/invitation/validate');
  assert.not.ok((answer + JSON.stringify(fixture.lines)).includes('s3cr3t'));
});

test('an upgrade that nobody offers is ignored, and its connection ends', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
  const answer = await fixture.raw(`GET /api/v1/open HTTP/1.1\r\nHost: a\r\n${key}${upgrade}\r\n`);
  assert.match(answer, /^HTTP\/1\.1 200 OK/);
  assert.match(answer, /connection: close/i);
});

test('pipelined requests are answered in order; garbage after one does not spoil its answer', async () => {
  const get = (limit: number) => `GET /api/v1/open?limit=${limit} HTTP/1.1\r\nHost: a\r\n${key}\r\n`;
  const answers = await fixture.raw(get(1), get(2), get(3), 'GARBAGE\r\n\r\n');
  const limits = [...answers.matchAll(/"limit":(\d)/g)].map(([, limit]) => limit);
  assert.equal(limits, ['1', '2', '3']);
  assert.match(answers, /HTTP\/1\.1 400 /);
});

test('a client that leaves while it sends is not reported as a failure', async () => {
  fixture.failures.length = 0;
  const before = fixture.lines.length;
  const begun = fixture.begun();
  const socket = connect(fixture.port, '127.0.0.1');
  socket.write(
    'POST /anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  );
  await eventually('the request', () => fixture.begun() > begun);
  socket.destroy();
  await eventually('its line', () => fixture.lines.length > before);
  assert.equal(fixture.failures, []);
  assert.is((await fixture.call('/api/v1/open')).status, 200);
});

test('a connection ends after its share of requests', async () => {
  const limited = await startFixture({ limits: { requestsPerSocket: 3 } });
  const get = `GET /api/v1/open HTTP/1.1\r\nHost: a\r\n${key}\r\n`;
  const answers = await limited.raw(get, get, get, get, get);
  await limited.close();
  assert.is(limited.begun(), 3, 'what nobody would see answered is not done');
  assert.is(answers.match(/HTTP\/1\.1 200 OK/g)?.length, 3);
  assert.is(answers.match(/HTTP\/1\.1/g)?.length, 3);
});

test('a client that sends on and on without awaiting an answer gets so many, and its connection ends', async () => {
  const limited = await startFixture({ limits: { pipelined: 8 } });
  const get = `GET /api/v1/open HTTP/1.1\r\nHost: a\r\n${key}\r\n`;
  const answers = await limited.raw(get.repeat(2_000));
  await limited.close();
  assert.is(answers.match(/HTTP\/1\.1 200 OK/g)?.length, 8);
  assert.is(limited.begun(), 8);
});

test('a client that takes its answer byte by byte is cut off in the end', async () => {
  const limited = await startFixture({ limits: { answerMs: 200 } });
  const size = 40 * 1024 * 1024;
  limited.state.answer = () => 'x'.repeat(size);
  const socket = connect(limited.port, '127.0.0.1');
  const body = '{"name":"x"}';
  socket.write(
    `POST /api/v1/things/thing-1/versions/1 HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let got = 0;
  socket.on('data', (chunk: Buffer) => {
    got += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 20);
  });
  const cut = new Promise<void>((resolve) =>
    socket.on('error', () => resolve()).on('close', () => resolve()),
  );
  await cut;
  assert.ok(got > 0 && got < size, `${got}`);
  await limited.close();
});

const slowly = async (port: number): Promise<{ socket: Socket; text(): string; ended: Promise<void> }> => {
  const socket = connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (chunk) => {
    got += chunk;
  });
  // So that the test that meets it fails, and not the process.
  socket.on('error', (error) => {
    got += error.message;
  });
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  return { socket, text: () => got, ended };
};

/** More than a test may take: what waits for it fails. */
const LONG_MS = 600_000;
/** Nothing but closing ends a connection. */
const UNLIMITED = { headersMs: LONG_MS, requestMs: LONG_MS, keepAliveMs: LONG_MS, silentMs: LONG_MS };

test('closing lets running requests finish, refuses new connections, and ends idle ones', async () => {
  const closing = await startFixture({ limits: { ...UNLIMITED, graceMs: 50, closeMs: LONG_MS } });
  const work = gate();
  let working = false;
  closing.state.answer = () => {
    working = true;
    return work.opened;
  };
  const idle = await slowly(closing.port);
  const running = await slowly(closing.port);
  const body = '{"name":"x"}';
  running.socket.write(
    `POST /api/v1/things/thing-1/versions/1 HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await eventually('the request', () => closing.lastUsedAt(keys.company));
  const closed = closing.close();
  await idle.ended;
  assert.match(await refusedConnection(closing.port), /ECONNREFUSED/);
  running.socket.write(body);
  await eventually('its work', () => working);
  work.open();
  await running.ended;
  await closed;
  assert.match(running.text(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close/i);
});

const refusedConnection = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', (error) => resolve(String(error)));
    socket.on('connect', () => {
      socket.destroy();
      resolve('connected');
    });
  });

test('closing does not wait for ever: what still runs then is cut off', async () => {
  const stuck = await startFixture({ limits: { ...UNLIMITED, graceMs: 20, closeMs: 200 } });
  stuck.state.answer = () => undefined;
  const hanging = await slowly(stuck.port);
  hanging.socket.write(
    'POST /anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  await eventually('the request', () => stuck.begun() > 0);
  await stuck.close();
  await hanging.ended;
});

test('a request that comes on a kept connection while closing is answered, and is the last one', async () => {
  const closing = await startFixture({ limits: { graceMs: 400 } });
  const kept = await slowly(closing.port);
  kept.socket.write(getOpen);
  await eventually('the first answer', () => kept.text().includes('limit'));
  assert.not.ok(/connection: close/i.test(kept.text()));
  const closed = closing.close();
  kept.socket.write(getOpen);
  await kept.ended;
  await closed;
  assert.is(kept.text().match(/HTTP\/1\.1 200 OK/g)?.length, 2);
  assert.match(kept.text(), /connection: close/i);
});

test('what came while the process was too busy to read it is answered when it closes', async () => {
  const closing = await startFixture({ limits: { graceMs: 400 } });
  const kept = await slowly(closing.port);
  kept.socket.write(getOpen);
  await eventually('the first answer', () => kept.text().includes('limit'));
  const closed = closing.close();
  // It has stopped listening by then, and waits.
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  kept.socket.write(getOpen);
  busyFor(500);
  await kept.ended;
  await closed;
  assert.is(kept.text().match(/HTTP\/1\.1 200 OK/g)?.length, 2);
});

/** Keeps this process, and so the server in it, from doing anything else for so many milliseconds. */
const busyFor = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

test('those who wait to be accepted when it closes are answered', async () => {
  const closing = await startFixture();
  const waiting = await Promise.all(Array.from({ length: 50 }, () => slowly(closing.port)));
  for (const { socket } of waiting) socket.write(getOpen);
  await closing.close();
  await Promise.all(waiting.map(({ ended }) => ended));
  for (const { text } of waiting) assert.match(text(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close/i);
});

test('a request of which a part has come when it closes is awaited, a connection without one is not', async () => {
  const closing = await startFixture({ limits: { graceMs: 20 } });
  const [silent, slow] = [await slowly(closing.port), await slowly(closing.port)];
  slow.socket.write(getOpen.slice(0, -2));
  const closed = closing.close();
  await silent.ended;
  slow.socket.write('\r\n');
  await slow.ended;
  await closed;
  assert.match(slow.text(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close/i);
});

test('a connection whose last answer had begun before it closed is ended behind it', async () => {
  const closing = await startFixture({ limits: { graceMs: 20, closeMs: 120_000 } });
  closing.state.answer = () => ({ long: 'x'.repeat(30_000_000) });
  const kept = await slowly(closing.port);
  const begun = new Promise<void>((resolve) => {
    kept.socket.once('data', () => {
      kept.socket.pause();
      resolve();
    });
  });
  kept.socket.write(
    `POST /api/v1/things/thing-1/versions/1 HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"x"}`,
  );
  await begun;
  const closed = closing.close();
  kept.socket.resume();
  await kept.ended;
  await closed;
  assert.ok(kept.text().endsWith('x"}'));
});

test('a body that comes after its answer keeps no connection open when it closes', async () => {
  const closing = await startFixture({ limits: { graceMs: 20, closeMs: 120_000 } });
  const refused = await slowly(closing.port);
  const length = 100_000;
  refused.socket.write(`POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`);
  await eventually('its answer', () => refused.text().includes('\r\n\r\n{'));
  refused.socket.write('x'.repeat(length));
  await closing.close();
  await refused.ended;
  assert.match(refused.text(), /^HTTP\/1\.1 40[14] /);
});

test('two hundred slow senders do not delay a good one', async () => {
  const patient = await startFixture({ limits: { headersMs: 3_600_000, requestMs: 3_600_000 } });
  const slow = await Promise.all(Array.from({ length: 200 }, () => slowly(patient.port)));
  for (const { socket } of slow) socket.write('GET / HTTP/1.1\r\nHost: ');
  assert.is((await patient.call('/anything', json('{}'))).status, 200);
  for (const { socket } of slow) socket.destroy();
  await patient.close();
});
