import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('submissions');
let service: TestService;
let api: Client;
let company: Awaited<ReturnType<TestService['company']>>;

test.before(async () => {
  service = await sharedService();
  company = await service.company();
  api = company.api;
});

const list = (query = '') => api.get(`/api/v1/submissions${query}`);
const ids = (reply: { body: { data: { id: string }[] } }): string[] => reply.body.data.map(({ id }) => id);

test('the detail has every member of the contract [submissions-3, submissions-6, submissions-8]', async () => {
  const { submissionId } = await api.process([receiptText()], {
    clientSubmissionId: 'c',
    metadata: { m: 1 },
  });
  const { status, body } = await api.get(`/api/v1/submissions/${submissionId}`);
  assert.is(status, 200);
  const contract =
    'id submissionStatus fraudStatus fraudScore extractedData confidence fieldConfidences certainty aiSummary failedReason ' +
    'rejectReason cancelReason workflow files fraudMatches events clientSubmissionId metadata createdAt';
  for (const name of contract.split(' ')) assert.ok(name in body, name);
  assert.equal(body.extractedData, { company: 'ACME Trading', date: '2018-03-12', total: 80.9 });
  assert.equal([body.fraudStatus, body.fraudScore, body.fraudMatches], ['clean', 0, []]);
  assert.equal(Object.keys(body.workflow), ['id', 'slug', 'name', 'version']);
  assert.equal(Object.keys(body.files[0]), [
    'id',
    'fileIndex',
    'label',
    'fileName',
    'mimeType',
    'fileSize',
    'downloadUrl',
  ]);
  assert.equal(
    body.events.map(({ type }: { type: string }) => type),
    ['session.created', 'session.submitted', 'submission.processing_started', 'submission.processed'],
  );
  for (const score of [body.confidence, body.certainty, ...Object.values(body.fieldConfidences)]) {
    assert.ok(typeof score === 'number' && score >= 0 && score <= 1);
  }
  assert.match(body.aiSummary, /ACME/);
});

test('before processing the findings are null [fraud-11, submissions-4]', async () => {
  const { submissionId } = await api.open([receiptText()]);
  const { body } = await api.get(`/api/v1/submissions/${submissionId}`);
  for (const name of 'confidence certainty fraudScore fraudStatus extractedData aiSummary failedReason'.split(
    ' ',
  )) {
    assert.is(body[name], null, name);
  }
});

test('a download address is given again while it is fresh', async () => {
  const { submissionId } = await api.process([receiptText()]);
  const address = async () =>
    (await api.get(`/api/v1/submissions/${submissionId}`)).body.files[0].downloadUrl as string;
  assert.is(await address(), await address());
});

test('the list is newest first, and pages neither repeat nor skip while others are added [paging-3, paging-4]', async () => {
  const paged = await service.company();
  const made: string[] = [];
  for (let count = 0; count < 7; count += 1) made.push((await paged.api.open([])).submissionId);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const reply = await paged.api.get(`/api/v1/submissions?limit=3${cursor && `&cursor=${cursor}`}`);
    seen.push(...ids(reply));
    await paged.api.open([]);
    assert.is(reply.body.pagination.hasMore, reply.body.pagination.nextCursor !== null);
    cursor = reply.body.pagination.nextCursor;
  }
  assert.equal(seen, made.reverse());
});

test('a row has the members of the contract', async () => {
  await api.open([]);
  const [row] = (await list('?limit=1')).body.data;
  const contract =
    'id submissionStatus fraudStatus fraudScore workflow extractedData confidence createdAt clientSubmissionId';
  for (const name of contract.split(' ')) assert.ok(name in row, name);
  assert.equal(Object.keys(row.workflow), ['slug', 'name', 'version']);
});

test('filters [submissions-5]', async () => {
  const filtered = await service.company({ ...receiptDefinition, slug: 'slip' });
  const open = await filtered.api.open([], { clientSubmissionId: 'c-1', batchRef: 'b.1' }, 'slip');
  const done = await filtered.api.process([receiptText()], {}, 'slip');
  const get = async (query: string) => ids(await filtered.api.get(`/api/v1/submissions?${query}`));
  assert.equal(await get('workflow=slip'), [done.submissionId, open.submissionId]);
  assert.equal(await get('workflow=nothing'), []);
  assert.equal(await get('status=created'), [open.submissionId]);
  assert.equal(await get('status=approved'), [done.submissionId]);
  assert.equal(await get('fraudStatus=null'), [open.submissionId]);
  assert.equal(await get('fraudStatus=clean'), [done.submissionId]);
  assert.equal(await get('clientSubmissionId=c-1'), [open.submissionId]);
  assert.equal(await get('batchRef=b.1'), [open.submissionId]);
  assert.equal(await get(`createdAfter=${open.createdAt}`), [done.submissionId, open.submissionId]);
  assert.equal(await get(`createdBefore=${open.createdAt}`), []);
  assert.equal(await get('nonsense=1&workflow=slip&status=created'), [open.submissionId]);
});

test('clientSubmissionId, batchRef, createdAfter and createdBefore narrow every page of a list [submissions-7]', async () => {
  const input = { clientSubmissionId: 'paged', batchRef: 'paged.1' };
  const open = async (given: object) =>
    (await api.open([], given)) as { submissionId: string; createdAt: string };
  const [first, other, second, third] = [
    await open(input),
    await open({}),
    await open(input),
    await open(input),
  ];
  const paged = async (query: string): Promise<string[]> => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const reply = await list(`?limit=1&${query}${cursor && `&cursor=${cursor}`}`);
      assert.is(reply.status, 200, reply.text);
      seen.push(...ids(reply));
      cursor = reply.body.pagination.nextCursor ?? '';
    } while (cursor !== '');
    return seen;
  };
  const mine = [third, second, first].map(({ submissionId }) => submissionId);
  assert.equal(await paged('clientSubmissionId=paged'), mine);
  assert.equal(await paged('batchRef=paged.1'), mine);
  const [from, to] = [first.createdAt, third.createdAt];
  const between = [second, other, first].map(({ submissionId }) => submissionId);
  assert.equal(await paged(`createdAfter=${from}&createdBefore=${to}`), between);
  assert.equal(await paged(`createdAfter=${from}&batchRef=paged.1&clientSubmissionId=paged`), mine);
  assert.equal(await paged(`createdBefore=${to}&batchRef=paged.1`), mine.slice(1));
  assert.equal(await paged('batchRef=other'), []);
});

test('whatever a client calls a submission, it finds it by that [sessions-3]', async () => {
  for (const called of ['ä ö', 'a,b&c=%', 'null', 'two\nlines\tand a tab', '😀'.repeat(128), 'a\u0000b']) {
    const { submissionId } = await api.open([], { clientSubmissionId: called });
    const found = await list(`?clientSubmissionId=${encodeURIComponent(called)}`);
    assert.equal(ids(found), [submissionId], called);
    assert.is(found.body.data[0].clientSubmissionId, called);
  }
});

test('a bad parameter is a 400 that names it', async () => {
  for (const query of [
    'status=odd',
    'fraudStatus=odd',
    'limit=many',
    'limit=1.5',
    'cursor=%7B',
    'cursor=abcd',
    'createdAfter=now',
  ]) {
    const { status, body } = await list(`?${query}`);
    assert.equal([status, body.code], [400, 'malformed-request'], query);
    assert.match(JSON.stringify(body.errors), new RegExp(query.split('=')[0] ?? ''));
  }
  assert.is((await list('?limit=1&limit=2')).status, 400);
});

test('a time of another form is a 400 that shows the right one', async () => {
  for (const query of [
    'createdAfter=2026-11-21',
    'createdBefore=now',
    'createdAfter=2026-11-21T10:00:00+02:00',
  ]) {
    const { status, body } = await list(`?${query}`);
    assert.is(status, 400, query);
    assert.match(body.detail, /such as \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, query);
  }
});

test('the limit is clamped', async () => {
  for (const limit of ['0', '-5', '1']) assert.is((await list(`?limit=${limit}`)).body.data.length, 1);
  assert.is((await list('?limit=100000')).status, 200);
});

test('a cursor belongs to its filters', async () => {
  await api.open([]);
  await api.open([]);
  const { nextCursor } = (await list('?limit=1')).body.pagination;
  assert.is((await list(`?limit=1&cursor=${nextCursor}`)).status, 200);
  assert.is((await list(`?limit=1&status=created&cursor=${nextCursor}`)).status, 400);
  const other = await service.company();
  assert.is((await other.api.get(`/api/v1/submissions?cursor=${nextCursor}`)).status, 400);
});

test('a forged cursor is a 400 or a page, never an error of ours', async () => {
  await api.open([]);
  await api.open([]);
  const { nextCursor } = (await list('?limit=1')).body.pagination;
  const [seal] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
  for (const after of ['true,false', '1,2', 'null,null', '1e999,-1e999', '"",""', '"\\u0000","\\ud800"']) {
    const forged = Buffer.from(`[${JSON.stringify(seal)},${after}]`).toString('base64url');
    const { status } = await list(`?limit=1&cursor=${forged}`);
    assert.ok(status === 200 || status === 400, `${after}: ${status}`);
  }
});

test('every key of the company sees a submission, nobody else does [visibility-3]', async () => {
  const { submissionId } = await api.open([]);
  const path = `/api/v1/submissions/${submissionId}`;
  const sameCompany = await service.key(company.id);
  const testKey = await service.key(company.id, 'test');
  const foreign = await service.company();
  assert.is((await sameCompany.api.get(path)).status, 200);
  const unseen = await Promise.all([
    testKey.api.get(path),
    foreign.api.get(path),
    api.get('/api/v1/submissions/sub_x'),
  ]);
  const told = unseen.map(({ status, body }) => JSON.stringify([status, body.code, body.detail]));
  assert.is(new Set(told).size, 1);
  assert.match(told[0] ?? '', /^\[404/);
  assert.not.ok(ids(await foreign.api.get('/api/v1/submissions')).includes(submissionId));
  assert.not.ok(ids(await testKey.api.get('/api/v1/submissions')).includes(submissionId));
});
