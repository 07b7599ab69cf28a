import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, declaring, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('labels of submissions');
let service: TestService;

test.before(async () => {
  service = await startService();
});
test.after(() => service.close());

const fraud = { checks: ['duplicate_data'], businessKey: ['company', 'total'], requireResolution: false };
const processing = { review: 'always', fraud } as const;
const listing = { ...receiptDefinition, list: ['company', 'total', 'date'], processing } as const;

const at = (id: string, rest = ''): string => `/api/v1/submissions/${id}${rest}`;

/** The label and the amount of a submission in its detail, the list and the review queue. */
const shown = async (api: Client, id: string) => {
  const lists = await Promise.all(['submissions', 'review-queue'].map((list) => api.get(`/api/v1/${list}`)));
  // biome-ignore lint/suspicious/noExplicitAny: rows as they are answered
  const rows = lists.flatMap(({ body }) => body.data.filter((row: any) => row.id === id));
  const { body: detail } = await api.get(at(id));
  return [detail, ...rows].map(({ label, amount }) => [label, amount]);
};

test('detail, list and queue name a submission by the values that its workflow lists [labels-1, labels-3]', async () => {
  const { api } = await service.company(listing);
  const { submissionId: id } = await api.process([receiptText({ total: 60.3 })]);
  const own = ['ACME Trading · 60.30 · 2018-03-12', 60.3];
  assert.equal(await shown(api, id), [own, own, own]);
  const corrections = { company: 'ACME\n Trading  Ltd', total: 7, date: null };
  assert.is((await api.post(at(id, '/approve'), { corrections })).status, 200);
  const corrected = ['ACME Trading Ltd · 7.00', 7];
  assert.equal(await shown(api, id), [corrected, corrected]);
});

test('a value is cut, a number has two decimals or more, and a missing one is left out [labels-1]', async () => {
  const { api } = await service.company(listing);
  const labelOf = async (members: object) => {
    const { submissionId } = await api.process([receiptText({ ...members })]);
    return (await api.get(at(submissionId))).body.label;
  };
  assert.is(await labelOf({ company: 'é'.repeat(41) }), `${'é'.repeat(39)}… · 80.90 · 2018-03-12`);
  assert.is(await labelOf({ company: undefined, total: 1.234 }), '1.234 · 2018-03-12');
});

test('without a list the first required fields name it, of the version of the session [labels-2]', async () => {
  const fields = receiptDefinition.outputSchema;
  const outputSchema = [{ name: 'note', required: false, type: 'string' }, ...fields] as const;
  const unlisted = { ...listing, list: undefined, outputSchema };
  const { api } = await service.company(unlisted);
  const { submissionId: before } = await api.process([receiptText({ note: 'lunch' })]);
  await service.publish({ ...unlisted, list: ['note'] });
  const { submissionId: after } = await api.process([receiptText({ note: 'lunch' })]);
  const labels = [await shown(api, before), await shown(api, after)].map(([first]) => first);
  assert.equal(labels, [
    ['ACME Trading · 2018-03-12 · 80.90', 80.9],
    ['lunch', null],
  ]);
});

test('a list may name fields of the definition alone [labels-2]', async () => {
  const people = await peopleOf(service);
  const { api } = await people.user();
  const check = async (list: readonly string[]) => {
    const body = { definition: { ...listing, list } };
    const { status, body: answer } = await api.post('/api/v1/workflow-definitions/check', body);
    return [status, ...(answer.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };
  assert.equal(await check(['total']), [200]);
  assert.equal(await check(['total', 'sum']), [422, '/definition/list/1']);
  assert.equal(await check([]), [422, '/definition/list']);
  await people.close();
});

test('before anything is read a file names it, else an identifier; after a redaction its own [labels-3]', async () => {
  const { api } = await service.company(listing);
  const file = receiptText();
  const [declared] = declaring([file]).files;
  const files = [{ ...declared, fileName: 'lunch.txt' }];
  const open = async (body: object) =>
    (await api.post('/api/v1/workflows/receipt/sessions', body)).body.submissionId as string;
  const named = await open({ files, clientSubmissionId: 'order-1' });
  const numbered = await open({ clientSubmissionId: 'order-1' });
  const bare = await open({});
  for (const [id, label] of [
    [named, 'lunch.txt'],
    [numbered, 'order-1'],
    [bare, bare],
  ] as const)
    assert.equal(await shown(api, id), [
      [label, null],
      [label, null],
    ]);
  const { submissionId: read } = await api.process([file], { clientSubmissionId: 'order-2' });
  for (const id of [named, numbered, read]) {
    const basis = { reason: 'erasure', legalBasis: 'erasure_request' };
    assert.is((await api.post(at(id, '/redact'), basis)).status, 202);
    for (const row of await shown(api, id)) assert.equal(row, [id, null]);
  }
});

test('a match has the label of what it resembles, as that is now [labels-4]', async () => {
  const { api } = await service.company(listing);
  const { submissionId: first } = await api.process([receiptText()]);
  const { submissionId: second } = await api.process([receiptText()]);
  const labels = async () => {
    const { body: detail } = await api.get(at(second));
    const { body: list } = await api.get(at(second, '/fraud-matches'));
    return [...detail.fraudMatches, ...list.data].map(({ label }: { label: string }) => label);
  };
  const label = 'ACME Trading · 80.90 · 2018-03-12';
  assert.equal(await labels(), [label, label]);
  await api.post(at(first, '/approve'), { corrections: { company: 'Bakery' } });
  const now = label.replace('ACME Trading', 'Bakery');
  assert.equal(await labels(), [now, now]);
  const [{ id }] = (await api.get(at(second))).body.fraudMatches;
  const resolved = await api.post(at(second, `/fraud-matches/${id}/resolve`), { resolution: 'dismissed' });
  assert.is(resolved.body.label, now);
});
