import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, client, receiptText } from '../support/client.ts';
import { ownEngines } from '../support/ownEngines.ts';
import { sharedService, startService, type TestService, testSettings } from '../support/service.ts';
import { createTenant } from '../support/tenant.ts';

const test = suite('redaction over HTTP');
let service: TestService;
let api: Client;

test.before(async () => {
  service = await sharedService();
  api = (await service.company()).api;
});

const NAME = 'Marta-Quillfeather';
const basis = { reason: 'article 17', legalBasis: 'erasure_request', requestedBy: 'ticket 4711' };

/** A submission in review that has a name in each text that a client can give. */
const named = async (): Promise<string> => {
  const input = { clientSubmissionId: NAME, metadata: { customer: NAME }, batchRef: `trip-${NAME}` };
  const job = await api.process([receiptText({ company: NAME, date: undefined })], input);
  assert.is(job.submissionStatus, 'review', JSON.stringify(job));
  return job.submissionId;
};
const at = (id: string, rest = '') => `/api/v1/submissions/${id}${rest}`;
const redact = (id: string) => api.post(at(id, '/redact'), basis);

test('nothing private is shown from the answer on, and the work is at its end [redaction-1, redaction-3, redaction-5]', async () => {
  const id = await named();
  assert.match((await api.get(at(id))).text, NAME);
  const { status, body } = await redact(id);
  assert.is(status, 202);
  assert.equal([body.submissionId, body.submissionStatus, body.redaction], [id, 'cancelled', 'requested']);
  const paths = [
    ...['', '/events', '/result', '/fraud-matches', '?at=2'].map((rest) => at(id, rest)),
    ...['/api/v1/submissions', '/api/v1/events?limit=100', `/api/v1/jobs/ses_${id.slice(4)}`],
  ];
  for (const path of paths) {
    const answer = await api.get(path);
    assert.is(answer.status, 200, `${path}: ${answer.text}`);
    assert.not.match(answer.text, NAME, path);
  }
  const { redaction, events } = (await api.get(at(id))).body;
  assert.ok(['requested', 'done'].includes(redaction));
  assert.equal(
    events.find(({ type }: { type: string }) => type === 'submission.redaction_requested').details,
    basis,
  );
});

const done = (id: string) =>
  eventually(
    `the redaction of ${id}`,
    async () => {
      const { body } = await api.get(at(id));
      return body.redaction === 'done' && body;
    },
    60_000,
  );

test('it ends done: objects, addresses and bytes of webhooks are gone, and one webhook tells of it [redaction-6, redaction-7, webhooks-36]', async () => {
  const webhookUrl = `${service.receiver.url}/${NAME}`;
  const job = await api.process([receiptText({ company: NAME, date: undefined })], {
    webhookUrl,
    metadata: { NAME },
  });
  const id = job.submissionId;
  const { downloadUrl } = (await api.get(at(id))).body.files[0];
  assert.is((await fetch(downloadUrl)).status, 200);
  const told = () => service.receiver.requests.filter(({ body }) => body.includes(id));
  await eventually('its first webhook', () => told().length === 1);
  assert.is((await redact(id)).status, 202);
  const { events } = await done(id);
  const { details } = events.at(-1);
  assert.equal(details, { objects: 1, deliveries: 1 });
  assert.is((await fetch(downloadUrl)).status, 404);
  await eventually('its last webhook', () => told().length === 2);
  const {
    sessionId: _s,
    eventId: _e,
    occurredAt: _o,
    workflow: _w,
    ...envelope
  } = JSON.parse(`${told()[1]?.body}`);
  assert.equal(envelope, {
    ...{
      eventType: 'submission.redacted',
      submissionId: id,
      state: 'completed',
      submissionStatus: 'cancelled',
    },
    ...{ result: null, clientSubmissionId: null, metadata: null, batchRef: null },
  });
  const deliveries = (await api.get(`/api/v1/webhook-deliveries?sessionId=ses_${id.slice(4)}`)).body.data;
  const first = deliveries.find(
    ({ eventType }: { eventType: string }) => eventType !== 'submission.redacted',
  );
  const shown = (await api.get(`/api/v1/webhook-deliveries/${first.id}`)).body;
  assert.equal([shown.receiver, shown.body, shown.attempts[0].receiver], [null, null, null]);
  const again = await api.post(`/api/v1/webhook-deliveries/${first.id}/redeliver`);
  assert.equal([deliveries.length, again.body.code], [2, 'delivery-gone']);
  assert.is((await api.job({ sessionId: `ses_${id.slice(4)}` })).body.webhookDeliveryStatus, 'delivered');
});

test('until its webhooks are removed none is sent again, by whatever call [redaction-11]', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-redelivery-'));
  const engines = await ownEngines();
  const settings = { DATA_DIR: dataDir, ...engines.settings };
  const { key } = await createTenant(testSettings(dataDir, engines.settings));
  const whole = await startService(settings);
  const webhookUrl = `${whole.receiver.url}/again`;
  const own = client(whole.url, key);
  const { submissionId: id } = await own.process([receiptText()], { webhookUrl });
  const list = `/api/v1/webhook-deliveries?sessionId=ses_${id.slice(4)}`;
  const delivered = await eventually('its webhook', async () => {
    const [one] = (await own.get(list)).body.data;
    return one?.status === 'delivered' && one;
  });
  await whole.close();
  // Nobody removes anything: the role that does is not played.
  const waiting = await startService(settings, {}, ['api', 'projections', 'reactors']);
  try {
    const api = client(waiting.url, key);
    assert.is((await api.post(at(id, '/redact'), basis)).status, 202);
    const again = await api.post(`/api/v1/webhook-deliveries/${delivered.id}/redeliver`);
    assert.equal([again.status, again.body.code], [410, 'delivery-gone']);
    const from = new Date(Date.parse(delivered.createdAt) - 60_000).toISOString();
    const range = { from, to: new Date(Date.now() + 60_000).toISOString(), eventType: delivered.eventType };
    const many = await api.post('/api/v1/webhook-deliveries/redeliver', range);
    assert.equal([many.status, many.body.count], [202, 0], many.text);
    assert.is((await api.get(at(id))).body.redaction, 'requested');
  } finally {
    await waiting.close();
    await engines.close();
    rmSync(dataDir, { recursive: true });
  }
});

test('a second request has the same answer and changes nothing [redaction-2]', async () => {
  const id = await named();
  const first = await redact(id);
  const before = (await done(id)).events.length;
  const second = await redact(id);
  assert.equal([second.status, second.body], [first.status, { ...first.body, redaction: 'done' }]);
  assert.is((await api.get(at(id))).body.events.length, before);
});

test('whoever wants to do more with it is refused [redaction-4]', async () => {
  const id = await named();
  await redact(id);
  for (const [rest, body] of [
    ['/approve', {}],
    ['/reject', {}],
    ['/cancel', {}],
    ['/legal-hold', { reason: 'tax' }],
  ] as const) {
    const answer = await api.post(at(id, rest), body);
    assert.equal([answer.status, answer.body.code], [409, 'submission-redacted'], rest);
  }
});

test('a legal hold refuses it until it is lifted, and is shown [hold-1, hold-2, hold-3]', async () => {
  const id = await named();
  const placed = await api.post(at(id, '/legal-hold'), { reason: 'tax' });
  assert.is(placed.status, 200);
  const { since, actor } = placed.body.legalHold;
  assert.match(actor, /^key:key_/);
  assert.equal((await api.get(at(id))).body.legalHold, { since, actor });
  assert.equal((await api.post(at(id, '/legal-hold'), { reason: 'another' })).body, placed.body);
  const refused = await redact(id);
  assert.equal([refused.status, refused.body.code], [409, 'legal-hold']);
  assert.match(refused.body.detail, since);
  assert.match(refused.body.detail, actor);
  const lifted = await api.call('DELETE', at(id, '/legal-hold'));
  assert.equal([lifted.status, lifted.body], [200, { submissionId: id, legalHold: null }]);
  assert.is((await redact(id)).status, 202);
});

test('a request says why, and on which basis [redaction-1]', async () => {
  const id = await named();
  for (const [body, pointer] of [
    [{ legalBasis: 'other' }, '/reason'],
    [{ reason: 'x' }, '/legalBasis'],
    [{ reason: 'x', legalBasis: 'whim' }, '/legalBasis'],
    [{ reason: 'x'.repeat(1001), legalBasis: 'other' }, '/reason'],
  ] as const) {
    const answer = await api.post(at(id, '/redact'), body);
    assert.equal([answer.status, answer.body.errors?.[0]?.pointer], [422, pointer], answer.text);
  }
});
