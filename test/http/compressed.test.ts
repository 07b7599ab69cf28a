import { gunzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { takes } from '../../http/engine/request/encodings.ts';
import { route } from '../../http/engine/route.ts';
import { Type } from '../../kernel/schema.ts';
import { limit } from '../../schemas/parameters.ts';
import { suite } from '../harness.ts';
import { startFixture } from './engine/fixture.ts';

const test = suite('compressed answers');
type Fixture = Awaited<ReturnType<typeof startFixture>>;
let fixture: Fixture;
test.before(async () => {
  fixture = await startFixture({ publicUrl: 'https://intake.example.com', routes: routes() });
});
test.after(() => fixture.close());

const LONG = { rows: Array.from({ length: 200 }, (_, index) => ({ id: `sub_${index}` })) };

const routes = () => [
  route({
    name: 'getLong',
    summary: '',
    method: 'GET',
    path: '/api/v1/long',
    access: 'none',
    query: { limit },
    answers: { 200: Type.Unknown() },
    headers: ['ETag'],
  })({
    run: async ({ query }) => ({
      status: 200,
      body: query.limit === 1 ? {} : LONG,
      headers: { ETag: '"7"' },
    }),
  }),
  route({
    name: 'makeLong',
    summary: '',
    method: 'POST',
    path: '/api/v1/long',
    access: 'none',
    answers: { 201: Type.Unknown() },
  })({ run: async () => ({ status: 201, body: LONG }) }),
  route({
    name: 'getOwn',
    summary: '',
    method: 'GET',
    path: '/api/auth/long',
    access: 'none',
    answers: { 200: Type.Unknown() },
  })({ run: async () => ({ status: 200, body: LONG }) }),
];

const ask = async (method: 'GET' | 'HEAD' | 'POST', path: string, headers: Record<string, string>) => {
  const answer = await fixture.pool.request({ method, path, headers });
  return { ...answer, bytes: Buffer.from(await answer.body.arrayBuffer()) };
};
const GZIP = { 'accept-encoding': 'deflate, gzip;q=0.5' };

test('JSON of more than 2 kB is gzip for a client that takes it, with its entity tag as it is [reads-5]', async () => {
  const plain = await ask('GET', '/api/v1/long', {});
  const zipped = await ask('GET', '/api/v1/long', GZIP);
  assert.equal([plain.headers['content-encoding'], zipped.headers['content-encoding']], [undefined, 'gzip']);
  assert.equal([plain.headers.vary, zipped.headers.vary], ['Accept-Encoding', 'Accept-Encoding']);
  assert.equal([plain.headers.etag, zipped.headers.etag], ['"7"', '"7"']);
  assert.ok(zipped.bytes.length < plain.bytes.length / 2);
  assert.equal(gunzipSync(zipped.bytes), plain.bytes);
  assert.equal(JSON.parse(plain.bytes.toString()), LONG);
  const small = await ask('GET', '/api/v1/long?limit=1', GZIP);
  assert.equal([small.headers['content-encoding'], small.bytes.toString()], [undefined, '{}']);
  const refused = await ask('GET', '/api/v1/long', { 'accept-encoding': 'gzip;q=0' });
  assert.equal([refused.headers['content-encoding'], refused.bytes], [undefined, plain.bytes]);
});

test('HEAD has the headers of GET, and a 304 no body [reads-5]', async () => {
  const whole = await ask('GET', '/api/v1/long', GZIP);
  const head = await ask('HEAD', '/api/v1/long', GZIP);
  for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
    assert.is(head.headers[name], whole.headers[name], name);
  assert.is(head.bytes.length, 0);
  const known = await ask('GET', '/api/v1/long', { ...GZIP, 'if-none-match': '"7"' });
  assert.equal(
    [known.statusCode, known.headers.vary, known.headers['content-encoding'], known.bytes.length],
    [304, 'Accept-Encoding', undefined, 0],
  );
});

test('an answer that may show a secret is as it is: of a POST, and under /api/auth [reads-5]', async () => {
  for (const answer of [await ask('POST', '/api/v1/long', GZIP), await ask('GET', '/api/auth/long', GZIP)]) {
    assert.ok(answer.statusCode < 300, String(answer.statusCode));
    assert.is(answer.headers['content-encoding'], undefined);
    assert.equal(JSON.parse(answer.bytes.toString()), LONG);
  }
});

test('a coding is taken by its name or by *, with a weight above 0', () => {
  for (const [header, taken] of [
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP ; Q=1', true],
    ['deflate, br', false],
    ['br, gzip;q=0.001', true],
    ['gzip;q=0', false],
    ['gzip; q=0.000, *', false],
    ['*', true],
    ['*;q=0', false],
    ['gzip;q=x', false],
    ['x-gzip', false],
  ] as const)
    assert.is(takes(header, 'gzip'), taken, String(header));
});

test('every answer at an https address says so, for a year [requests-18]', async () => {
  const value = 'max-age=31536000';
  for (const path of ['/api/v1/long', '/nowhere'])
    assert.is((await ask('GET', path, {})).headers['strict-transport-security'], value, path);
  assert.match(await fixture.raw('GARBAGE\r\n\r\n'), /\r\nStrict-Transport-Security: max-age=31536000\r\n/);
  const plain = await startFixture({ publicUrl: 'http://intake.example.com' });
  const { headers } = await plain.call('/api/v1/open');
  await plain.close();
  assert.is(headers['strict-transport-security'], undefined);
});
