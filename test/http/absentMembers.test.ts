import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { fraudCompany, newReceipt, sent } from '../support/fraud.ts';
import { PASSWORD, peopleOf } from '../support/people.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('members that are null or empty [requests-12]');
let service: TestService;
let api: Client;
let keyId: string;
const path = '/api/v1/workflows/file/sessions';

test.before(async () => {
  service = await sharedService();
  ({ api, keyId } = await fraudCompany(service, ['file']));
});

type Audit = Readonly<{ events: readonly Readonly<{ data: object }>[] }>;

/** What the newest event of a submission holds, without what differs from one submission to the next. */
const storedLast = async (submissionId: string) => {
  const { events } = await service.intake<Audit>('audit', submissionId);
  const text = JSON.stringify(events.at(-1)?.data);
  return JSON.parse(
    text.replaceAll(/"(sub|fil|fm)_\w+"/g, '"$1"').replaceAll(/"(20\d\d-[^"]+Z|[\da-f]{64})"/g, '"own"'),
  );
};

const optionalMembers = ['webhookUrl', 'clientSubmissionId', 'metadata', 'batchRef', 'version', 'files'];
const all = (names: readonly string[], value: unknown) =>
  Object.fromEntries(names.map((name) => [name, value]));

test('a session that is opened with them is stored and echoed as one opened without', async () => {
  const without = (await api.post(path, {})).body;
  const texts = ['webhookUrl', 'clientSubmissionId', 'batchRef'];
  for (const body of [all(optionalMembers, null), all(texts, '')]) {
    const opened = await api.post(path, body);
    assert.is(opened.status, 201, opened.text);
    for (const name of ['clientSubmissionId', 'metadata', 'batchRef', 'workflow'])
      assert.equal(opened.body[name], without[name], name);
    assert.is(opened.body.uploads.length, without.uploads.length);
    assert.equal(await storedLast(opened.body.submissionId), await storedLast(without.submissionId));
  }
});

test('so are declared files', async () => {
  const file = { mimeType: 'application/json', fileSize: 5 };
  const without = (await api.post(path, { files: [file] })).body;
  for (const nothing of [null, '']) {
    const given = { ...file, ...all(['label', 'fileName', 'sha256'], nothing) };
    const opened = await api.post(path, { files: [given] });
    assert.is(opened.status, 201, opened.text);
    assert.is(opened.body.uploads[0].label, 'front');
    assert.equal(await storedLast(opened.body.submissionId), await storedLast(without.submissionId));
  }
});

for (const what of ['approve', 'reject', 'cancel'])
  test(`so is what ${what} is told`, async () => {
    const decided = async (body: object) => {
      const { copy } = newReceipt();
      const job = await api.process([copy({ date: undefined })], {}, 'file');
      assert.is(job.submissionStatus, 'review');
      const answer = await api.post(`/api/v1/submissions/${job.submissionId}/${what}`, body);
      assert.is(answer.status, 200, answer.text);
      return storedLast(job.submissionId);
    };
    const texts = what === 'approve' ? ['comment', 'actor'] : ['reason', 'actor'];
    const without = await decided({});
    assert.equal(
      await decided(all([...texts, ...(what === 'approve' ? ['corrections'] : [])], null)),
      without,
    );
    assert.equal(await decided(all(texts, '')), without);
  });

test('so is what a resolution is told: it is the key’s', async () => {
  for (const nothing of [null, '']) {
    const { copy } = newReceipt();
    await sent(api, 'file', [copy()]);
    const { id, fraudMatches } = await sent(api, 'file', [copy()]);
    const resolve = `/api/v1/submissions/${id}/fraud-matches/${fraudMatches[0].id}/resolve`;
    const answer = await api.post(resolve, {
      resolution: 'dismissed',
      comment: nothing,
      resolvedBy: nothing,
    });
    assert.equal([answer.status, answer.body.resolvedBy], [200, `key:${keyId}`]);
    assert.is((await storedLast(id)).private.comment, null);
  }
});

test('so is the status of those to be sent again, and the name of who completes an invitation', async () => {
  const times = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
  const people = await peopleOf(service);
  for (const nothing of [null, '']) {
    const body = { ...times, status: nothing };
    assert.is((await api.post('/api/v1/webhook-deliveries/redeliver', body)).status, 202);
    const { token } = await people.invite(people.newEmail());
    assert.is((await people.complete(token, PASSWORD, { name: nothing })).status, 201);
  }
  await people.close();
});

test('what is required, what is unknown and what is no text stays refused', async () => {
  const file = { mimeType: 'application/json', fileSize: 5 };
  for (const [body, pointer] of [
    [{ files: [{ ...file, mimeType: null }] }, '/files/0/mimeType'],
    [{ files: [{ ...file, fileSize: null }] }, '/files/0/fileSize'],
    [{ files: [null] }, '/files/0'],
    [{ files: [] }, '/files'],
    [{ files: '' }, '/files'],
    [{ version: '' }, '/version'],
    [{ metadata: '' }, '/metadata'],
    [{ nope: null }, '/nope'],
    [{ batchRef: ' ' }, '/batchRef'],
  ] as const) {
    const { status, body: problem } = await api.post(path, body);
    assert.equal([status, problem.errors?.[0].pointer], [422, pointer], JSON.stringify(body));
  }
  const test = await api.post('/api/v1/webhooks/test', { webhookUrl: '' });
  assert.equal([test.status, test.body.errors[0].pointer], [422, '/webhookUrl']);
});

test('what metadata and corrections hold stays as it is', async () => {
  const metadata = { a: null, b: '', c: [null, ''] };
  assert.equal((await api.post(path, { metadata })).body.metadata, metadata);
  const job = await api.process([newReceipt().copy({ date: undefined })], {}, 'file');
  const approve = `/api/v1/submissions/${job.submissionId}/approve`;
  assert.is((await api.post(approve, { corrections: { total: null } })).status, 200);
  const { extractedData } = (await api.get(`/api/v1/submissions/${job.submissionId}`)).body;
  assert.is(extractedData.total, null, 'a correction clears by it');
});

test('under an Idempotency-Key a body with them is another than one without', async () => {
  const headers = { 'idempotency-key': 'not-given' };
  assert.is((await api.post(path, {}, { headers })).status, 201);
  const again = await api.post(path, { webhookUrl: null }, { headers });
  assert.equal([again.status, again.body.code], [422, 'idempotency-key-reused']);
});
