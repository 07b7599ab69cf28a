import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { failureOf, json, scripted } from './fakes.ts';

const test = suite('client: wrong addresses, keys and answers');

const rejects = async (task: () => Promise<unknown>, what: RegExp): Promise<void> => {
  assert.match(String(await task().catch((thrown: unknown) => thrown)), what);
};

test('what is no JSON is no answer of the service, whatever its headers say, and is not asked for again [client-2]', async () => {
  const said = { 'content-type': 'application/json' };
  for (const [status, text] of [
    [400, '{oops'],
    [403, 'null'],
    [200, 'oops'],
  ] as const) {
    const { intake, sent } = scripted([new Response(text, { status, headers: said })]);
    const failure = await failureOf(intake.get('/api/v1/companies'));
    assert.equal([failure.code, failure.status, failure.retryable], ['unexpected-answer', status, false]);
    assert.is(sent.length, 1);
  }
});

test('an answer that breaks off is as none, and is asked for again [client-2]', async () => {
  const headers = { 'content-type': 'application/json' };
  const { intake, sent } = scripted([new Response('{"data": [', { headers }), json(200, { data: [] })]);
  assert.equal((await intake.get('/api/v1/companies')).data, []);
  assert.is(sent.length, 2);
  const always = scripted([new Response('{', { headers })], { maxRetries: 0 });
  const { code, retryable } = await failureOf(always.intake.get('/api/v1/companies'));
  assert.equal([code, retryable], ['unreachable', true]);
});

test('a redirect is not followed: a POST would become a GET, and headers would go elsewhere', async () => {
  const moved = new Response(null, { status: 302, headers: { location: 'https://other.example/' } });
  const { intake, sent } = scripted([moved]);
  const { code, status, message } = await failureOf(
    intake.post('/api/v1/companies', { body: { name: 'ACME' } }),
  );
  assert.equal([code, status, sent[0]?.redirect], ['unexpected-answer', 302, 'manual']);
  assert.match(message, 'https://other.example/');
});

test('an address or a key of which no request can be made is refused at once, and not repeated', async () => {
  for (const url of ['127.0.0.1:3000', 'localhost:3000', 'ftp://a.example', 'https://u:secret@a.example'])
    await rejects(async () => scripted([], { url }), /^TypeError: the url must be an http or https address/);
  for (const key of ['aok_\u2026', 'aok_secret\naok_secret'])
    await rejects(
      async () => scripted([], { key }),
      /^TypeError: the key has characters that are in no key$/,
    );
  const { intake, sent } = scripted([json(200, {})], { key: 'aok_1\n' });
  await intake.get('/api/v1/companies');
  assert.is(sent[0]?.headers.get('authorization'), 'Bearer aok_1');
});

test('a time-out that is longer than any timer is none', async () => {
  const { intake } = scripted(
    [() => new Promise<Response>((resolve) => setTimeout(() => resolve(json(200, {})), 20))],
    { timeoutMs: Number.POSITIVE_INFINITY, maxRetries: 0 },
  );
  assert.equal(await intake.get('/api/v1/companies'), {});
});

test('a fault that is the whole detail is said once', async () => {
  const errors = [{ pointer: '/files/0/fileSize', detail: 'must be at least 1' }];
  const detail = '/files/0/fileSize must be at least 1.';
  const { intake } = scripted([json(422, { code: 'validation-failed', detail, errors })]);
  assert.is((await failureOf(intake.get('/api/v1/companies'))).message, detail);
});
