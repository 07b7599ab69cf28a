import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { type Client, declaring, receiptText } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('search of submissions');
let service: TestService;
let api: Client;
let other: Client;

test.before(async () => {
  service = await sharedService();
  api = (await service.company()).api;
  other = (await service.company()).api;
});

const at = (q: string, rest = '') => `/api/v1/submissions?q=${encodeURIComponent(q)}${rest}`;
const found = async (q: string, rest = '', by = api): Promise<readonly string[]> => {
  const { status, body } = await by.get(at(q, rest));
  assert.is(status, 200, q);
  return body.data.map(({ id }: { id: string }) => id);
};

test('every word begins one of the submission: labels, values, identifiers, file names [search-1]', async () => {
  const file = receiptText({ company: 'Café Zoë' });
  const input = {
    clientSubmissionId: 'Auftrag-4711',
    batchRef: 'spring.2026',
    files: [{ ...declaring([file]).files[0], fileName: 'Überweisung Ärzte.txt' }],
  };
  const { submissionId } = await api.process([file], input);
  const { body } = await api.get(`/api/v1/submissions/${submissionId}`);
  for (const q of [
    'cafe zoe',
    'ZOË',
    'auftrag',
    '4711',
    'spring',
    'uberweis arzte',
    'zoe 4711',
    body.files[0].label,
  ])
    assert.equal(await found(q), [submissionId], q);
  for (const q of ['afe', 'zoe 4712']) assert.equal(await found(q), [], q);
  assert.equal(await found('zoe', '', other), []);
});

test('days and amounts are found in the ways people write them [search-2]', async () => {
  const { submissionId } = await api.process([
    receiptText({ company: 'Days', total: '1234.50', date: '04/03/2026' }),
  ]);
  const { extractedData } = (await api.get(`/api/v1/submissions/${submissionId}`)).body;
  assert.equal([extractedData.total, extractedData.date], [1234.5, '2026-03-04']);
  for (const q of ['2026-03-04', '04.03.2026', '4/3/2026', '2026-03', '1.234,50', '1234.5', '1,234.50'])
    assert.equal(await found(`days ${q}`), [submissionId], q);
  for (const q of ['2026-03-05', '1234.51']) assert.equal(await found(`days ${q}`), [], q);
});

test('a corrected value takes the place of what was read, comments are searched too [search-1]', async () => {
  const job = await api.process([receiptText({ company: 'Misread', date: undefined })]);
  const path = `/api/v1/submissions/${job.submissionId}`;
  const decision = { corrections: { company: 'Wellread', date: '2026-05-06' }, comment: 'Rückfrage geklärt' };
  const approved = await api.post(`${path}/approve`, decision);
  assert.is(approved.status, 200, approved.text);
  for (const q of ['wellread', '06.05.2026', 'ruckfrage'])
    assert.equal(await found(q), [job.submissionId], q);
  assert.equal(await found('misread'), []);
});

test('it narrows with the other filters, and on every page [search-3]', async () => {
  const paged: string[] = [];
  await api.open([], { clientSubmissionId: 'before' });
  for (let n = 0; n < 3; n += 1)
    paged.unshift((await api.open([], { clientSubmissionId: `paged-${n}` })).submissionId);
  await api.open([], { clientSubmissionId: 'between' });
  assert.equal(await found('paged'), paged);
  assert.equal(await found('paged', '&clientSubmissionId=paged-1'), paged.slice(1, 2));
  assert.equal(await found('paged', '&status=approved'), []);
  const first = (await api.get(at('paged', '&limit=2'))).body;
  assert.equal([first.data.length, first.pagination.hasMore], [2, true]);
  const cursor = `&limit=2&cursor=${first.pagination.nextCursor}`;
  assert.equal(await found('paged', cursor), paged.slice(2));
  assert.is((await api.get(at('page', cursor))).status, 400);
});

test('it has 1 to 200 characters, and up to eight words [search-4]', async () => {
  for (const q of ['', ' - ', 'x'.repeat(201), 'a b c d e f g h i']) {
    const { status, body } = await api.get(at(q));
    assert.is(status, 400, q);
    assert.is(body.errors[0].pointer, '/query/q');
  }
  for (const q of ['x'.repeat(200), 'a b c d e f g h', '"*" OR x:']) await found(q);
});

test('a redacted submission is found by nothing private, from the answer on [search-5]', async () => {
  const input = { clientSubmissionId: 'Quillfeather', batchRef: 'trip-marta' };
  const { submissionId } = await api.process([receiptText({ company: 'Quill', date: undefined })], input);
  const label = (await api.get(`/api/v1/submissions/${submissionId}`)).body.files[0].label;
  assert.equal(await found('quillf'), [submissionId]);
  const basis = { reason: 'article 17', legalBasis: 'erasure_request' };
  assert.is((await api.post(`/api/v1/submissions/${submissionId}/redact`, basis)).status, 202);
  const isGone = async () => {
    for (const q of ['quill', 'marta', 'trip']) assert.equal(await found(q), [], q);
    assert.ok((await found(label)).includes(submissionId));
  };
  await isGone();
  await eventually('the redaction', async () => {
    const { body } = await api.get(`/api/v1/submissions/${submissionId}`);
    return body.redaction === 'done';
  });
  await isGone();
});
