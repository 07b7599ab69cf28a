import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, type Reply, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('what reviewers share over HTTP');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;

test.before(async () => {
  service = await sharedService();
  people = await peopleOf(service);
});
test.after(() => people.close());

const QUEUE = '/api/v1/review-queue';
const HOUR_MS = 3_600_000;
const at = (id: string, rest = '') => `/api/v1/submissions/${id}${rest}`;
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();

/** A company with two reviewers and so many submissions that wait, the first one longest. */
const companyWith = async (count: number) => {
  const company = await service.company({ ...receiptDefinition, processing: { review: 'always' } });
  const [ann, ben] = await Promise.all([
    people.user(company.id, 'reviewer'),
    people.user(company.id, 'reviewer'),
  ]);
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push((await company.api.process([receiptText({ company: `ACME ${n}` })])).submissionId);
  return { ...company, ann, ben, ids };
};
const put = (api: Client, path: string, body: object): Promise<Reply> => api.call('PUT', path, { body });
const assign = (api: Client, id: string, assignee: string | null) =>
  put(api, at(id, '/assignee'), { assignee });
const postpone = (api: Client, id: string, until = inAnHour()) =>
  put(api, at(id, '/postponement'), { until, reason: 'the branch is closed' });
const list = async (api: Client, query = ''): Promise<readonly string[]> => {
  const answer = await api.get(`${QUEUE}?${query}`);
  assert.is(answer.status, 200, answer.text);
  return answer.body.data.map(({ id }: { id: string }) => id);
};
const counted = async (api: Client) => {
  const { assigned, postponed, waiting } = (await api.get(QUEUE)).body.counts;
  return { assigned, postponed, waiting };
};

test('a note is written in any status, and a redaction takes its text away [team-1, team-5]', async () => {
  const { api, ann, ids } = await companyWith(1);
  const [id = ''] = ids;
  const first = await ann.api.post(at(id, '/notes'), { text: 'Ask Marta-Quillfeather' });
  assert.is(first.status, 201, first.text);
  assert.is((await api.post(at(id, '/approve'))).status, 200);
  assert.is((await api.post(at(id, '/notes'), { text: 'She says yes' })).status, 201);
  const { notes, events } = (await api.get(at(id))).body;
  assert.equal(
    notes.map(({ text }: { text: string }) => text),
    ['Ask Marta-Quillfeather', 'She says yes'],
  );
  assert.equal(notes[0], first.body);
  assert.is(notes[0].actor, `user:${ann.userId}`);
  const added = events.find(({ type }: { type: string }) => type === 'submission.note_added');
  assert.equal(added.details, { text: 'Ask Marta-Quillfeather' });
  for (const text of ['', ' ', 'x'.repeat(4_001)]) {
    const refused = await api.post(at(id, '/notes'), { text });
    assert.equal([refused.status, refused.body.errors[0].pointer], [422, '/text']);
  }
  await api.post(at(id, '/redact'), { reason: 'article 17', legalBasis: 'erasure_request' });
  const redacted = await api.get(at(id));
  assert.not.match(redacted.text, 'Quillfeather');
  assert.is(redacted.body.notes.length, 2);
  assert.is((await api.post(at(id, '/notes'), { text: 'late' })).status, 409);
});

test('a review is given to a user who may decide it, and to nobody else [team-2, team-5]', async () => {
  const { api, ann, id: companyId, ids } = await companyWith(1);
  const [id = ''] = ids;
  const other = await service.company();
  const [viewer, stranger, leaver] = await Promise.all([
    people.user(companyId, 'auditor'),
    people.user(other.id, 'reviewer'),
    people.user(companyId, 'reviewer'),
  ]);
  await service.intake('user', 'disable', leaver.userId);
  for (const userId of [viewer.userId, stranger.userId, 'usr_01hv6x3m8q2r5t7w9y0a1b2c3d']) {
    const refused = await assign(api, id, userId);
    assert.equal([refused.status, refused.body.errors?.[0].pointer], [422, '/assignee'], refused.text);
  }
  await eventually(
    'the user is known as disabled',
    async () => (await assign(api, id, leaver.userId)).status === 422,
  );
  const given = await assign(api, id, ann.userId);
  assert.equal([given.status, given.body], [200, { submissionId: id, assignee: ann.userId }]);
  assert.is((await api.get(at(id))).body.assignee, ann.userId);
  assert.is((await api.get(QUEUE)).body.data[0].assignee, ann.userId);
  assert.is((await assign(ann.api, id, null)).body.assignee, null);
  assert.is((await api.get(at(id))).body.assignee, null);
  await api.post(at(id, '/reject'));
  assert.is((await assign(api, id, ann.userId)).body.type.endsWith('submission-not-in-review'), true);
});

test('the queue is filtered by whose a review is, and nobody gets that of another as the next [team-3]', async () => {
  const { ann, ben, ids } = await companyWith(3);
  const [first = '', second = '', third = ''] = ids;
  await assign(ann.api, first, ann.userId);
  await assign(ann.api, second, ben.userId);
  const seen = async (api: Client) =>
    Promise.all(['mine', 'others', 'none'].map((whose) => list(api, `assigned=${whose}`)));
  assert.equal(await seen(ann.api), [[first], [second], [third]]);
  assert.equal(await seen(ben.api), [[second], [first], [third]]);
  assert.equal(await counted(ben.api), { assigned: 1, postponed: 0, waiting: 3 });
  const next = async (api: Client) => (await api.post(`${QUEUE}/next`, {})).body?.id ?? null;
  assert.equal([await next(ben.api), await next(ben.api), await next(ben.api)], [second, third, null]);
  assert.is(await next(ann.api), first);
  assert.is((await ben.api.post(at(first, '/approve'))).status, 200, 'it keeps nobody from deciding');
});

test('what is put off is left out until its time, or until it is taken back [team-4]', async () => {
  const { api, ann, ids } = await companyWith(2);
  const [first = '', second = ''] = ids;
  const until = inAnHour();
  const off = await postpone(ann.api, first, until);
  const postponed = { until, actor: `user:${ann.userId}`, reason: 'the branch is closed' };
  assert.equal([off.status, off.body], [200, { submissionId: first, postponed }]);
  assert.equal((await api.get(at(first))).body.postponed, postponed);
  assert.equal(await list(api), [second]);
  assert.equal(await list(api, 'postponed=with'), [first, second]);
  assert.equal(await list(api, 'postponed=only'), [first]);
  assert.equal(await counted(api), { assigned: 0, postponed: 1, waiting: 2 });
  assert.is((await ann.api.post(`${QUEUE}/next`, {})).body.id, second);
  assert.is((await ann.api.post(`${QUEUE}/next`, { after: [second] })).status, 204);
  const due = await api.call('DELETE', at(first, '/postponement'));
  assert.equal(due.body, { submissionId: first, postponed: null });
  assert.equal(await list(api), [first, second]);
  const soon = new Date(Date.now() + 1_000).toISOString();
  assert.is((await postpone(api, first, soon)).status, 200);
  await eventually('its time has come', async () => (await list(api)).includes(first));
  assert.ok(Date.now() >= Date.parse(soon));
  for (const wrong of [
    new Date(Date.now() - 1_000).toISOString(),
    new Date(Date.now() + 91 * 24 * HOUR_MS).toISOString(),
  ]) {
    const refused = await postpone(api, first, wrong);
    assert.equal([refused.status, refused.body.errors[0].pointer], [422, '/until']);
  }
});
