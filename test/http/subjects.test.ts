import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { sharedService } from '../support/service.ts';

const test = suite('submissions of a person');
let api: Client;
let other: Client;

test.before(async () => {
  const service = await sharedService();
  api = (await service.company()).api;
  other = (await service.company()).api;
});

const found = async (metadata: string, rest = '', by = api): Promise<readonly string[]> => {
  const { status, body } = await by.get(
    `/api/v1/submissions?metadata=${encodeURIComponent(metadata)}${rest}`,
  );
  assert.is(status, 200, metadata);
  return body.data.map(({ id }: { id: string }) => id);
};
const opened = async (metadata: object, more: object = {}): Promise<string> =>
  (await api.open([], { metadata, ...more })).submissionId;

test('they are found by a member of metadata, exactly, with the other filters [subjects-1]', async () => {
  const second = await opened({ customer: '4711', n: 12.5, isNew: true, 'a b': 'x=y', constructor: 'z' });
  const first = await opened({ customer: '4711' }, { clientSubmissionId: 'first' });
  await opened({ customer: '4712', deep: { customer: '4711' }, list: ['4711'], none: null });
  assert.equal(await found('customer=4711'), [first, second]);
  assert.equal(await found('customer=4711', '&clientSubmissionId=first'), [first]);
  assert.equal(await found('customer=4711', '&status=approved'), []);
  for (const member of ['n=12.5', 'isNew=true', 'a b=x=y', 'constructor=z'])
    assert.equal(await found(member), [second], member);
  for (const member of ['none=null', 'list=4711', 'toString=']) assert.equal(await found(member), [], member);
  assert.equal(await found('customer=4711', '', other), []);
  for (const malformed of ['customer', '=4711', '']) {
    const { status, body } = await api.get(`/api/v1/submissions?metadata=${malformed}`);
    assert.equal([status, body.errors[0].pointer], [400, '/query/metadata'], malformed);
  }
});

test('a part of a name or a value finds nothing, nor does a search [subjects-2]', async () => {
  await opened({ passport: 'C01X00T47' });
  for (const member of ['passport=C01X00T4', 'passport=c01x00t47', 'passpor=C01X00T47', 'passport='])
    assert.equal(await found(member), [], member);
  const { body } = await api.get('/api/v1/submissions?q=C01X00T47');
  assert.equal(body.data, []);
});

test('a redacted submission is not found by its metadata [subjects-3]', async () => {
  const id = await opened({ person: 'Zoë' });
  assert.equal(await found('person=Zoë'), [id]);
  const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
  assert.is((await api.post(`/api/v1/submissions/${id}/redact`, basis)).status, 202);
  await eventually('it is gone', async () => (await found('person=Zoë')).length === 0);
});

const basis = { reason: 'article 17', legalBasis: 'erasure_request', requestedBy: 'ticket 4711' };
const REDACTIONS = '/api/v1/redactions';
const jobAt = (id: string): string => `${REDACTIONS}/${id}`;
const done = (id: string, by = api) =>
  eventually('the redaction is done', async () => {
    const { body } = await by.get(jobAt(id));
    return body.status === 'done' && body;
  });
const redactionOf = async (id: string) => (await api.get(`/api/v1/submissions/${id}`)).body.redaction;

test('all submissions of a person are redacted, and none of others [subjects-6]', async () => {
  const ids = [];
  for (let n = 0; n < 6; n += 1)
    ids.push(await opened({ customer: '5001' }, { clientSubmissionId: `five-${n % 2}` }));
  const left = await opened({ customer: '50010' });
  const narrow = await api.post(REDACTIONS, {
    ...basis,
    metadata: 'customer=5001',
    clientSubmissionId: 'five-1',
  });
  assert.equal([narrow.status, narrow.body.total, narrow.body.status], [202, 3, 'running']);
  await done(narrow.body.redactionId);
  assert.equal(
    await Promise.all(ids.map(redactionOf)),
    ids.map((_, n) => (n % 2 === 1 ? 'done' : null)),
  );
  const { body } = await api.post(REDACTIONS, { ...basis, metadata: 'customer=5001' });
  assert.equal((await done(body.redactionId)).done, 3);
  assert.equal([await redactionOf(ids[0] ?? ''), await redactionOf(left)], ['done', null]);
  const none = await api.post(REDACTIONS, { ...basis, clientSubmissionId: 'nobody' });
  assert.equal([none.status, none.body.total, none.body.status], [202, 0, 'done']);
  const unnamed = await api.post(REDACTIONS, basis);
  assert.equal([unnamed.status, unnamed.body.errors[0].pointer], [422, '/metadata']);
  assert.is((await api.post(REDACTIONS, { metadata: 'customer=5001' })).status, 422);
});

test('it tells how far it is, and what a legal hold keeps [subjects-7]', async () => {
  const kept = await opened({ customer: '5002' });
  const gone = await opened({ customer: '5002' });
  await api.post(`/api/v1/submissions/${kept}/legal-hold`, { reason: 'proceedings' });
  const { body } = await api.post(REDACTIONS, { ...basis, metadata: 'customer=5002' });
  const { createdAt, endedAt, actor, redactionId, ...job } = await done(body.redactionId);
  assert.equal(job, {
    ...{ status: 'done', ...basis, total: 2, requested: 1, done: 1, held: [kept], failed: [] },
  });
  assert.ok(endedAt >= createdAt && actor.startsWith('key:'));
  assert.equal([await redactionOf(kept), await redactionOf(gone)], [null, 'done']);
  const { data } = (await api.get(`${REDACTIONS}?limit=1`)).body;
  assert.equal(data, [{ ...body, ...job, redactionId, endedAt }]);
  const { body: activity } = await api.get(`/api/v1/submissions/${gone}/events`);
  const requested = activity.data.find(
    ({ type }: { type: string }) => type === 'submission.redaction_requested',
  );
  assert.is(`${requested.actor.kind}:${requested.actor.id}`, actor);
});

test('the same request is the same redaction; its answer names nobody [subjects-8, subjects-9]', async () => {
  const id = await opened({ customer: 'Quillfeather' });
  const headers = { 'idempotency-key': 'subject-once' };
  const request = { ...basis, metadata: 'customer=Quillfeather' };
  const answers = [];
  for (let n = 0; n < 2; n += 1) answers.push(await api.post(REDACTIONS, request, { headers }));
  const [first, second] = answers;
  assert.equal(first?.body, second?.body);
  assert.is(second?.headers.get('idempotency-replayed'), 'true');
  assert.is((await done(first?.body.redactionId)).done, 1);
  assert.is(await redactionOf(id), 'done');
  assert.not.match(JSON.stringify(first?.body), 'Quillfeather');
});

test('those of the company and mode see it, whoever asked for it [subjects-10]', async () => {
  await opened({ customer: '5003' });
  const { body } = await api.post(REDACTIONS, { ...basis, metadata: 'customer=5003' });
  await done(body.redactionId);
  assert.is((await other.get(jobAt(body.redactionId))).status, 404);
  assert.equal((await other.get(REDACTIONS)).body.data, []);
});
