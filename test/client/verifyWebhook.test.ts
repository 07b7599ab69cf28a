import * as assert from 'uvu/assert';
import { IntakeError, verifyWebhook, type WebhookHeaders } from '../../client/index.ts';
import { deliveryHeaders, standardWebhooksSecret } from '../../outbound/sign.ts';
import { suite } from '../harness.ts';

const test = suite('client: verifyWebhook');

const hex = 'ab'.repeat(32);
const whsec = standardWebhooksSecret(hex);
const body = JSON.stringify({ eventId: 'evt-1', eventType: 'session.completed', sessionId: 'ses_1' });
const signed = (at = new Date(), of = body) =>
  deliveryHeaders({ eventId: 'evt-1', eventType: 'session.completed', body: of, at }, [hex]);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const lower = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Signed when a test asks for it: on a busy machine the file may have been loaded long before. */
type Sign = () => WebhookHeaders;
const shapes: Readonly<Record<string, Sign>> = {
  'a plain object': () => signed(),
  'headers of Node.js': () => ({ ...lower(signed()), 'set-cookie': ['a=1'] }),
  'headers of the web': () => new Headers(signed()),
};
for (const [shape, sign] of Object.entries(shapes))
  for (const [name, secret] of Object.entries({ webhookSecret: hex, standardWebhooksSecret: whsec }))
    test(`${shape} and the ${name} give the event`, async () => {
      const headers = sign();
      const event = await verifyWebhook(Buffer.from(body), headers, secret);
      assert.is(event.eventType, 'session.completed');
      assert.is((await verifyWebhook(body, headers, secret)).eventId, 'evt-1');
    });

const refusals: readonly Readonly<{
  what: string;
  body?: string;
  sign?: Sign;
  secret: string;
  why: RegExp;
}>[] = [
  { what: 'another body', body: `${body} `, secret: hex, why: /none of its signatures/ },
  {
    what: 'another body under a standard secret',
    body: `${body} `,
    secret: whsec,
    why: /none of its signatures/,
  },
  { what: 'another secret', secret: 'cd'.repeat(32), why: /none of its signatures/ },
  {
    what: 'another standard secret',
    secret: standardWebhooksSecret('cd'.repeat(32)),
    why: /none of its signatures/,
  },
  { what: 'any body without a secret', secret: '', why: /without a secret/ },
  { what: 'any body under an empty standard secret', secret: 'whsec_', why: /without a secret/ },
  { what: 'a secret that is no base64', secret: 'whsec_???', why: /no base64/ },
  { what: 'no signature', sign: () => ({}), secret: hex, why: /no header x-webhook-signature/ },
  { what: 'no standard signature', sign: () => ({}), secret: whsec, why: /no header webhook-id/ },
  {
    what: 'a signature of another form',
    sign: () => ({ 'x-webhook-signature': 'sha256=xyz' }),
    secret: hex,
    why: /none of/,
  },
  {
    what: 'a recording of six minutes ago',
    sign: () => signed(minutesAgo(6)),
    secret: whsec,
    why: /five minutes/,
  },
  {
    what: 'a time six minutes ahead',
    sign: () => signed(minutesAgo(-6)),
    secret: whsec,
    why: /five minutes/,
  },
  {
    what: 'a time that is not valid',
    sign: () => ({ ...signed(), 'webhook-timestamp': 'now' }),
    secret: whsec,
    why: /five minutes/,
  },
  {
    what: 'another identifier',
    sign: () => ({ ...signed(), 'webhook-id': 'evt-2' }),
    secret: whsec,
    why: /none of its signatures/,
  },
];
for (const { what, body: sent = body, sign = signed, secret, why } of refusals)
  test(`${what} is refused [client-4]`, async () => {
    const error = await verifyWebhook(sent, sign(), secret).catch((thrown: unknown) => thrown);
    assert.instance(error, IntakeError);
    assert.is((error as IntakeError).code, 'signature-invalid');
    assert.match((error as IntakeError).message, why);
  });

test('one of several signatures suffices, and versions that are not known are passed over [client-4]', async () => {
  const headers = signed();
  const other = deliveryHeaders({ eventId: 'evt-1', eventType: 'x', body, at: new Date() }, [
    'cd'.repeat(32),
  ]);
  const both = `v1a,AAAA v1,??? ${other['webhook-signature']} ${headers['webhook-signature']}`;
  const event = await verifyWebhook(body, { ...headers, 'webhook-signature': both }, whsec);
  assert.is(event.eventId, 'evt-1');
});

test('the type of the event narrows its members', async () => {
  const event = await verifyWebhook(body, signed(), whsec);
  if (event.eventType === 'batch.completed') {
    const status: 'open' | 'completed' = event.result.status;
    assert.unreachable(status);
  }
});
