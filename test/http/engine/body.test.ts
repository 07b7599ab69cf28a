import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../../harness.ts';
import { json, startFixture } from './fixture.ts';

const test = suite('request bodies');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture();
});
test.after(() => fixture.close());

const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
  fixture.call('/anything', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

async function* inPieces(...pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

test('JSON comes through as it was sent', async () => {
  const values = [{ a: [1, -2.5, 1e-7, true, null, 'ü😀', { '': {} }] }, [], 'text', 0, false, null];
  for (const value of values) {
    const answer = await send(JSON.stringify(value));
    assert.equal([answer.status, answer.body.body], [200, value]);
  }
});

test('no body is {}, whatever its type [requests-13]', async () => {
  for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-length': '0' }]) {
    const answer = await fixture.call('/anything', { method: 'POST', headers });
    assert.equal([answer.status, answer.body.body], [200, {}]);
  }
});

test('a body in pieces that has none is {}, whatever its type, and the connection goes on [requests-14]', async () => {
  for (const type of ['', 'Content-Type: text/plain\r\n', 'Content-Type: application/json\r\n']) {
    const head = `POST /anything HTTP/1.1\r\nHost: a\r\n${type}Transfer-Encoding: chunked\r\n`;
    const text = await fixture.raw(`${head}\r\n0\r\n\r\n${head}Connection: close\r\n\r\n0\r\n\r\n`);
    assert.is(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2, text);
    assert.is(text.match(/"body":\{\}/g)?.length, 2, text);
  }
  const filled = await fixture.call('/anything', { method: 'POST', body: inPieces(Buffer.from('{}')) });
  assert.is(filled.status, 415);
});

test('what is not JSON in UTF-8 is a 400 that quotes nothing of it [requests-1]', async () => {
  const secret = 'hunter2-hunter2';
  const broken = [
    `{"password":"${secret}`,
    `${secret}`,
    `{"a":${secret}}`,
    ' ',
    '{"a":1}x',
    '{"a":01}',
    "{'a':1}",
    '{"a":1,}',
    '[NaN]',
    '\u0000',
  ];
  for (const text of broken) {
    const answer = await send(text);
    assert.is(answer.status, 400, text);
    assert.is(answer.body.errors[0].pointer, '');
    assert.not.ok(answer.text.includes('hunter2'));
  }
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xf0, 0x9f, 0x98, 0x22],
  ])
    assert.is((await send(Buffer.from(bytes))).status, 400);
});

test('U+FFFD that the client wrote, and a byte order mark, are fine', async () => {
  assert.is((await send('"\ufffd"')).body.body, '\ufffd');
  assert.is((await send('\ufeff{}')).status, 200);
});

test('another media type, another charset or a compressed body is a 415 [requests-16]', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/vnd.api+json',
    '',
  ])
    assert.is((await send('{}', { 'content-type': type })).status, 415, type);
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])
    assert.is((await send('{}', { 'content-type': type })).status, 200, type);
  for (const encoding of ['gzip', 'br', 'deflate', 'identity, gzip', 'x'])
    assert.is((await send(gzipSync('{}'), { 'content-encoding': encoding })).status, 415, encoding);
  assert.is((await send('{}', { 'content-encoding': 'identity' })).status, 200);
});

test('a 415 says what is expected and what was seen [requests-16]', async () => {
  const seen = async (headers: Record<string, string>): Promise<string> => {
    const { status, body } = await send('{}', headers);
    const [, said] = /^Send JSON in UTF-8, uncompressed, with `.*`\. (.*)$/.exec(body.detail) ?? [];
    assert.is(status, 415);
    return said ?? body.detail;
  };
  const cases: readonly (readonly [Record<string, string>, string])[] = [
    [{ 'content-type': 'text/plain; a=b' }, 'This request has the type text/plain.'],
    [{ 'content-type': '' }, 'This request has no Content-Type, or none that is valid.'],
    [{ 'content-type': `a/${'b'.repeat(99)}` }, 'This request has no Content-Type, or none that is valid.'],
    [{ 'content-type': 'application/json; charset=latin1' }, 'This request has another charset.'],
    [{ 'content-encoding': 'gzip' }, 'This request has a Content-Encoding.'],
    [
      { 'content-type': 'multipart/form-data; boundary=x' },
      'This request has the type multipart/form-data. Files go to the upload addresses of a session.',
    ],
  ];
  for (const [headers, said] of cases) assert.is(await seen(headers), said);
});

test('256 KiB pass, one byte more is a 413 that ends the connection, declared or streamed [requests-15]', async () => {
  const fitting = JSON.stringify('x'.repeat(256 * 1024 - 2));
  assert.is((await send(fitting)).status, 200);
  const larger = `${fitting} `;
  const pieces = Buffer.from(larger);
  for (const body of [larger, inPieces(pieces.subarray(0, 200_000), pieces.subarray(200_000))]) {
    const answer = await fixture.call('/anything', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal([answer.status, answer.headers.connection], [413, 'close']);
    assert.is(answer.body.code, 'content-too-large');
  }
});

test('a declared length beyond every integer is a 413 or a 400, and nothing is read', async () => {
  for (const length of ['4294967300', '99999999999999999999']) {
    const text = await fixture.raw(
      `POST /anything HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{}`,
    );
    assert.match(text, /^HTTP\/1\.1 4(13|00) /);
    assert.match(text, /application\/problem\+json/);
  }
});

test('a client that asks leave to send its body gets it only when the body is wanted', async () => {
  const head =
    'POST /anything HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Type:';
  const wanted = await fixture.raw(`${head} application/json\r\nContent-Length: 2\r\n\r\n`, '{}');
  assert.match(wanted, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  assert.match(await fixture.raw(`${head} text/plain\r\nContent-Length: 2\r\n\r\n`), /^HTTP\/1\.1 415 /);
  assert.match(await fixture.raw(`${head} application/json\r\n${LARGE}`), /^HTTP\/1\.1 413 /);
});

test.long('the answer to a large body that waits for leave awaits none of it', async () => {
  const head = 'POST /anything HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close';
  // A body that comes is awaited for half a second; a busy machine is slow only now and then.
  await eventually('an answer that awaits no body', async () => {
    const started = performance.now();
    await fixture.raw(`${head}\r\nContent-Type: application/json\r\n${LARGE}`);
    return performance.now() - started < 400;
  });
});

const LARGE = 'Content-Length: 999999\r\n\r\n';

const unsafe: readonly (readonly [string, string])[] = [
  ['{"a":1e999}', '/a'],
  ['{"a":-1e999}', '/a'],
  ['{"a":1e-999}', '/a'],
  ['{"a":0.1017425e-317}', '/a'],
  ['{"a":9007199254740993}', '/a'],
  ['{"a":0.1234567890123456789}', '/a'],
  ['{"a":-12345678901234.56789}', '/a'],
  [`{"a":0.${'1'.repeat(200)}}`, '/a'],
  ['{"a":[1,9007199254740992]}', '/a/1'],
  ['{"a":-9007199254740992}', '/a'],
  ['{"a\\u0000b":1}', '/a\u0000b'],
  ['{"__proto__":{"admin":true}}', '/__proto__'],
  ['{"a":{"\\u005f_proto__":1}}', '/a/__proto__'],
  ['{"a":1,"b":2,"a":3}', '/a'],
  ['{"a":{"b":1,"\\u0062":1}}', '/a/b'],
  ['{"a":"\\ud800"}', '/a'],
  ['{"a":["\\udc00x"]}', '/a/0'],
  ['{"a~/b":1e999}', '/a~0~1b'],
  [`${'['.repeat(34)}${']'.repeat(34)}`, '/0'.repeat(33)],
  [`${'['.repeat(120_000)}${']'.repeat(120_000)}`, '/0'.repeat(33)],
  [`{"a":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`, '/a'.repeat(33)],
];

for (const [text, pointer] of unsafe)
  test(`unsafe JSON is a 422 with its place: ${text.slice(0, 40)} [requests-17]`, async () => {
    const answer = await send(text);
    assert.is(answer.status, 422);
    assert.is(answer.body.errors[0].pointer, pointer);
  });

const harmless = [
  '{"a":9007199254740991,"b":-9007199254740991}',
  '{"a":0.30000000000000004,"b":-1.0000000000000001e-1,"c":2.2250738585072014e-308,"d":5e-324}',
  '{"a":0.1000000000000000055511151231257827,"b":80.90000000000000000000,"c":0.00000000000000000001}',
  '{"constructor":{"prototype":1},"hasOwnProperty":2}',
  '{"a":"\\ud83d\\ude00 \\u0000 \\\\\\" }{][,","b":{"a":1},"c":[{"a":1},{"a":1}]}',
  '{"a":"1e999 9007199254740993"}',
  '{"a":0e5,"b":0.0,"c":-0.5e-10}',
  `${'['.repeat(33)}${']'.repeat(33)}`,
];

for (const text of harmless)
  test(`what only resembles unsafe JSON passes: ${text.slice(0, 40)}`, async () => {
    const answer = await send(text);
    assert.equal([answer.status, JSON.stringify(answer.body.body)], [200, JSON.stringify(JSON.parse(text))]);
  });

test('a __proto__ key changes nothing in the process', async () => {
  await send('{"__proto__":{"polluted":true}}');
  assert.is(({} as Record<string, unknown>).polluted, undefined);
});

test('a body with a hundred thousand faults is refused with fifty of them', async () => {
  const answer = await send(`[${'1e999,'.repeat(40_000)}1]`);
  assert.equal([answer.status, answer.body.errors.length], [422, 50]);
});

test('unknown members, missing ones and wrong types are a 422 with pointers [problems-9, requests-10]', async () => {
  const change = (text: string) => fixture.call('/api/v1/things/thing-1/versions/1', json(text));
  const pointers = async (text: string) => {
    const { status, body } = await change(text);
    assert.is(status, 422);
    return body.errors.map(({ pointer }: { pointer: string }) => pointer);
  };
  assert.equal(await pointers('{"name":"x","else":1}'), ['/else']);
  assert.equal(await pointers('{}'), ['/name']);
  assert.equal(await pointers('{"name":1}'), ['/name']);
  assert.equal(await pointers('[]'), ['']);
  assert.equal(await pointers('{"name":"refused"}'), ['/name']);
  assert.is((await fixture.call('/api/v1/things/thing-1/versions/1', { method: 'POST' })).status, 422);
});

test('the detail of a 422 is its first fault, and how many more there are', async () => {
  const detail = async (text: string): Promise<string> =>
    (await fixture.call('/api/v1/things/thing-1/versions/1', json(text))).body.detail;
  assert.is(await detail('{"name":1}'), '/name must be a string.');
  assert.is(await detail('[]'), 'The body must be an object.');
  assert.is(
    await detail('{"name":"refused","else":1}'),
    '/else is not a known member. And 1 more: see `errors`.',
  );
  const long = JSON.stringify({ name: 'x', ['y'.repeat(1_000)]: 1 });
  assert.is(await detail(long), 'The request breaks its rules: see `errors`.');
});
