import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { type Client, receiptText } from '../support/client.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('a submission’s past');
let service: TestService;
let api: Client;
let company: Awaited<ReturnType<TestService['company']>>;
let id: string;
let path: string;
test.before(async () => {
  service = await sharedService();
  company = await service.company();
  ({ api } = company);
  const job = await api.process([receiptText({ company: undefined })]);
  id = job.submissionId;
  path = `/api/v1/submissions/${id}`;
  const approval = { comment: 'fine', actor: 'ann', corrections: { company: 'ACME' } };
  const headers = { 'x-request-id': 'the-approval' };
  const approved = await api.post(`${path}/approve`, approval, { headers });
  assert.is(approved.status, 200, approved.text);
});

type Item = Readonly<{ revision: number; type: string; occurredAt: string }>;
const events = async (query = '') => (await api.get(`${path}/events${query}`)).body;

test('the events tell oldest first what happened, when, by whom and on account of what [history-1]', async () => {
  const { data, pagination } = await events();
  assert.equal(pagination, { hasMore: false, nextCursor: null });
  assert.equal(
    data.map(({ revision, type }: Item) => [revision, type]),
    [
      [0, 'session.created'],
      [1, 'session.submitted'],
      [2, 'submission.processing_started'],
      [3, 'submission.processed'],
      [4, 'submission.approved'],
    ],
  );
  const [created, submitted, started, , approved] = data;
  assert.equal(Object.keys(created), [
    ...['revision', 'type', 'occurredAt', 'actor', 'requestId', 'causation', 'details'],
  ]);
  assert.equal(created.actor, { kind: 'key', id: company.keyId });
  assert.equal(started.actor, { kind: 'system', id: 'processing' });
  assert.is(started.requestId, submitted.requestId, 'the work belongs to the request that asked for it');
  assert.is(approved.requestId, 'the-approval');
  assert.equal(approved.details.corrections, [{ field: 'company', machineValue: null, humanValue: 'ACME' }]);
  const { events: history } = (await api.get(path)).body;
  assert.equal(
    data.map(({ type, occurredAt, details }: Record<string, unknown>) => ({ type, occurredAt, details })),
    history,
  );
});

test('the events are paged [history-1]', async () => {
  const seen: number[] = [];
  let query = '?limit=2';
  for (;;) {
    const { data, pagination } = await events(query);
    seen.push(...data.map(({ revision }: Item) => revision));
    assert.ok(data.length <= 2);
    if (!pagination.hasMore) break;
    query = `?limit=2&cursor=${pagination.nextCursor}`;
  }
  assert.equal(seen, [0, 1, 2, 3, 4]);
  const { nextCursor } = (await events('?limit=2')).pagination;
  const other = await api.open([]);
  const foreign = await api.get(`/api/v1/submissions/${other.submissionId}/events?cursor=${nextCursor}`);
  assert.is(foreign.status, 400, 'a cursor belongs to its submission');
});

test('at a revision, or a time, the detail is as it was then [history-2]', async () => {
  const { data } = await events();
  const at = async (point: number | string) => (await api.get(`${path}?at=${point}`)).body;
  const statuses = ['created', 'created', 'processing', 'review', 'approved'];
  for (const { revision, occurredAt } of data as readonly Item[]) {
    const then = await at(revision);
    assert.is(then.submissionStatus, statuses[revision]);
    assert.is(then.events.length, revision + 1);
    assert.is(then.updatedAt, occurredAt);
  }
  const [, , , review, approved] = data;
  assert.equal([(await at(3)).extractedData.company, (await at(3)).corrections], [null, []]);
  assert.is((await at(4)).extractedData.company, 'ACME');
  assert.equal(await at(review.occurredAt), await at(3));
  const moment = new Date(Date.parse(approved.occurredAt) - 1).toISOString();
  assert.equal(await at(moment), await at(3));
  assert.is((await at(0)).files.length, 0);
  const present = await api.get(path);
  assert.equal(await at('2100-01-01T00:00:00Z'), present.body);
  assert.equal(await at(4), present.body);
});

test('its ETag is of that revision: a decision on what is past is a 412', async () => {
  const tag = async (query: string) => (await api.get(path + query)).headers.get('etag');
  assert.equal([await tag(''), await tag('?at=4'), await tag('?at=3')], ['"4"', '"4"', '"3"']);
  const late = await api.post(`${path}/cancel`, undefined, { headers: { 'if-match': '"3"' } });
  assert.is(late.status, 412);
});

test('before its beginning, and beyond its last revision, there is none: 404; a malformed point is a 400', async () => {
  assert.is((await api.get(`${path}?at=2020-01-01T00:00:00.000Z`)).status, 404);
  assert.is((await api.get(`${path}?at=5`)).status, 404);
  for (const point of ['', '-1', '1.5', 'yesterday', '2026-11-21', '2016-12-31T23:59:60Z', '1e3']) {
    const { status, body } = await api.get(`${path}?at=${point}`);
    assert.equal([status, body.errors[0].pointer], [400, '/query/at'], point);
  }
});

test('every key of the company reads the past, nobody else does', async () => {
  const [{ api: same }, { api: test }] = await Promise.all([
    service.key(company.id),
    service.key(company.id, 'test'),
  ]);
  for (const query of ['?at=3', '/events']) {
    assert.is((await same.get(path + query)).status, 200);
    assert.is((await test.get(path + query)).status, 404);
  }
});

test('corrections tell the machine’s value, the human’s, who corrected, with which key, and when [review-8]', async () => {
  const { corrections, reviewReasons } = (await api.get(path)).body;
  const [{ occurredAt: when }] = (await events()).data.slice(-1);
  const correction = {
    ...{ field: 'company', machineValue: null, humanValue: 'ACME', place: null },
    actor: 'ann',
  };
  assert.equal(corrections, [{ ...correction, keyId: company.keyId, at: when }]);
  assert.equal(reviewReasons[0], { code: 'missing_required', field: 'company' });
});

test('its evidence is exported beside the service, and holds', async () => {
  const [key, folder] = [
    await service.intake<{ publicKey: string }>('audit', 'key'),
    join(service.dataDir, 'evidence'),
  ];
  writeFileSync(`${folder}.pem`, key.publicKey);
  type Made = Readonly<{ events: number; files: number; missing: []; differing: [] }>;
  const {
    events: count,
    files,
    missing,
    differing,
  } = await service.intake<Made>('audit', 'export', id, '--out', folder);
  assert.equal([count, files, missing, differing], [5, 1, [], []]);
  const { holds, findings } = await service.intake<Record<string, unknown>>(
    'audit',
    'verify',
    folder,
    '--key',
    `${folder}.pem`,
  );
  assert.equal([holds, findings], [true, []]);
  const [{ copy, agrees }] = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));
  assert.equal(agrees, { size: 'yes', sha256: agrees.sha256, etag: 'yes' });
  assert.equal(
    readFileSync(join(folder, copy.path)),
    Buffer.from(receiptText({ company: undefined }).content),
  );
});

test('a value of another type than its field’s is a reason to review', async () => {
  const { submissionId } = await api.process([receiptText({ total: 'much' })]);
  const { reviewReasons } = (await api.get(`/api/v1/submissions/${submissionId}`)).body;
  assert.ok(
    reviewReasons.some(
      ({ code, field }: Record<string, unknown>) => code === 'invalid_field' && field === 'total',
    ),
    JSON.stringify(reviewReasons),
  );
});

test('the result is what its job says, now and as of a point, and null before processing [submissions-9]', async () => {
  const { body: job } = await api.get(`/api/v1/jobs/${id.replace('sub_', 'ses_')}`);
  const now = await api.get(`${path}/result`);
  assert.equal([now.status, now.body], [200, { submissionId: id, result: job.result }]);
  assert.is(now.body.result.fields.date.value, '2018-03-12');
  assert.is(now.headers.get('etag'), (await api.get(path)).headers.get('etag'));
  assert.equal((await api.get(`${path}/result?at=1`)).body, { submissionId: id, result: null });
  assert.equal((await api.get(`${path}/result?at=3`)).body, now.body);
  assert.is((await api.get(`${path}/result?at=99`)).status, 404);
});
