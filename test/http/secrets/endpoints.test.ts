import * as assert from 'uvu/assert';
import { eventually, suite } from '../../harness.ts';
import { receiptText } from '../../support/client.ts';
import { findings } from './forms.ts';
import { drawn, type Place, type Stage, setStage } from './stage.ts';

const test = suite('secrets of webhook endpoints [secrets-1]');
const PATH = '/api/v1/webhook-endpoints';
const METRICS_TOKEN = drawn();
/** Each secret as it was answered once. */
const secrets: Record<string, string> = {};
let stage: Stage;
let places: Readonly<Record<Place, Buffer>>;
let delivered = 0;
let key: string;

/** Asks with the company's key. Its answer is kept, unless it is the one that has the secret. */
const ask = async (method: string, path: string, body: object = {}, once?: string) => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(once === undefined ? {} : { 'idempotency-key': once }),
  };
  const init = {
    headers,
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
  };
  const { text } = await stage.ask(method, path, init);
  return text === '' ? null : JSON.parse(text);
};

/** Asks for a secret, and once more under the same Idempotency-Key, which is refused it. */
const given = async (name: string, path: string, body: object): Promise<string> => {
  const { id, secret } = await ask('POST', path, body, name);
  secrets[name] = secret;
  const again = await ask('POST', path, body, name);
  assert.is(again.code, 'secret-shown-once');
  return id;
};

test.before(async () => {
  stage = await setStage({ METRICS_TOKEN }, () => ({
    ...{ status: delivered++ % 2 === 0 ? 500 : 200, headers: {}, body: '' },
  }));
  const companyId = await stage.company();
  key = (await stage.command<{ key: string }>('key', 'create', '--company', companyId)).key;
  const id = await given('made', PATH, { url: `${stage.receiver.url}/hooks` });
  await given('rotated', `${PATH}/${id}/rotate-secret`, { overlapSeconds: 600 });
  const submissionId = await deliveredTo(id);
  await seenEverywhere(id, submissionId);
  await misused(id);
  places = await stage.end();
});
test.after(() => stage.remove());

/** A submission whose webhook fails first, and is delivered then. */
const deliveredTo = async (endpointId: string): Promise<string> => {
  const session = await ask('POST', '/api/v1/workflows/receipt/sessions');
  const { method, url, headers } = session.uploads[0];
  const { content, mimeType } = receiptText();
  await stage.ask(method, url, {
    headers: { 'content-type': mimeType, ...headers },
    body: String(content),
  });
  await ask('POST', `/api/v1/workflows/receipt/sessions/${session.sessionId}/submit`);
  await eventually(
    'it is delivered at the second attempt',
    async () => {
      const [delivery] = (await ask('GET', `/api/v1/webhook-deliveries?endpointId=${endpointId}`)).data;
      return delivery?.status === 'delivered';
    },
    20_000,
  );
  return session.submissionId;
};

/** Every place that tells of endpoints, deliveries, events and figures. */
const seenEverywhere = async (id: string, submissionId: string): Promise<void> => {
  await ask('POST', `${PATH}/${id}/test`);
  const [delivery] = (await ask('GET', `/api/v1/webhook-deliveries?endpointId=${id}`)).data;
  for (const path of [
    'webhook-endpoints',
    `webhook-endpoints/${id}`,
    'events',
    `webhook-deliveries/${delivery.id}`,
  ])
    await ask('GET', `/api/v1/${path}`);
  await ask('PUT', `${PATH}/${id}`, { url: `${stage.receiver.url}/moved` });
  await stage.ask('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  await stage.told('webhooks', 'list');
  await stage.told('audit', submissionId);
  await stage.exported(submissionId);
};

/** What is refused, and what ends an endpoint. */
const misused = async (id: string): Promise<void> => {
  await ask('POST', `${PATH}/${id}/rotate-secret`, { overlapSeconds: -1 });
  await ask('POST', PATH, { url: 'http://10.0.0.1/hooks' });
  for (const action of ['disable', 'test', 'enable']) await ask('POST', `${PATH}/${id}/${action}`);
  await ask('DELETE', `${PATH}/${id}`);
  await ask('POST', `${PATH}/${id}/rotate-secret`);
};

test('a secret is answered once and stands nowhere else, neither as it is shown nor as the key that it encodes [endpoints-4]', () => {
  assert.is(Object.keys(secrets).length, 2);
  const { answers, ...others } = places;
  const lines = answers.toString().split('\n');
  for (const [name, secret] of Object.entries(secrets)) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const withIt = lines.filter((line) => line.includes(secret));
    assert.is(withIt.length, 1, name);
    const rest = Buffer.from(answers.toString().replace(secret, ''));
    const bytes = Buffer.from(secret.slice(6), 'base64');
    // Its key in base64, in hex, and as it is.
    const forms = { shown: secret, base64: secret.slice(6, -1), hex: bytes.toString('hex') };
    assert.equal(findings(forms, { ...others, answers: rest }), [], name);
    for (const [place, content] of Object.entries({ ...others, answers: rest })) {
      assert.not.ok(content.includes(bytes), `${name} as bytes in ${place}`);
      const hex = bytes.toString('hex').toUpperCase();
      assert.not.ok(content.includes(hex), `${name} as HEX in ${place}`);
    }
  }
});

test('the places were filled: a log, metrics, evidence and stored events tell of the endpoint’s deliveries', () => {
  for (const place of [
    'log',
    'answers',
    'refusals',
    'commands',
    'evidence',
    'log.db',
    'tables.db',
    'models.db',
  ] as const)
    assert.ok(places[place].length > 0, place);
  assert.ok(places.answers.includes('intake_webhook_attempts_total'));
  assert.ok(places['log.db'].includes('WebhookEndpointSecretRotated'));
  assert.ok(places['tables.db'].includes('endpointSecrets'));
});
