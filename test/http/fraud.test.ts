import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { rounds, suite } from '../harness.ts';
import type { Client } from '../support/client.ts';
import { detailOf, fraudCompany, newReceipt, sent } from '../support/fraud.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('fraud checks');
let service: TestService;
let companyId: string;
let api: Client;
let testMode: Client;
let foreign: Client;

test.before(async () => {
  service = await startService({ WORKERS: '2' });
  const company = await fraudCompany(service, [
    'both',
    'file',
    'data',
    'same',
    'near',
    'strict',
    'always',
    'json',
  ]);
  ({ id: companyId, api } = company);
  testMode = (await service.key(companyId, 'test')).api;
  const other = await service.intake<{ id: string }>('company', 'create', '--name', 'Other');
  await service.intake('workflow', 'assign', 'both', '--company', other.id);
  foreign = (await service.key(other.id)).api;
});
test.after(() => service.close());

type Detail = Awaited<ReturnType<typeof detailOf>>;
const matched = ({ fraudMatches }: Detail) =>
  fraudMatches.map((match: Readonly<Record<string, unknown>>) => [
    match.checkType,
    match.matchedSubmissionId,
  ]);
const fraudOf = ({ submissionStatus, fraudStatus, fraudScore }: Detail) => [
  submissionStatus,
  fraudStatus,
  fraudScore,
];
const decide = (submission: Detail, what: string) => api.post(`/api/v1/submissions/${submission.id}/${what}`);

test('the first of its kind is clean, 0, without matches', async () => {
  const first = await sent(api, 'both', [newReceipt().copy()]);
  assert.equal([...fraudOf(first), first.fraudMatches], ['approved', 'clean', 0, []]);
});

test('the same file again is blocked: a review with reason fraud_blocked, and a match that tells which files [fraud-1]', async () => {
  const { copy } = newReceipt();
  const first = await sent(api, 'file', [copy()]);
  const again = await sent(api, 'file', [copy()]);
  assert.equal(fraudOf(again), ['review', 'blocked', 1]);
  assert.equal(again.reviewReasons, [{ code: 'fraud_blocked', field: null }]);
  const [{ id, ...match }] = again.fraudMatches;
  assert.match(id, /^fm_[0-9a-z]{26}$/);
  const pair = {
    fileId: again.files[0].id,
    label: 'front',
    matchedFileId: first.files[0].id,
    matchedLabel: 'front',
  };
  assert.equal(match, {
    checkType: 'duplicate_file',
    status: 'open',
    resolution: null,
    resolvedBy: null,
    resolvedAt: null,
    score: 1,
    similarity: 1,
    matchedSubmissionId: first.id,
    label: first.label,
    details: { files: [pair] },
  });
});

test('one of several files is enough, in whatever slot', async () => {
  const { copy, rewritten } = newReceipt();
  const first = await sent(api, 'file', [rewritten(), copy()]);
  const again = await sent(api, 'file', [copy(), rewritten()]);
  assert.equal(matched(again), [['duplicate_file', first.id]]);
  const [{ label, matchedLabel }] = again.fraudMatches[0].details.files;
  assert.equal([label, matchedLabel], ['front', 'back']);
});

test('a file that was uploaded twice in one submission is no match with itself', async () => {
  const { copy } = newReceipt();
  const only = await sent(api, 'file', [copy(), copy()]);
  assert.equal([only.fraudStatus, only.fraudMatches], ['clean', []]);
});

test('the same data in another file are flagged: a review with reason fraud_flagged, and a match that tells the key’s fields [fraud-3]', async () => {
  const { rewritten, company } = newReceipt();
  const first = await sent(api, 'data', [rewritten()]);
  const again = await sent(api, 'data', [
    rewritten({ company: ` ${company.toUpperCase().replace(' ', '-')}.` }),
  ]);
  assert.equal(fraudOf(again), ['review', 'flagged', 0.8]);
  assert.equal(again.reviewReasons, [{ code: 'fraud_flagged', field: null }]);
  assert.equal(matched(again), [['duplicate_data', first.id]]);
  assert.equal(again.fraudMatches[0].details, { fields: ['company', 'date', 'total'] });
  const other = await sent(api, 'data', [rewritten({ total: 80.91 })]);
  assert.equal([other.fraudStatus, other.fraudMatches], ['clean', []]);
});

test('a business key with a missing part never matches [fraud-4]', async () => {
  const { rewritten } = newReceipt();
  for (let n = 0; n < 2; n += 1) {
    const { fraudStatus, fraudMatches } = await sent(api, 'data', [rewritten({ total: undefined })]);
    assert.equal([fraudStatus, fraudMatches], ['clean', []]);
  }
});

test('only the checks that the version names are made', async () => {
  const { copy, rewritten } = newReceipt();
  const first = await sent(api, 'both', [copy()]);
  assert.equal(matched(await sent(api, 'file', [rewritten()])), []);
  assert.equal(matched(await sent(api, 'strict', [copy()])), [['duplicate_data', first.id]]);
});

test('texts are no near duplicates of each other', async () => {
  const { copy } = newReceipt();
  for (let n = 0; n < 2; n += 1) {
    const { fraudStatus, fraudScore, fraudMatches } = await sent(api, 'near', [copy()]);
    assert.equal([fraudStatus, fraudScore, fraudMatches], ['clean', 0, []]);
  }
});

test(
  'there is one match a check and submission, and the score is the greatest',
  async () => {
    const { copy } = newReceipt();
    const one = await sent(api, 'both', [copy()]);
    const two = await sent(api, 'both', [copy(), copy()]);
    const three = await sent(api, 'both', [copy(), copy()]);
    assert.equal(matched(three), [
      ['duplicate_file', two.id],
      ['duplicate_file', one.id],
      ['duplicate_data', two.id],
      ['duplicate_data', one.id],
    ]);
    assert.equal(fraudOf(three), ['review', 'blocked', 1]);
  },
  { timeoutMs: 60_000 },
);

test('a version draws its own lines', async () => {
  const { rewritten } = newReceipt();
  await sent(api, 'data', [rewritten()]);
  assert.equal(fraudOf(await sent(api, 'strict', [rewritten()])), ['review', 'blocked', 0.8]);
});

test('matches are found across workflows, also where the key’s fields stand in another order [fraud-6]', async () => {
  const { copy } = newReceipt();
  const first = await sent(api, 'both', [copy()]);
  assert.equal(matched(await sent(api, 'file', [copy()])), [['duplicate_file', first.id]]);
  assert.equal(matched(await sent(api, 'same', [copy()])), [['duplicate_data', first.id]]);
});

test('never across companies [fraud-5]', async () => {
  const { copy } = newReceipt();
  await sent(foreign, 'both', [copy()]);
  assert.equal(matched(await sent(api, 'both', [copy()])), []);
});

test('never across modes [fraud-5]', async () => {
  const { copy } = newReceipt();
  await sent(api, 'both', [copy()]);
  assert.equal(matched(await sent(testMode, 'both', [copy()])), []);
  assert.is((await sent(testMode, 'both', [copy()])).fraudMatches.length, 2, 'but within test mode');
});

test('with what any key of the company sent', async () => {
  const { copy } = newReceipt();
  const otherKey = (await service.key(companyId)).api;
  const first = await sent(api, 'file', [copy()]);
  assert.equal(matched(await sent(otherKey, 'file', [copy()])), [['duplicate_file', first.id]]);
});

test(
  'candidates are submissions in review, approved and rejected',
  async () => {
    const { copy } = newReceipt();
    const approved = await sent(api, 'always', [copy()]);
    assert.is((await decide(approved, 'approve')).status, 200);
    const rejected = await sent(api, 'always', [copy()]);
    assert.equal(matched(rejected), [['duplicate_file', approved.id]]);
    assert.is((await decide(rejected, 'reject')).status, 200);
    const inReview = await sent(api, 'always', [copy()]);
    assert.equal(matched(await sent(api, 'file', [copy()])), [
      ['duplicate_file', inReview.id],
      ['duplicate_file', rejected.id],
      ['duplicate_file', approved.id],
    ]);
  },
  { timeoutMs: 60_000 },
);

test('sending again after a cancellation is no fraud [fraud-7]', async () => {
  const { copy } = newReceipt();
  const first = await sent(api, 'always', [copy()]);
  assert.is((await decide(first, 'cancel')).status, 200);
  const again = await sent(api, 'always', [copy()]);
  assert.equal([again.fraudStatus, again.fraudMatches], ['clean', []]);
  assert.equal(matched(await sent(api, 'file', [copy()])), [['duplicate_file', again.id]]);
});

test('sending again after a failure is no fraud, and what fails has no fraud status [fraud-7]', async () => {
  const content = `${newReceipt().company}\n12/03/2018\nTotal 80.90`;
  const text = { content, mimeType: 'text/plain' };
  const failed = await sent(api, 'json', [text]);
  assert.equal([...fraudOf(failed), failed.fraudMatches], ['failed', null, null, []]);
  const again = await sent(api, 'file', [text]);
  assert.equal([again.fraudStatus, again.fraudMatches], ['clean', []]);
});

test('the history tells of fingerprints and of the check', async () => {
  const { events } = await sent(api, 'both', [newReceipt().copy()]);
  const told = events.slice(3).map(({ type, details }: Detail) => [type, details]);
  assert.equal(told.slice(0, 2), [
    ['submission.fingerprinted', { round: 1, checks: ['duplicate_file', 'duplicate_data'] }],
    ['submission.fraud_checked', { fraudStatus: 'clean', fraudScore: 0, matches: 0 }],
  ]);
  assert.is(told[2][0], 'submission.processed');
});

test('a fingerprint is no hash of the file, and another one in each company, mode and check', async () => {
  const file = newReceipt().copy();
  const values = new Set<string>();
  for (const key of [api, testMode, foreign]) {
    const { id } = await sent(key, 'both', [file]);
    const { events } = await service.intake<{ events: readonly Detail[] }>('audit', id);
    const event = events.find(({ type }) => /fingerprinted/i.test(type));
    for (const { value } of event.data.fingerprints) values.add(value);
  }
  assert.is(values.size, 6);
  for (const value of values) assert.match(value, /^[0-9a-f]{64}$/);
  assert.not.ok(values.has(createHash('sha256').update(file.content).digest('hex')));
});

test(
  'of duplicates submitted at the same moment all but the first are caught, each one matching all before it [fraud-8]',
  async () => {
    const many = rounds(8, 40);
    for (let round = 0; round < rounds(1, 4); round += 1) {
      const { copy } = newReceipt();
      const sessions = await Promise.all(Array.from({ length: many }, () => api.open([copy()], {}, 'both')));
      const answers = await Promise.all(sessions.map((session) => api.submit(session, 'both')));
      for (const { status } of answers) assert.is(status, 202);
      const details = await Promise.all(
        sessions.map(async (session) => {
          await api.ended(session, 60_000);
          return detailOf(api, session.submissionId);
        }),
      );
      const statuses = details.map(({ fraudStatus }) => fraudStatus).sort();
      assert.equal(statuses, [...Array(many - 1).fill('blocked'), 'clean']);
      const counts = details.map(({ fraudMatches }) => fraudMatches.length).sort((a, b) => a - b);
      assert.equal(
        counts,
        Array.from({ length: many }, (_, n) => Math.min(100, 2 * n)),
      );
    }
  },
  { timeoutMs: 300_000 },
);
