import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { SubmissionSyncFailed } from '../../domain/submission/sync.ts';
import type { Attempt } from '../../domain/webhookDeliveryEvents.ts';
import type { Position } from '../../kernel/event.ts';
import type { SyncItem } from '../../projections/syncQueue.ts';
import { type SyncPorts, syncSubmission } from '../../reactors/syncSubmissions.ts';
import type { Claimed } from '../../stores/documents/port.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { recordedSending } from '../controls/sending.ts';
import { type Sessions, sessionsOn } from '../controls/sessions.ts';
import { failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { extracted, match, policy } from '../controls/submission.ts';
import { version } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('syncSubmission');
let stores: Stores;
let sessions: Sessions;
test.before(() => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
});
test.after(() => stores.remove());

const sync = { url: 'https://erp.example.com/hook?tenant=7', secretEnv: 'ERP_SECRET' };
const syncTo = 'https://erp.example.com';
const target = { ...version, processing: { ...version.processing, sync } };
const good: Attempt = { statusCode: 204, durationMs: 3, error: null };
const bad: Attempt = { statusCode: 503, durationMs: 12, error: 'answered 503' };
const cause = { correlationId: 'the request', causationId: 'its event', requestId: 'req-1' };
const unaborted = new AbortController().signal;

/** A worker whose sender gives `answer`, and what it saw. */
const worker = (answer: Attempt | Error, over: Partial<SyncPorts> = {}) => {
  const { sent, told, sender, lanes } = recordedSending(answer);
  const ports: SyncPorts = {
    ...stores,
    version: async () => target,
    secretOf: () => 'a secret',
    sender,
    lanes,
    onUnset: (setting) => void told.push(`unset ${setting}`),
    onGivenUp: (_id, error) => void told.push(`given up: ${error}`),
    ...over,
  };
  const attempt = (id: string, n = 1) => {
    const item: Claimed<SyncItem> = {
      id,
      position: '1' as Position,
      document: { id, lane: 'lane', dueAt: 'now', attempt: n, cause },
      fence: { lease: 'l', owner: 'o', token: 1 },
    };
    return syncSubmission(ports)(item, unaborted);
  };
  return { sent, told, attempt };
};

const approved = async (): Promise<string> => {
  const id = await sessions.inReview();
  const corrections = { company: 'ACME' };
  await sessions.run(id, { type: 'Approve', comment: null, actor: 'ann', corrections, syncTo });
  return id;
};
/** The events from the approval on. */
const eventsOf = async (id: string) => (await stores.log.load(submissionStream(id))).events.slice(5);
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);

test('approved data are sent once, with corrections, signed with the named secret', async () => {
  const id = await approved();
  const { attempt, sent, told } = worker(good);
  const position = await attempt(id);
  const events = await eventsOf(id);
  assert.equal(
    events.map(({ type }) => type),
    ['SubmissionSynced'],
  );
  assert.is(position, events[0]?.position);
  assert.is(events[0]?.metadata.$causationId, 'its event');
  assert.equal(told, ['started lane', 'finished lane true']);
  const [request] = sent;
  assert.is(request?.url, sync.url);
  assert.is(request?.headers['Idempotency-Key'], id);
  assert.equal(JSON.parse(String(request?.body)), {
    submissionId: id,
    sessionId: id.replace('sub_', 'ses_'),
    companyId: 'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d',
    mode: 'live',
    workflow: { slug: 'receipt', version: 1 },
    approvedAt: stores.clock.now().toISOString(),
    approvedBy: 'reviewer',
    extractedData: { total: 80.9, company: 'ACME' },
    fieldConfidences: { total: 0.95, company: 0 },
    corrections: [{ field: 'company', machineValue: null, humanValue: 'ACME' }],
    clientSubmissionId: 'order-1',
    metadata: { colour: 'blue' },
    batchRef: null,
  });
});

test('a secret is used as text, or as Standard Webhooks has it: its libraries take both', async () => {
  // The library holds a request's time to the machine's clock.
  const clock = { now: () => new Date() };
  const verifies = async (secret: string, key: string) => {
    const id = await approved();
    const { attempt, sent } = worker(good, { secretOf: () => secret, clock });
    await attempt(id);
    const headers = { ...sent[0]?.headers };
    new Webhook(key).verify(String(sent[0]?.body), headers);
    assert.throws(() => new Webhook(key).verify(`${sent[0]?.body} `, headers));
  };
  const bytes = Buffer.from('thirty-two bytes of a good secret').toString('base64');
  await Promise.all([
    verifies('plain text, ü', `whsec_${Buffer.from('plain text, ü').toString('base64')}`),
    verifies(`whsec_${bytes}`, `whsec_${bytes}`),
  ]);
});

test('an approval by the machine says so', async () => {
  const { submissionId: id } = await sessions.withFile();
  await sessions.submit(id);
  await sessions.run(id, { type: 'StartProcessing', maxAttempts: 6, at: stores.clock.now().toISOString() });
  await sessions.run(id, { type: 'RecordResult', round: 1, attempt: 1, result: extracted, syncTo });
  const { attempt, sent } = worker(good);
  await attempt(id);
  assert.is(JSON.parse(String(sent[0]?.body)).approvedBy, 'machine');
});

test('failures are tried again for a day: 30 s, 5 min, 30 min, then each hour, with the same bytes [sync-2]', async () => {
  const id = await approved();
  const { attempt, sent, told } = worker(bad);
  const began = stores.clock.now().getTime();
  const waits: number[] = [];
  for (let n = 1; ; n += 1) {
    await attempt(id, n);
    const { data } = (await eventsOf(id)).at(-1) as unknown as SubmissionSyncFailed;
    assert.equal([data.attempt, data.statusCode, data.error], [n, 503, 'answered 503']);
    if (data.nextAttemptAt === null) break;
    const wait = Date.parse(data.nextAttemptAt) - stores.clock.now().getTime();
    waits.push(wait / 1_000);
    stores.pass(wait);
  }
  assert.equal(waits, [30, 300, 1_800, ...Array.from({ length: 24 }, () => 3_600)]);
  assert.is(stores.clock.now().getTime() - began, (30 + 300 + 1_800 + 24 * 3_600) * 1_000);
  assert.is(new Set(sent.map(({ body }) => body)).size, 1);
  assert.equal(told.slice(-2), ['given up: answered 503', 'finished lane false']);
  assert.is(told.filter((line) => /given up/.test(line)).length, 1);
  assert.is(await attempt(id, 29), null, 'it was given up');
  await sessions.run(id, { type: 'RequestSync', syncTo });
  const again = worker(good);
  await again.attempt(id, 29);
  assert.is(again.sent[0]?.body, sent[0]?.body);
  assert.is((await typesOf(id)).at(-1), 'SubmissionSynced');
});

test('what comes after the approval changes nothing of what is sent', async () => {
  const { submissionId: id } = await sessions.withFile();
  await sessions.submit(id);
  await sessions.run(id, { type: 'StartProcessing', maxAttempts: 6, at: stores.clock.now().toISOString() });
  const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
  const fraud = { matches: [{ ...found, score: 0.3 }], policy };
  await sessions.run(id, {
    type: 'RecordResult',
    round: 1,
    attempt: 1,
    result: { ...extracted, fraud },
    syncTo,
  });
  const before = worker(bad);
  await before.attempt(id);
  const resolvedAt = stores.clock.now().toISOString();
  const judged = { resolution: 'confirmed', resolvedBy: 'ann', comment: null, resolvedAt } as const;
  await sessions.run(id, { type: 'ResolveFraudMatch', matchId: match.id, ...judged });
  const after = worker(good);
  await after.attempt(id, 2);
  assert.is(after.sent[0]?.body, before.sent[0]?.body);
});

test('an attempt that is in the log, or whose sync has ended, sends nothing', async () => {
  const id = await approved();
  const { attempt, sent } = worker(bad);
  await attempt(id);
  assert.is(await attempt(id), null, 'the queue is behind');
  await worker(good).attempt(id, 2);
  assert.is(await attempt(id, 3), null);
  assert.is(sent.length, 1);
});

test('an unset setting is a failure that is reported, without a request', async () => {
  const id = await approved();
  const { attempt, sent, told } = worker(good, { secretOf: () => null });
  await attempt(id);
  const { data } = (await eventsOf(id))[0] as unknown as SubmissionSyncFailed;
  assert.equal([data.statusCode, data.error], [null, 'the secret that signs is not set']);
  assert.ok(data.nextAttemptAt);
  assert.equal(told, ['started lane', 'unset ERP_SECRET', 'finished lane false']);
  assert.is(sent.length, 0);
});

test('what was redacted is given up at once and never sent', async () => {
  const id = await approved();
  await stores.keys.destroy(id, DESTRUCTION);
  const { attempt, sent } = worker(good);
  await attempt(id);
  const { data } = (await eventsOf(id))[0] as unknown as SubmissionSyncFailed;
  assert.equal([data.error, data.nextAttemptAt], ['what was to be sent is not kept any more', null]);
  assert.is(sent.length, 0);
});

test('a crash between the POST and its record sends the same bytes again, under the same keys', async () => {
  const id = await approved();
  const dying = worker(good, { handle: () => Promise.reject(new Error('killed')) });
  assert.is((await failure(dying.attempt(id))).message, 'killed');
  const again = worker(good);
  await again.attempt(id);
  const [before, after] = [dying.sent[0], again.sent[0]];
  assert.is(after?.body, before?.body);
  for (const name of ['Idempotency-Key', 'webhook-id'])
    assert.is(after?.headers[name], before?.headers[name]);
  assert.equal(await typesOf(id), ['SubmissionSynced']);
});

test('an attempt that was called off, or failed by a fault of our own, is none', async () => {
  const id = await approved();
  const { attempt, told } = worker(new Error('no file handles'));
  assert.is((await failure(attempt(id))).message, 'no file handles');
  assert.equal(await typesOf(id), []);
  assert.is(told.at(-1), 'finished lane null');
});
