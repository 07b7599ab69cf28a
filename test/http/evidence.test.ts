import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { readPublicKey } from '../../evidence/keys.ts';
import { openPackage } from '../../evidence/package/open.ts';
import { verifyPackage } from '../../evidence/verify.ts';
import { eventually, suite } from '../harness.ts';
import { client, receiptText } from '../support/client.ts';
import { receiptDefinition } from '../support/definition.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('evidence over HTTP');
const folder = mkdtempSync(join(tmpdir(), 'intake-evidence-http-'));
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let company: Awaited<ReturnType<TestService['company']>>;
test.before(async () => {
  service = await startService();
  people = await peopleOf(service);
  company = await service.company({ ...receiptDefinition, processing: { review: 'always' } });
});
test.after(async () => {
  await people.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

const inReview = async (more: object = {}): Promise<string> =>
  (await company.api.process([receiptText()], more)).submissionId;
const pathOf = (submissionId: string): string => `/api/v1/submissions/${submissionId}/evidence`;

type User = Awaited<ReturnType<typeof people.user>>;

/** An export as its bytes; the token is that of a session of its own. */
const download = async (user: User, submissionId: string) => {
  const { token } = (await people.logIn(user.email)).body;
  const response = await fetch(`${service.url}${pathOf(submissionId)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

let count = 0;
/** A package as a verifier finds it. */
const verified = async (bytes: Buffer) => {
  count += 1;
  const path = join(folder, `${count}.zip`);
  writeFileSync(path, bytes);
  const { body } = await client(service.url, null).get('/api/v1/evidence-key');
  const key = readPublicKey(body.publicKey);
  if (key === null) throw new Error('it is no public key');
  assert.is(key.id, body.id);
  const source = await openPackage(path);
  try {
    const { manifest, findings } = await verifyPackage(source, key);
    const events = (await buffer(Readable.from(source.read('events.jsonl')))).toString().trim().split('\n');
    return { manifest, findings, events: events.map((line) => JSON.parse(line)) };
  } finally {
    await source.close();
  }
};

test('the evidence that people get holds by the public key [audit-4, audit-6]', async () => {
  const submissionId = await inReview();
  const auditor = await people.user(company.id, 'auditor');
  const { response, bytes } = await download(auditor, submissionId);
  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'application/zip');
  assert.is(
    response.headers.get('content-disposition'),
    `attachment; filename="evidence-${submissionId}.zip"`,
  );
  const { manifest, findings } = await verified(bytes);
  assert.equal([findings, manifest?.submissionId], [[], submissionId]);
  assert.is(manifest?.files.filter(({ path }) => path.startsWith('files/')).length, 1);
});

test('it is the package that the command line makes of the same events [audit-4]', async () => {
  const submissionId = await inReview();
  const { bytes } = await download(await people.user(company.id, 'org_admin'), submissionId);
  const path = join(folder, 'by-command.zip');
  await service.intake('audit', 'export', submissionId, '--out', path);
  const [overHttp, byCommand] = [await verified(bytes), await openPackage(path)];
  const names = byCommand.entries.map((entry) => entry.path).sort();
  const lines = (await buffer(Readable.from(byCommand.read('events.jsonl')))).toString().trim().split('\n');
  await byCommand.close();
  assert.equal(
    overHttp.events,
    lines.map((line) => JSON.parse(line)),
  );
  const own = overHttp.manifest?.files.map((file) => file.path) ?? [];
  assert.equal([...own, 'manifest.json', 'manifest.sig'].sort(), names);
});

const exportsOf = async ({ api }: User, submissionId: string) =>
  (await api.get(`${pathOf(submissionId)}/exports`)).body;

test('exports are listed newest first, and change nothing of the submission [audit-5, audit-7]', async () => {
  const submissionId = await inReview({ webhookUrl: `${service.receiver.url}/exported` });
  const told = () => service.receiver.requests.filter(({ path }) => path === '/exported').length;
  await eventually('the first webhook', () => told() === 1);
  const shown = async () => {
    const { headers, body } = await company.api.get(`/api/v1/submissions/${submissionId}`);
    const events = await company.api.get(`/api/v1/submissions/${submissionId}/events?limit=100`);
    const { files: _, ...detail } = body;
    return { etag: headers.get('etag') ?? '', detail, events: events.body };
  };
  const before = await shown();
  const [user, other] = [
    await people.user(company.id, 'auditor'),
    await people.user(company.id, 'org_admin'),
  ];
  const pagination = { hasMore: false, nextCursor: null };
  assert.equal(await exportsOf(user, submissionId), { data: [], pagination, total: 0 });
  for (const one of [user, other]) assert.is((await download(one, submissionId)).response.status, 200);
  const { data, total } = await exportsOf(user, submissionId);
  assert.is(total, 2);
  assert.equal(
    data.map(({ actor }: { actor: object }) => actor),
    [other, user].map(({ userId: id }) => ({ kind: 'user', id })),
  );
  const { exportedAt, requestId, key } = data[0];
  assert.ok(exportedAt >= data[1].exportedAt && Date.parse(exportedAt) > 0);
  assert.match(key, /^[0-9a-f]{16}$/);
  assert.ok(requestId);
  assert.equal(await shown(), before, 'neither revision nor history nor time');
  const approved = await company.api.post(
    `/api/v1/submissions/${submissionId}/approve`,
    {},
    {
      headers: { 'if-match': before.etag },
    },
  );
  assert.is(approved.status, 200, 'a decision on what was read before holds');
  await eventually('the decision is told', () => told() === 2);
});

test('a HEAD gets the headers, and is no export [audit-5]', async () => {
  const submissionId = await inReview();
  const auditor = await people.user(company.id, 'auditor');
  const { token } = (await people.logIn(auditor.email)).body;
  const head = await fetch(`${service.url}${pathOf(submissionId)}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal([head.status, head.headers.get('content-type')], [200, 'application/zip']);
  assert.is((await exportsOf(auditor, submissionId)).total, 0);
});

test('a reviewer and a key export nothing, and a refusal leaves no event [people-1]', async () => {
  const submissionId = await inReview();
  const reviewer = await people.user(company.id, 'reviewer');
  for (const path of [pathOf(submissionId), `${pathOf(submissionId)}/exports`])
    assert.is((await reviewer.api.get(path)).body.code, 'role-required');
  assert.is((await company.api.get(pathOf(submissionId))).status, 401);
  const stranger = await people.user((await service.company()).id, 'auditor');
  assert.is((await stranger.api.get(pathOf(submissionId))).status, 404);
  const auditor = await people.user(company.id, 'auditor');
  const inTest = { headers: { 'intake-mode': 'test' } };
  assert.is((await auditor.api.get(pathOf(submissionId), inTest)).status, 404);
  const page = await auditor.page();
  const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
  assert.is((await page.api.get(pathOf(submissionId), foreign)).body.code, 'origin-not-allowed');
  assert.is((await exportsOf(auditor, submissionId)).total, 0);
  assert.is((await page.withoutToken.get(pathOf(submissionId))).status, 200, 'a link of a page is enough');
});

test('a super_admin names the company, and may export [people-4]', async () => {
  const submissionId = await inReview();
  const { api } = await people.user();
  assert.is((await api.get(pathOf(submissionId))).body.code, 'company-required');
  const naming = { headers: { 'intake-company': company.id } };
  assert.is((await api.get(pathOf(submissionId), naming)).status, 200);
});

/** Begins an export and reads no more than its head; `leave` breaks the connection. */
const begin = async (token: string, submissionId: string) => {
  const request = get(`${service.url}${pathOf(submissionId)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const status = await new Promise<number>((resolve, reject) => {
    request.once('response', (response) => {
      response.on('error', () => undefined);
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
  });
  return { status, leave: () => request.destroy() };
};

test('three exports of a person go on at once, one more is a 429; one that is left makes room [audit-4]', async () => {
  // More than the buffers between the two ends hold.
  const large = { content: Buffer.alloc(1_000_000, 'a').toString(), mimeType: 'text/plain' };
  const files = Array.from({ length: 16 }, () => large);
  const upload = { ...receiptDefinition.upload, maxFiles: files.length, fileLabels: [] };
  const company = await service.company({ ...receiptDefinition, slug: 'sixteen', upload });
  const { submissionId } = await company.api.process(files, {}, 'sixteen');
  const auditor = await people.user(company.id, 'auditor');
  const { token } = (await people.logIn(auditor.email)).body;
  const running = [];
  for (const _ of [1, 2, 3]) running.push(await begin(token, submissionId));
  assert.equal(
    running.map(({ status }) => status),
    [200, 200, 200],
  );
  const refused = await auditor.api.get(pathOf(submissionId));
  assert.equal([refused.status, refused.headers.get('retry-after')], [429, '1']);
  const other = await people.user(company.id, 'auditor');
  assert.is((await other.api.get(pathOf(submissionId))).status, 200, 'another person has three, too');
  running[0]?.leave();
  await eventually('there is room', async () => (await auditor.api.get(pathOf(submissionId))).status === 200);
  for (const { leave } of running) leave();
});
