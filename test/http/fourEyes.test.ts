import * as assert from 'uvu/assert';
import { rounds, suite } from '../harness.ts';
import { type Client, client, type Reply, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('four eyes over HTTP');
type User = Awaited<ReturnType<Awaited<ReturnType<typeof peopleOf>>['user']>>;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
let ann: User;
let bob: User;
let eve: User;

const definition = (slug: string, ...fourEyes: readonly ('approved' | 'rejected')[]) => ({
  ...receiptDefinition,
  slug,
  processing: { review: 'always', fourEyes },
});

test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  company = await service.company(definition('both', 'approved', 'rejected'));
  await service.publish(definition('approvals', 'approved'));
  await service.intake('workflow', 'assign', 'approvals', '--company', company.id);
  const reviewer = () => people.user(company.id, 'reviewer');
  [ann, bob, eve] = await Promise.all([reviewer(), reviewer(), reviewer()]);
});
test.after(async () => {
  await people.close();
  await service.close();
});

const inReview = async (slug = 'both', input: object = {}): Promise<string> => {
  const { submissionId, submissionStatus } = await company.api.process([receiptText()], input, slug);
  assert.is(submissionStatus, 'review');
  return submissionId;
};
const decide = (api: Client, id: string, what: string, body?: object, headers = {}): Promise<Reply> =>
  api.post(`/api/v1/submissions/${id}/${what}`, body, { headers });
const detail = async (id: string) => (await company.api.get(`/api/v1/submissions/${id}`)).body;
const typesOf = async (id: string): Promise<readonly string[]> =>
  (await detail(id)).events.map(({ type }: { type: string }) => type);

test('the first approval leaves it in review, the second by somebody else completes it [review-11, review-12]', async () => {
  const version = async (slug: string) => (await ann.api.get(`/api/v1/workflows/${slug}/versions/1`)).body;
  assert.equal((await version('both')).fourEyes, ['approved', 'rejected'], 'which can be known before');
  assert.equal((await version('approvals')).fourEyes, ['approved']);
  const id = await inReview();
  assert.is((await detail(id)).firstDecision, null);
  const first = await decide(ann.api, id, 'approve', { comment: 'fine', corrections: { total: 81 } });
  assert.equal([first.status, first.body.submissionStatus], [200, 'review']);
  const { firstDecision, submissionStatus, extractedData, corrections } = await detail(id);
  assert.equal(
    { ...firstDecision, at: null },
    {
      ...{
        outcome: 'approved',
        by: `user:${ann.userId}`,
        at: null,
        actor: null,
        comment: 'fine',
        reason: null,
      },
      corrections: [{ field: 'total', machineValue: 80.9, humanValue: 81, place: null }],
    },
  );
  assert.ok(Date.parse(firstDecision.at) > 0);
  assert.equal([submissionStatus, extractedData.total, corrections], ['review', 80.9, []]);
  const second = await decide(bob.api, id, 'approve');
  assert.equal([second.status, second.body.submissionStatus], [200, 'approved']);
  const after = await detail(id);
  assert.equal([after.extractedData.total, after.firstDecision], [81, firstDecision]);
  assert.equal((await typesOf(id)).slice(-2), ['submission.first_decision_made', 'submission.approved']);
});

test('the first rejection likewise [review-11]', async () => {
  const id = await inReview();
  assert.is((await decide(ann.api, id, 'reject', { reason: 'blurred' })).body.submissionStatus, 'review');
  const { firstDecision, rejectReason } = await detail(id);
  assert.equal([firstDecision.outcome, firstDecision.reason, rejectReason], ['rejected', 'blurred', null]);
  assert.is(
    (await decide(bob.api, id, 'reject', { reason: 'unreadable' })).body.submissionStatus,
    'rejected',
  );
  assert.is((await detail(id)).rejectReason, 'unreadable');
});

test('each correction is told with who gave it, and the second wins [review-13]', async () => {
  const id = await inReview();
  await decide(ann.api, id, 'approve', { corrections: { total: 81, company: 'ACME' } });
  await decide(bob.api, id, 'approve', { corrections: { total: 82 } });
  const { extractedData, corrections, firstDecision } = await detail(id);
  assert.equal([extractedData.total, extractedData.company], [82, 'ACME']);
  const told = corrections.map((one: Record<string, unknown>) => [one.field, one.humanValue, one.actor]);
  assert.equal(told, [
    ['company', 'ACME', `user:${ann.userId}`],
    ['total', 82, `user:${bob.userId}`],
  ]);
  assert.is(corrections[0].at, firstDecision.at);
  assert.equal(
    firstDecision.corrections.map((one: Record<string, unknown>) => [one.field, one.humanValue]),
    [
      ['total', 81],
      ['company', 'ACME'],
    ],
  );
});

test('nobody makes both decisions, and neither does a key, whomever it names [review-14]', async () => {
  const ofPerson = await inReview();
  const ofKey = await inReview();
  const otherKey = (await service.key(company.id)).api;
  const session = await ann.session();
  await decide(ann.api, ofPerson, 'approve');
  await decide(company.api, ofKey, 'approve', { actor: 'ann' });
  for (const [api, id] of [
    [ann.api, ofPerson],
    [session, ofPerson],
    [company.api, ofKey],
  ] as const) {
    const { status, body } = await decide(api, id, 'approve', api === company.api ? { actor: 'bob' } : {});
    assert.equal([status, body.code, body.currentStatus], [409, 'second-person-required', 'review']);
  }
  assert.is((await decide(otherKey, ofKey, 'approve', { actor: 'ann' })).body.submissionStatus, 'approved');
  const { firstDecision, corrections } = await detail(ofKey);
  assert.equal([firstDecision.by, firstDecision.actor, corrections], [`key:${company.keyId}`, 'ann', []]);
  assert.is((await decide(company.api, ofPerson, 'approve')).body.submissionStatus, 'approved');
});

test('nobody makes both decisions with a key of their own, or with two [review-14, review-11]', async () => {
  const [chief, other] = [await people.user(company.id), await people.user(company.id)];
  const keyOf = async ({ api }: User): Promise<Client> => {
    const made = await api.post('/api/v1/keys', { companyId: company.id });
    assert.is(made.status, 201, made.text);
    return client(service.url, made.body.key);
  };
  const [own, second, foreign] = [await keyOf(chief), await keyOf(chief), await keyOf(other)];
  const rotated = (await chief.api.get('/api/v1/keys')).body.data.find(
    (row: Reply['body']) => row.createdBy === chief.userId,
  );
  const renewed = await chief.api.post(`/api/v1/keys/${rotated.id}/rotate`, {});
  const successor = client(service.url, renewed.body.key);
  for (const [first, again] of [
    [chief.api, own],
    [own, chief.api],
    [own, second],
    [second, successor],
  ] as const)
    for (const what of ['approve', 'reject']) {
      const id = await inReview();
      assert.is((await decide(first, id, what)).body.submissionStatus, 'review');
      const { status, body } = await decide(again, id, what);
      assert.equal([status, body.code, body.currentStatus], [409, 'second-person-required', 'review']);
      assert.match(body.detail, /by whom a key was created/);
      const done = await decide(foreign, id, what);
      assert.is(done.body.submissionStatus, what === 'approve' ? 'approved' : 'rejected');
    }
});

test('a key that somebody else has rotated still counts as its maker, also for the operator [review-20, keys-15]', async () => {
  const [maker, rotator] = [await people.user(company.id), await people.user(company.id)];
  const made = (await maker.api.post('/api/v1/keys', { companyId: company.id })).body;
  const renewed = (await rotator.api.post(`/api/v1/keys/${made.id}/rotate`, {})).body;
  const last = await service.intake<{ key: string }>('key', 'rotate', renewed.id);
  for (const { key } of [renewed, last])
    for (const person of [maker, rotator]) {
      const id = await inReview();
      await decide(client(service.url, key), id, 'approve');
      const { status, body } = await decide(person.api, id, 'approve');
      assert.equal([status, body.code], [409, 'second-person-required']);
      assert.is((await decide(ann.api, id, 'approve')).body.submissionStatus, 'approved');
    }
});

test('the history marks a second person whom the first one invited or reset [review-21]', async () => {
  const chief = await people.user(company.id);
  const email = people.newEmail();
  const invited = await chief.api.post('/api/v1/invitations', { email, role: 'reviewer' });
  const { userId } = (await people.complete(invited.body.token)).body;
  const sessionOf = async (): Promise<Client> => client(service.url, (await people.logIn(email)).body.token);
  const markOf = async (first: Client, second: Client, what = 'approve') => {
    const id = await inReview();
    assert.is((await decide(first, id, what)).body.submissionStatus, 'review');
    assert.is((await decide(second, id, what)).status, 200);
    return (await detail(id)).events.at(-1).details?.secondEye ?? null;
  };
  const second = await sessionOf();
  assert.is(await markOf(chief.api, second), 'invited');
  assert.is(await markOf(chief.api, second, 'reject'), 'invited');
  assert.is(await markOf(ann.api, second), null);
  assert.is(await markOf(second, chief.api), null, 'the first depends on nobody');
  const key = (await chief.api.post('/api/v1/keys', { companyId: company.id })).body.key;
  assert.is(await markOf(client(service.url, key), second), 'invited', 'by a key of the chief');
  const reset = async (by: User): Promise<Client> => {
    const { token } = (await by.api.post(`/api/v1/people/${userId}/reset`, {})).body;
    await people.complete(token);
    return sessionOf();
  };
  assert.is(await markOf(chief.api, await reset(chief)), 'reset');
  const other = await people.user(company.id);
  const later = await reset(other);
  assert.equal([await markOf(other.api, later), await markOf(chief.api, later)], ['reset', 'invited']);
});

test('another decision withdraws the first, also the own one [review-15]', async () => {
  const id = await inReview();
  await decide(ann.api, id, 'approve');
  assert.is((await decide(ann.api, id, 'reject')).body.submissionStatus, 'review');
  assert.is((await detail(id)).firstDecision.outcome, 'rejected');
  assert.is((await decide(bob.api, id, 'approve')).body.submissionStatus, 'review');
  const { firstDecision, events } = await detail(id);
  assert.equal([firstDecision.outcome, firstDecision.by], ['approved', `user:${bob.userId}`]);
  assert.equal(
    events
      .slice(-3)
      .map(({ details }: { details: Record<string, unknown> }) => [details.outcome, details.withdraws]),
    [
      ['approved', null],
      ['rejected', 'approved'],
      ['approved', 'rejected'],
    ],
  );
  assert.is((await decide(ann.api, id, 'approve')).body.submissionStatus, 'approved');
});

test('a decision of one person is final, and withdraws the first of two [review-15]', async () => {
  const [rejected, cancelled] = [await inReview('approvals'), await inReview('approvals')];
  for (const id of [rejected, cancelled]) await decide(ann.api, id, 'approve');
  assert.is((await decide(ann.api, rejected, 'reject')).body.submissionStatus, 'rejected');
  assert.is((await decide(bob.api, cancelled, 'cancel')).body.submissionStatus, 'cancelled');
  for (const id of [rejected, cancelled]) assert.is((await detail(id)).firstDecision, null);
});

test('a webhook is sent in the end alone [review-11]', async () => {
  const path = '/four-eyes';
  const id = await inReview('both', { webhookUrl: `${service.receiver.url}${path}` });
  const sent = () =>
    service.receiver.requests
      .filter((request) => request.path === path)
      .map(({ headers }) => headers['x-webhook-event']);
  await decide(ann.api, id, 'approve');
  await decide(bob.api, id, 'approve');
  await service.receiver.waitFor(
    (request) => request.path === path && request.headers['x-webhook-event'] === 'submission.approved',
  );
  assert.equal(sent(), ['session.review_required', 'submission.approved']);
});

test('a repeated request is the same decision, not a second one', async () => {
  const id = await inReview();
  const headers = { 'idempotency-key': 'first' };
  const first = await decide(ann.api, id, 'approve', {}, headers);
  const again = await decide(ann.api, id, 'approve', {}, headers);
  assert.equal([again.status, again.body], [200, first.body]);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
  assert.is((await detail(id)).submissionStatus, 'review');
});

test('what is corrected is checked at the first decision, and a stale tag is refused', async () => {
  const id = await inReview();
  const wrong = await decide(ann.api, id, 'approve', { corrections: { total: 'much' } });
  assert.equal([wrong.status, wrong.body.errors[0].pointer], [422, '/corrections/total']);
  const { headers } = await ann.api.get(`/api/v1/submissions/${id}`);
  const seen = { 'if-match': headers.get('etag') ?? '' };
  assert.is((await decide(ann.api, id, 'approve', {}, seen)).status, 200);
  assert.is((await decide(bob.api, id, 'approve', {}, seen)).status, 412);
});

test('a submission as it was between the two decisions', async () => {
  const id = await inReview();
  await decide(ann.api, id, 'approve', { corrections: { total: 81 } });
  const { headers } = await company.api.get(`/api/v1/submissions/${id}`);
  const between = Number(headers.get('etag')?.slice(1, -1));
  await decide(bob.api, id, 'approve');
  const past = (await company.api.get(`/api/v1/submissions/${id}?at=${between}`)).body;
  assert.equal([past.submissionStatus, past.firstDecision.by], ['review', `user:${ann.userId}`]);
  assert.is((await company.api.get(`/api/v1/submissions/${id}?at=${between - 1}`)).body.firstDecision, null);
});

test('the history and the command line name both people', async () => {
  const id = await inReview();
  await decide(ann.api, id, 'approve', { comment: 'checked the total' });
  await decide(bob.api, id, 'approve');
  const { data } = (await company.api.get(`/api/v1/submissions/${id}/events?limit=100`)).body;
  const decisions = data.slice(-2).map(({ type, actor }: { type: string; actor: object }) => [type, actor]);
  assert.equal(decisions, [
    ['submission.first_decision_made', { kind: 'user', id: ann.userId }],
    ['submission.approved', { kind: 'user', id: bob.userId }],
  ]);
  const { events, state } = await service.intake<{ events: Entry[]; state: { firstDecision: object } }>(
    'audit',
    id,
  );
  assert.equal(
    events.slice(-2).map(({ type, actor }) => [type, actor.id]),
    [
      ['submission.first_decision_made', ann.userId],
      ['submission.approved', bob.userId],
    ],
  );
  assert.equal((state.firstDecision as { by: object }).by, { kind: 'user', id: ann.userId });
});
type Entry = Readonly<{ type: string; actor: Readonly<{ id: string }> }>;

const ROUNDS = rounds(4, 500);
const AT_ONCE = Math.min(10, ROUNDS);

test(
  `of people who decide at once one makes the first decision, and one other completes it: ${ROUNDS} rounds [review-16]`,
  async () => {
    for (let round = 0; round < ROUNDS; round += AT_ONCE) {
      const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => inReview()));
      for (const [n, id] of ids.entries()) await (n % 2 === 0 ? threeApprove(id) : approveAndReject(id));
    }
  },
  { timeoutMs: 60_000 + ROUNDS * 3_000 },
);

/** Three people approve twice each at once: of each one request at most counts. */
const threeApprove = async (id: string): Promise<void> => {
  const all = [ann, bob, eve, ann, bob, eve];
  const answers = await Promise.all(all.map(({ api }) => decide(api, id, 'approve')));
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.map(({ body }) => body.submissionStatus).sort(), ['approved', 'review']);
  const lost = answers
    .filter(({ status }) => status !== 200)
    .map(({ status, body }) => `${status} ${body.code}`);
  const allowed = ['409 second-person-required', '409 submission-not-in-review', '409 concurrent-change'];
  assert.is(lost.length, 4);
  for (const reason of lost) assert.ok(allowed.includes(reason), reason);
  const { events } = (await company.api.get(`/api/v1/submissions/${id}`)).body;
  const made = events.filter(({ type }: { type: string }) => /first_decision|approved/.test(type));
  assert.equal(
    made.map(({ type }: { type: string }) => type),
    ['submission.first_decision_made', 'submission.approved'],
  );
  const { data } = (await company.api.get(`/api/v1/submissions/${id}/events?limit=100`)).body;
  const [first, second] = data.slice(-2).map(({ actor }: { actor: { id: string } }) => actor.id);
  assert.is.not(first, second);
};

/** Whatever the order, what ended it was decided by two different people who wanted the same. */
const approveAndReject = async (id: string): Promise<void> => {
  const wishes = [
    [ann, 'approve'],
    [bob, 'reject'],
    [eve, 'approve'],
    [ann, 'reject'],
    [bob, 'approve'],
  ] as const;
  const answers = await Promise.all(wishes.map(([{ api }, what]) => decide(api, id, what)));
  for (const { status } of answers) assert.ok(status === 200 || status === 409, `${status}`);
  const { data } = (await company.api.get(`/api/v1/submissions/${id}/events?limit=100`)).body;
  const made = data.filter(({ type }: { type: string }) => /first_decision|approved|rejected/.test(type));
  assert.is(
    made.length,
    answers.filter(({ status }) => status === 200).length,
    'one event for each that won',
  );
  const ends = made.filter(({ type }: { type: string }) => !/first_decision/.test(type));
  assert.ok(ends.length <= 1);
  if (ends.length === 0) return;
  const [before, end] = made.slice(-2);
  assert.is(end, ends[0]);
  assert.is(`submission.${before.details.outcome}`, end.type);
  assert.is.not(before.actor.id, end.actor.id);
};
