import { type AddressInfo, createServer, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { createEgress, type Egress } from '../../outbound/egress.ts';
import { ANSWER_LIMIT, createSender, type Outgoing, succeeded } from '../../outbound/send.ts';
import { type Answer, type Receiver, startReceiver } from '../../scripts/receiver.ts';
import { eventually, suite } from '../harness.ts';

const test = suite('sending webhooks');
const answers: Record<string, Answer> = {
  '/hang': 'hang',
  '/hang?off': 'hang',
  '/drip': 'drip',
  '/endless': 'endless',
  '/close': 'close',
  '/announced': { headers: { 'Content-Length': '1000000000' }, body: '.'.repeat(100_000) },
  '/exactly': { body: '.'.repeat(ANSWER_LIMIT - 1) },
};

let receiver: Receiver;
let egress: Egress;
const errors: (string | null)[] = [];

test.before(async () => {
  receiver = await startReceiver({
    answer: ({ path }) => answers[path] ?? { status: Number(path.slice(1)) || 200, body: 'thanks' },
  });
  egress = createEgress({ egress: 'any', resolve: receiver.resolve, ca: receiver.ca });
});
test.after(async () => {
  await egress.close();
  await receiver.close();
});

const send = async (path: string, request: Partial<Outgoing> = {}, through: Egress = egress) => {
  const url = path.startsWith('/') ? receiver.url + path : path;
  const attempt = await createSender(through).send({
    url,
    headers: {},
    body: '{}',
    timeoutMs: 5_000,
    ...request,
  });
  errors.push(attempt.error);
  return attempt;
};

/** An egress that counts the bytes of answers that reach the sender. */
const counting = (through: Egress) => {
  let read = 0;
  const counted: Egress = {
    ...through,
    dispatch: (request, handler) =>
      through.dispatch(request, {
        ...handler,
        onResponseData: (controller, chunk) => {
          read += chunk.length;
          handler.onResponseData?.(controller, chunk);
        },
      }),
  };
  return { counted, read: () => read };
};

test('sends the bytes and headers as they are', async () => {
  const body = Buffer.from('{"name":"Zürich ☃","n":1.50}\n');
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1.0',
    'X-Webhook-Id': 'abc',
  };
  const attempt = await send('/hooks?a=1&b=%2F#fragment', { body, headers });
  assert.equal([attempt.statusCode, attempt.error, succeeded(attempt)], [200, null, true]);
  assert.type(attempt.durationMs, 'number');
  const request = await receiver.waitFor(({ headers }) => headers['x-webhook-id'] === 'abc');
  assert.is(request.method, 'POST');
  assert.is(request.path, '/hooks?a=1&b=%2F');
  assert.equal(request.body, body);
  assert.is(request.headers['content-type'], 'application/json');
  assert.is(request.headers['user-agent'], 'service-webhook/1.0');
  assert.is(request.headers['content-length'], String(body.length));
});

for (const status of [200, 201, 202, 204, 226, 299])
  test(`${status} is a success [webhooks-15]`, async () => {
    const attempt = await send(`/${status}`);
    assert.equal([attempt.statusCode, attempt.error, succeeded(attempt)], [status, null, true]);
  });

for (const status of [300, 304, 307, 400, 401, 404, 410, 429, 500, 503, 599])
  test(`${status} is a failure [webhooks-15, webhooks-22]`, async () => {
    const attempt = await send(`/${status}`);
    assert.is(attempt.statusCode, status);
    assert.match(attempt.error ?? '', new RegExp(`^answered ${status}`));
    assert.not(succeeded(attempt));
  });

test('an answer that never comes is bounded by the time [webhooks-15]', async () => {
  const { error, statusCode, durationMs } = await send('/hang', { timeoutMs: 300 });
  assert.equal([statusCode, error], [null, 'no complete answer within 0.3 s']);
  assert.ok(durationMs >= 299 && durationMs < 4_000, `${durationMs} ms`);
});

test('an answer that drips is bounded by the time, and is no success [webhooks-15]', async () => {
  const attempt = await send('/drip', { timeoutMs: 300 });
  assert.equal([attempt.statusCode, attempt.error], [200, 'no complete answer within 0.3 s']);
  assert.not(succeeded(attempt));
  assert.ok(attempt.durationMs < 4_000, `${attempt.durationMs} ms`);
});

for (const path of ['/endless', '/announced'])
  test(`of an answer without an end (${path}) at most 64 KiB are read, and its status counts [webhooks-23]`, async () => {
    const { counted, read } = counting(egress);
    const attempt = await send(path, {}, counted);
    assert.equal([attempt.statusCode, attempt.error, succeeded(attempt)], [200, null, true]);
    assert.ok(attempt.durationMs < 4_000, `${attempt.durationMs} ms`);
    // What is under way when the limit is reached, one chunk of TLS, is dropped.
    assert.ok(read() >= ANSWER_LIMIT && read() < ANSWER_LIMIT + 16_384, `${read()} bytes`);
    const so_far = read();
    await send('/200');
    assert.is(read(), so_far);
  });

test('an answer just below the limit is read to its end, and the connection used again', async () => {
  const { counted, read } = counting(egress);
  await send('/exactly', {}, counted);
  const before = receiver.connections();
  await send('/exactly', {}, counted);
  assert.is(read(), 2 * (ANSWER_LIMIT - 1));
  assert.is(receiver.connections(), before);
});

test('a connection that ends without an answer is a failure', async () => {
  const attempt = await send('/close');
  assert.is(attempt.statusCode, null);
  assert.is(attempt.error, 'the connection was closed before a complete answer came');
});

test('one connection serves one attempt after the other, and no more are opened than allowed', async () => {
  const own = await startReceiver();
  const { resolve, ca } = own;
  const narrow = createEgress({ egress: 'any', resolve, ca, connectionsPerOrigin: 3 });
  for (let count = 0; count < 20; count += 1) await send(own.url, {}, narrow);
  // undici rests a connection for one turn of the event loop after each answer.
  assert.ok(own.connections() <= 2, `${own.connections()} connections`);
  await Promise.all(Array.from({ length: 30 }, () => send(own.url, {}, narrow)));
  assert.is(own.connections(), 3);
  assert.is(own.requests.length, 50);
  await narrow.close();
  await own.close();
});

test('the time counts for what waits for a connection too', async () => {
  const { resolve, ca } = receiver;
  const single = createEgress({ egress: 'any', resolve, ca, connectionsPerOrigin: 1 });
  const hanging = send('/hang', { timeoutMs: 600 }, single);
  const waiting = await send('/200?waiting', { timeoutMs: 200 }, single);
  assert.is(waiting.error, 'no complete answer within 0.2 s');
  assert.is((await hanging).error, 'no complete answer within 0.6 s');
  assert.is((await send('/200?after', {}, single)).statusCode, 200);
  assert.not(
    receiver.requests.some(({ path }) => path === '/200?waiting'),
    'given up before it was sent',
  );
  await single.close();
});

test('an attempt that is called off throws the reason and lets the connection go', async () => {
  const reason = new Error('the lease was lost');
  const off = AbortSignal.abort(reason);
  const caught = async (request: Promise<unknown>) =>
    request.then(
      () => 'nothing thrown',
      (error) => error,
    );
  const before = receiver.requests.length;
  assert.is(await caught(send('/200', { signal: off })), reason);
  assert.is(receiver.requests.length, before);
  const controller = new AbortController();
  // Called off at once: when the time is over, this test is over too.
  const sent = caught(send('/hang?off', { signal: controller.signal, timeoutMs: 600_000 }));
  await receiver.waitFor(({ path }) => path === '/hang?off');
  controller.abort(reason);
  assert.is(await sent, reason);
});

test('a fault of our own throws: the receiver is not charged with it', async () => {
  const { resolve, ca } = receiver;
  const closed = createEgress({ egress: 'any', resolve, ca });
  await closed.close();
  for (const fault of [
    () => send('/200', { headers: { 'bad header': 'x' } }),
    () => send('/200', { headers: { good: 'bad\nvalue' } }),
    () => send('no url'),
    () => send('/200', {}, closed),
  ])
    assert.instance(
      await fault().then(
        () => null,
        (error) => error,
      ),
      Error,
    );
});

test('nobody at home', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  assert.is((await send(`http://127.0.0.1:${port}/`)).error, 'the connection was refused');
});

const OK = 'HTTP/1.1 200 OK\r\n';
const TOO_LATE = 'no complete answer within 0.5 s';
const NOT_HTTP = 'the answer is not valid HTTP';
const CLOSED = 'the connection was closed before a complete answer came';
const forever = (text: string) => (socket: Socket) => {
  const pour = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', pour);
  pour();
};

/** What a hostile or broken receiver may write, and how the attempt ends. */
const hostile: Record<string, [(socket: Socket) => unknown, number | null, string]> = {
  'no HTTP at all': [(socket) => socket.write('220 mail.example ESMTP\r\n'), null, NOT_HTTP],
  'endless noise': [forever('x'.repeat(4_096)), null, NOT_HTTP],
  'a status that is not valid': [(socket) => socket.write('HTTP/1.1 999999 ?\r\n\r\n'), null, NOT_HTTP],
  nothing: [() => {}, null, TOO_LATE],
  'a header that never ends': [
    (socket) => [socket.write(OK), forever('X-Header: '.padEnd(4_096, 'x'))(socket)],
    null,
    'the headers of the answer are too large',
  ],
  'headers without end': [
    (socket) => [socket.write(OK), forever(`X-Header: ${'x'.repeat(1_000)}\r\n`)(socket)],
    null,
    'the headers of the answer are too large',
  ],
  'headers that drip': [
    (socket) => {
      socket.write(OK);
      const timer = setInterval(() => socket.write('X: y\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    },
    null,
    TOO_LATE,
  ],
  'interim answers without end': [forever('HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'), null, NOT_HTTP],
  'a change of protocol': [
    (socket) => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    null,
    CLOSED,
  ],
  'a body cut off': [(socket) => socket.end(`${OK}Content-Length: 100\r\n\r\nhalf`), 200, CLOSED],
  'chunks cut off': [(socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nab`), 200, CLOSED],
  'a chunk that is not valid': [
    (socket) => socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
    200,
    NOT_HTTP,
  ],
  'a chunk extension without end': [
    (socket) => [
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n1;x=`),
      forever('x'.repeat(4_096))(socket),
    ],
    200,
    TOO_LATE,
  ],
  'trailers without end': [
    (socket) => [
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`),
      forever(`X: ${'x'.repeat(1_000)}\r\n`)(socket),
    ],
    200,
    'the headers of the answer are too large',
  ],
  'two lengths': [
    (socket) => socket.write(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    null,
    NOT_HTTP,
  ],
};

for (const [what, [write, statusCode, error]] of Object.entries(hostile))
  test(`survives a receiver that answers with ${what}`, async () => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
      socket.once('data', () => write(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const attempt = await send(`http://127.0.0.1:${port}/`, {
      timeoutMs: error === TOO_LATE ? 500 : 5_000,
    });
    assert.equal([attempt.statusCode, attempt.error], [statusCode, error]);
    assert.ok(attempt.durationMs < 4_000, `${attempt.durationMs} ms`);
    await eventually('the connection to be closed', () => open.size === 0);
    await new Promise((resolve) => server.close(resolve));
  });

test('a server that takes the connection and never speaks TLS is bounded by the time', async () => {
  const open = new Set<Socket>();
  const server = createServer((socket) => open.add(socket.on('error', () => socket.destroy()).resume()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const own = createEgress({ egress: 'any' });
  const attempt = await send(`https://127.0.0.1:${port}/`, { timeoutMs: 300 }, own);
  assert.is(attempt.error, 'no complete answer within 0.3 s');
  await own.close();
  await eventually('the connection to be closed', () =>
    [...open].every((socket) => socket.readableEnded || socket.destroyed),
  );
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test('a server that speaks something else than TLS', async () => {
  const server = createServer((socket) => {
    socket
      .on('error', () => socket.destroy())
      .resume()
      .end('SSH-2.0-OpenSSH_9.2\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  assert.is((await send(`https://127.0.0.1:${port}/`)).error, 'the TLS handshake failed');
  await new Promise((resolve) => server.close(resolve));
});

test('no error names an address', () => {
  const texts = errors.filter((error) => error !== null);
  assert.ok(texts.length > 30, `${texts.length} errors`);
  for (const text of texts) {
    assert.not.match(text, /\d+\.\d+\.\d+|::|localhost|receiver/);
    assert.ok(text.length < 100, text);
  }
});

// Last: it lets the timers of kept connections run out.
test('an attempt has ten seconds unless it is given others [webhooks-15]', async () => {
  const { setTimeout: real } = globalThis;
  const faster = (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    real(work, ms / 50, ...given);
  globalThis.setTimeout = Object.assign(faster, real) as unknown as typeof setTimeout;
  try {
    const { error } = await createSender(egress).send({
      url: `${receiver.url}/hang`,
      headers: {},
      body: '{}',
    });
    assert.is(error, 'no complete answer within 10 s');
  } finally {
    globalThis.setTimeout = real;
  }
});
