import { setImmediate as turn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { RequestLine } from '../../http/engine/observer.ts';
import { publicReason, scrubbed } from '../../kernel/scrub.ts';
import { createLogger, reportTo } from '../../telemetry/log.ts';
import { noRecorder } from '../../telemetry/recorder.ts';
import { createObserver } from '../../telemetry/requestObserver.ts';
import { suite } from '../harness.ts';

const test = suite('the log');

const kept = () => {
  const lines: string[] = [];
  const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') };
};

const secret = `aok_${'5e'.repeat(32)}`;
const line: RequestLine = {
  requestId: 'r-1',
  method: 'GET',
  path: '/api/v1/submissions',
  endpoint: 'listSubmissions',
  keyId: 'key_1',
  userId: null,
  status: 200,
  durationMs: 3,
};

test('each request is one line, of a level that goes by its status [requests-7]', async () => {
  const { logger, lines, last } = kept();
  const { answered } = createObserver(
    logger,
    reportTo(logger, () => false),
    noRecorder,
  );
  const levels = [
    [{}, 30],
    [{ status: 304 }, 30],
    [{ status: 404 }, 40],
    [{ status: 429 }, 40],
    [{ status: 500 }, 50],
    [{ status: 501, method: 'CONNECT' }, 40],
    [{ status: 503, endpoint: 'getReady' }, 40],
    [{ endpoint: 'getReady' }, 20],
    [{ endpoint: 'getMetrics' }, 20],
    [{ status: 401, endpoint: 'getMetrics' }, 40],
  ] as const;
  for (const [over, level] of levels) {
    answered({ ...line, ...over });
    await turn();
    assert.is(last().level, level, JSON.stringify(over));
  }
  assert.is(lines.length, levels.length);
  answered(line);
  await turn();
  const { level: _, time, msg, ...told } = last();
  assert.match(time, /^2\d{3}-/);
  assert.equal([told, msg], [{ ...line }, 'request']);
});

test('a path may hold what somebody typed: secrets in it are cut out, and so is its end', async () => {
  const { logger, last } = kept();
  const { answered } = createObserver(
    logger,
    reportTo(logger, () => false),
    noRecorder,
  );
  answered({ ...line, endpoint: 'getJob', path: `/api/v1/jobs/${secret}` });
  await turn();
  assert.is(last().path, '/api/v1/jobs/[redacted]');
  answered({ ...line, endpoint: null, path: `/aok_${'a1'.repeat(32)}/${'x/'.repeat(300)}` });
  await turn();
  assert.match(last().path, /^\/\[redacted\]\/x\//);
  assert.ok(last().path.length < 250);
});

test('an error is logged with its stack and its causes, and nothing that packages attach to it', () => {
  const { logger, lines, last } = kept();
  const cause = Object.assign(new Error(`POST https://user:pw@hooks.example/T1/s3cr3t?a=b failed`), {
    request: { headers: { authorization: `Bearer ${secret}` } },
  });
  const error = Object.assign(new TypeError(`refused: Bearer ${secret}`, { cause }), {
    code: 'ECONNREFUSED',
    $response: { body: secret },
    body: secret,
    options: { headers: [secret] },
  });
  logger.error({ err: error }, 'it broke');
  const { err } = last();
  assert.equal(Object.keys(err).sort(), ['cause', 'code', 'message', 'stack', 'type']);
  assert.equal(
    [err.type, err.code, err.message],
    ['TypeError', 'ECONNREFUSED', 'refused: Bearer [redacted]'],
  );
  assert.match(err.stack, /log\.test\.(js|ts):\d+/);
  assert.match(err.cause.message, /^POST https:\/\/hooks\.example\/\[redacted\] failed$/);
  for (const part of [secret, 's3cr3t', 'pw@', 'a=b']) assert.not.ok(lines.join().includes(part), part);
});

test('what is thrown and is no error, and causes without end, are logged too', () => {
  const { logger, last } = kept();
  logger.error({ err: `Bearer ${secret}` });
  assert.is(last().err, 'Bearer [redacted]');
  const endless = new Error('round');
  endless.cause = endless;
  logger.error({ err: endless });
  assert.is(last().err.cause.cause.message, 'round');
});

test('members that are named like secrets are cut out, wherever they stand', () => {
  const { logger, last } = kept();
  const names = [
    'authorization',
    'cookie',
    'key',
    'hash',
    'token',
    'password',
    'secret',
    'url',
    'body',
    'private',
  ];
  for (const name of names) {
    logger.info({ [name]: secret, facts: { [name]: secret, list: [{ [name]: secret }] }, keyId: 'key_1' });
    assert.not.ok(JSON.stringify(last()).includes(secret));
    assert.equal(
      [last()[name], last().facts[name], last().keyId],
      ['[redacted]', '[redacted]', 'key_1'],
      name,
    );
  }
});

const texts: readonly (readonly [string, string])[] = [
  ['connect ECONNREFUSED 127.0.0.1:3001', 'connect ECONNREFUSED 127.0.0.1:3001'],
  ['http://127.0.0.1:3001 is away', 'http://127.0.0.1:3001 is away'],
  [
    'at file:///srv/intake/dist/stores/documents/sqlite/claims.js:1:2',
    'at file:///srv/intake/dist/stores/documents/sqlite/claims.js:1:2',
  ],
  ['GET http://files.example/a/b?X-Amz-Signature=00ff', 'GET http://files.example/[redacted]'],
  ['"https://u:p@h.example/x"', '"https://h.example/[redacted]"'],
  ['authorization: Basic dXNlcjpwdw==', 'authorization: Basic [redacted]'],
  [`key ${secret}!`, 'key [redacted]!'],
  [`hash ${'0f'.repeat(32)}`, 'hash [redacted]'],
  [`token ${Buffer.alloc(32, 251).toString('base64url')}`, 'token [redacted]'],
  [
    'webhookDelivery-01890b3e-1234-7abc-8abc-0123456789ab',
    'webhookDelivery-01890b3e-1234-7abc-8abc-0123456789ab',
  ],
  ['submission-01kaj2d0p1q2r3s4t5v6w7x8y9', 'submission-01kaj2d0p1q2r3s4t5v6w7x8y9'],
  ['event 01890b3e-1234-7abc-8abc-0123456789ab', 'event 01890b3e-1234-7abc-8abc-0123456789ab'],
];
for (const [text, told] of texts)
  test(`is fit for the log: ${told}`, () => {
    assert.is(scrubbed(text), told);
  });

const reasons: readonly (readonly [string, string])[] = [
  [
    "TypeError: Cannot read properties of undefined (reading 'total')",
    "TypeError: Cannot read properties of undefined (reading 'total')",
  ],
  [
    `SyntaxError: Unexpected token 'A', ..."e": "Ann Doe"}" is not valid JSON`,
    `SyntaxError: Unexpected token 'A', ..."[redacted]" is not valid JSON`,
  ],
  ['Error: cut off at "Ann Doe', 'Error: cut off at "[redacted]"'],
  ['Error: ann.doe+a@example.com is taken', 'Error: [redacted] is taken'],
  [`Error: the key ${secret}`, 'Error: the key [redacted]'],
  ['x'.repeat(30), 'x'.repeat(30)],
  ['many words '.repeat(1_000), 'many words '.repeat(1_000).slice(0, 500)],
];
for (const [text, told] of reasons)
  test(`is fit for an answer: ${told.slice(0, 80)} [operations-15]`, () => {
    assert.is(publicReason(text), told);
  });

test.long('a long text takes no longer than its length', () => {
  const started = performance.now();
  for (const text of ['a.', 'a-', 'http://', '@', 'bearer ', 'a+/'].map((part) => part.repeat(200_000)))
    [scrubbed(text), publicReason(text)];
  assert.ok(performance.now() - started < 3_000, `${performance.now() - started}`);
});
