import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, client, type Reply } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('what a company sets of a workflow');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  service = await sharedService();
  people = await peopleOf(service);
});
test.after(() => people.close());

const NONE = { labels: {}, reviewBelow: null, fieldsBelow: {}, review: null };
const at = (companyId: string, slug: string = receiptDefinition.slug): string =>
  `/api/v1/companies/${companyId}/workflows/${slug}`;
const put = (api: Client, path: string, body: object, headers = {}): Promise<Reply> =>
  api.call('PUT', path, { body, headers });
const unsure = { content: 'ACME Trading Ltd\nDate: 12/03/2018\nTotal 80.90\n', mimeType: 'text/plain' };
const reasonsOf = async (api: Client, job: { submissionId: string }) =>
  (await api.get(`/api/v1/submissions/${job.submissionId}`)).body.reviewReasons.map(
    ({ code, field }: { code: string; field: string | null }) => [code, field],
  );

test('an org_admin sets labels, thresholds and review, which is an activity; what is left out is the version’s [workflows-20]', async () => {
  const { id, key } = await service.company();
  const { api } = await people.user(id);
  const first = await api.get(at(id));
  assert.equal([first.status, first.body], [200, NONE]);
  const wanted = {
    labels: { total: 'Amount due' },
    reviewBelow: 0.9,
    fieldsBelow: { total: 1 },
    review: 'always',
  };
  const changed = await put(api, at(id), wanted);
  assert.equal([changed.status, changed.body], [200, wanted]);
  const reviewer = await people.user(id, 'reviewer');
  const seen = await reviewer.api.get(at(id));
  assert.equal([seen.body, seen.headers.get('etag')], [wanted, changed.headers.get('etag')]);
  const stale = { 'if-match': first.headers.get('etag') ?? '' };
  assert.is((await put(api, at(id), {}, stale)).status, 412);
  assert.equal((await put(api, at(id), {})).body, NONE);
  const { data } = (await api.get('/api/v1/activity?type=company.workflow_changed')).body;
  assert.equal([data.length, data[0]?.subject], [2, { kind: 'workflow', id: receiptDefinition.slug }]);
  assert.is((await client(service.url, key).get(at(id))).status, 401);
});

test('submissions of this company are judged by it from then on, those of others as the version says [workflows-21]', async () => {
  const [own, other] = [await service.company(), await service.company()];
  const { api } = await people.user(own.id);
  assert.is((await own.api.process([unsure])).submissionStatus, 'approved');
  await put(api, at(own.id), { reviewBelow: 1 });
  assert.is((await own.api.process([unsure], { clientSubmissionId: 'whole' })).submissionStatus, 'review');
  await put(api, at(own.id), { fieldsBelow: { total: 1 } });
  const field = await own.api.process([unsure], { clientSubmissionId: 'field' });
  assert.equal(
    [field.submissionStatus, await reasonsOf(own.api, field)],
    ['review', [['low_confidence', 'total']]],
  );
  await put(api, at(own.id), { review: 'always' });
  const always = await own.api.process([unsure], { clientSubmissionId: 'always' });
  assert.equal(await reasonsOf(own.api, always), [['always_review', null]]);
  assert.is((await other.api.process([unsure])).submissionStatus, 'approved');
  await put(api, at(own.id), {});
  assert.is((await own.api.process([unsure], { clientSubmissionId: 'none' })).submissionStatus, 'approved');
});

test('an org_admin changes nothing else, no other company and no workflow that the company has not; the contract of a version stays [workflows-22]', async () => {
  const [own, other] = [await service.company(), await service.company()];
  const foreign = await service.company({ ...receiptDefinition, slug: 'not-assigned' });
  const admin = (await people.user(own.id)).api;
  const contract = `/api/v1/workflows/${receiptDefinition.slug}/versions/1`;
  const before = (await own.api.get(contract)).body;
  for (const member of [
    'name',
    'outputSchema',
    'upload',
    'fourEyes',
    'requireComplete',
    'fraud',
    'sync',
    'slug',
  ])
    assert.equal((await put(admin, at(own.id), { [member]: 'x' })).status, 422, member);
  const unknown = await put(admin, at(own.id), { labels: { nothing: 'X' }, fieldsBelow: { nobody: 0.5 } });
  assert.equal(
    [unknown.status, ...unknown.body.errors.map(({ pointer }: { pointer: string }) => pointer)],
    [422, '/labels/nothing', '/fieldsBelow/nobody'],
  );
  assert.is((await put(admin, at(own.id), { reviewBelow: 1.1 })).status, 422);
  for (const path of [at(other.id), at(own.id, 'not-assigned'), at(foreign.id, 'not-assigned')]) {
    assert.is((await admin.get(path)).status, 404, path);
    assert.is((await put(admin, path, { review: 'always' })).status, 404, path);
  }
  for (const role of ['reviewer', 'auditor'] as const) {
    const { api } = await people.user(own.id, role);
    assert.is((await put(api, at(own.id), { review: 'always' })).status, 403, role);
  }
  const published = await admin.post('/api/v1/workflow-definitions', { definition: receiptDefinition });
  assert.is(published.status, 403);
  await put(admin, at(own.id), { labels: { total: 'Amount due' }, reviewBelow: 1 });
  assert.equal((await own.api.get(contract)).body, before);
  assert.equal((await (await people.user(other.id)).api.get(at(other.id))).body, NONE);
  assert.is((await put((await people.user()).api, at(own.id), { review: 'auto' })).status, 200);
});
