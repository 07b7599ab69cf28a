import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { deliveryHeaders, endpointHeaders, standardWebhooksSecret } from '../../outbound/sign.ts';
import { hashKey } from '../../stores/credentials.ts';
import { suite } from '../harness.ts';

const test = suite('webhook signatures');
const apiKey = 'key_live_4cQm-Zürich';
const secret = hashKey(apiKey);
const eventId = '0199e3a4-7f1b-7c3d-9a51-2f6f0e1d4b77';
const bodies = ['{}', '{"name":"Zürich ☃ \u{1f600}","n":1.50}', ' {"a" : 1}\n', ''];

const headersOf = (body: string | Uint8Array, at = new Date()) =>
  deliveryHeaders({ eventId, eventType: 'session.completed', body, at }, [secret]);

/** A receiver's check, written from the contract's five lines alone. */
const verifies = (key: string, rawBody: Buffer, header: string): boolean => {
  const keyAsText = createHash('sha256')
    .update(Buffer.from(key, 'utf8'))
    .digest()
    .toString('hex')
    .toLowerCase();
  const digest = createHmac('sha256', Buffer.from(keyAsText, 'utf8')).update(rawBody).digest();
  const expected = Buffer.from(`sha256=${digest.toString('hex').toLowerCase()}`);
  const given = Buffer.from(header);
  return expected.length === given.length && timingSafeEqual(expected, given);
};

for (const body of bodies)
  test(`a receiver written from the contract accepts ${JSON.stringify(body)}, and nothing else [webhooks-4]`, () => {
    const header = headersOf(body)['X-Webhook-Signature'] ?? '';
    assert.match(header, /^sha256=[0-9a-f]{64}$/);
    assert.ok(verifies(apiKey, Buffer.from(body), header));
    assert.not(verifies(apiKey, Buffer.from(`${body} `), header));
    assert.not(verifies(`${apiKey}x`, Buffer.from(body), header));
  });

for (const body of bodies.filter((text) => text.startsWith('{')))
  test(`the Standard Webhooks library accepts ${JSON.stringify(body)}, and nothing else [webhooks-3]`, () => {
    const judge = new Webhook(standardWebhooksSecret(secret));
    const headers = headersOf(body);
    assert.equal(judge.verify(body, headers), JSON.parse(body));
    assert.throws(() => judge.verify(`${body} `, headers), /No matching signature/);
    assert.throws(() => judge.verify(body, { ...headers, 'webhook-id': 'other' }), /No matching signature/);
    const later = String(Number(headers['webhook-timestamp']) + 1);
    assert.throws(
      () => judge.verify(body, { ...headers, 'webhook-timestamp': later }),
      /No matching signature/,
    );
    assert.throws(() => judge.verify(body, headersOf(body, new Date(Date.now() - 3_600_000))), /too old/);
    const other = new Webhook(standardWebhooksSecret(hashKey('another key')));
    assert.throws(() => other.verify(body, headers), /No matching signature/);
  });

test('a delivery has these headers, its time in seconds [webhooks-1]', () => {
  const at = new Date('2026-11-21T11:02:31.990Z');
  const { 'X-Webhook-Signature': own, 'webhook-signature': standard, ...rest } = headersOf('{}', at);
  assert.match(own ?? '', /^sha256=[0-9a-f]{64}$/);
  assert.match(standard ?? '', /^v1,[0-9A-Za-z+/]{43}=$/);
  const seconds = String(Date.parse('2026-11-21T11:02:31Z') / 1000);
  assert.equal(rest, {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1.0',
    'X-Webhook-Event': 'session.completed',
    'X-Webhook-Id': eventId,
    'X-Webhook-Timestamp': seconds,
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
  });
});

test('a request to an endpoint of a version carries the submission as its idempotency key [extractors-4]', () => {
  const request = { agent: 'intake', submissionId: 'sub_1', id: 'sub_1.2', body: '{}', at: new Date() };
  const headers = endpointHeaders(request, secret);
  assert.equal([headers['Idempotency-Key'], headers['webhook-id']], ['sub_1', 'sub_1.2']);
  assert.is(headers['X-Webhook-Signature'], headersOf('{}')['X-Webhook-Signature']);
});

test('matches a signature made by other means [webhooks-2]', () => {
  // printf '{"a":1}' | openssl dgst -sha256 -hmac "$(printf 'secret-key' | sha256sum | cut -d' ' -f1)"
  const known = deliveryHeaders(
    { eventId, eventType: 'batch.completed', body: '{"a":1}', at: new Date(1_700_000_000_999) },
    [hashKey('secret-key')],
  );
  assert.equal(known, {
    'Content-Type': 'application/json',
    'User-Agent': 'service-webhook/1.0',
    'X-Webhook-Signature': 'sha256=47a76beb3e0d73ab07a577117e599e3a86ca473f478866ace976b4550cbfc904',
    'X-Webhook-Event': 'batch.completed',
    'X-Webhook-Id': eventId,
    'X-Webhook-Timestamp': '1700000000',
    'webhook-id': eventId,
    'webhook-timestamp': '1700000000',
    'webhook-signature': 'v1,w/EEbfXaPclKLPBjhbTQX5N7FVw/WF9bgmHwxXIYssM=',
  });
});

test('of several secrets each signs, and the newest for those who look for one signature [endpoints-10]', () => {
  const secrets = ['new', 'former'].map((text) => `whsec_${Buffer.from(text.repeat(8)).toString('base64')}`);
  const [newest = '', former = ''] = secrets;
  const signable = { eventId, eventType: 'session.completed', body: '{}', at: new Date() };
  const headers = deliveryHeaders(signable, [newest, former]) as Record<string, string>;
  for (const one of secrets) new Webhook(one).verify('{}', headers);
  const alone = deliveryHeaders(signable, [newest]);
  assert.is(headers['X-Webhook-Signature'], alone['X-Webhook-Signature']);
  assert.ok(headers['webhook-signature']?.startsWith(`${alone['webhook-signature']} v1,`));
});

test('signs bytes and text alike', () => {
  const at = new Date();
  for (const body of bodies) assert.equal(headersOf(Buffer.from(body), at), headersOf(body, at));
});

test('the secret is the 64 hexadecimal digits, as text', () => {
  assert.match(secret, /^[0-9a-f]{64}$/);
  const encoded = standardWebhooksSecret(secret);
  assert.ok(encoded.startsWith('whsec_'));
  assert.is(Buffer.from(encoded.slice('whsec_'.length), 'base64').toString('ascii'), secret);
});
