import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import { submission, submissionStream } from '../../domain/submission/submission.ts';
import type { Answer, Received } from '../../scripts/receiver.ts';
import { eventually, suite } from '../harness.ts';
import { receiptText } from '../support/client.ts';
import { runIntake } from '../support/commandLine.ts';
import { openCore } from '../support/core.ts';
import { receiptDefinition } from '../support/definition.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('sync');
const SECRET = 'the secret of the ERP';
let service: TestService;
const script = new Map<string, Answer[]>();
test.before(async () => {
  service = await startService(
    { ERP_SECRET: SECRET },
    { answer: ({ path }) => script.get(path)?.shift() ?? {} },
  );
});
test.after(() => service.close());

/** A company whose workflow of this name syncs to the path of that name. */
const company = (slug: string, answers: Answer[] = [], over: object = {}, mode: 'live' | 'test' = 'live') => {
  script.set(`/${slug}`, answers);
  const sync = { url: `${service.receiver.url}/${slug}`, secretEnv: 'ERP_SECRET' };
  const processing = { ...receiptDefinition.processing, sync, ...over };
  return service.company({ ...receiptDefinition, slug, processing }, mode);
};
type Company = Awaited<ReturnType<typeof company>>;

const received = (slug: string): Promise<Received> =>
  service.receiver.waitFor(({ path }) => path === `/${slug}`);
const on = (slug: string) => service.receiver.requests.filter(({ path }) => path === `/${slug}`);
const detail = async ({ api }: Company, { submissionId }: { submissionId: string }) =>
  (await api.get(`/api/v1/submissions/${submissionId}`)).body;
const becomes = (of: Company, job: { submissionId: string }, status: string) =>
  eventually(`the sync is ${status}`, async () => {
    const found = await detail(of, job);
    return found.sync?.status === status && found;
  });

test('what the machine approved is sent on, signed with the named secret, and becomes synced [extractors-4, sync-1]', async () => {
  const own = await company('machine');
  const job = await own.api.process([receiptText()], { clientSubmissionId: 'order-7' }, 'machine');
  const { headers, body, method } = await received('machine');
  new Webhook(`whsec_${Buffer.from(SECRET).toString('base64')}`).verify(
    body.toString(),
    headers as Record<string, string>,
  );
  assert.equal(
    [
      method,
      headers['content-type'],
      headers['user-agent'],
      headers['idempotency-key'],
      headers['webhook-id'],
    ],
    ['POST', 'application/json', 'service-sync/1.0', job.submissionId, job.submissionId],
  );
  const sent = JSON.parse(body.toString());
  assert.equal(
    [sent.submissionId, sent.mode, sent.approvedBy, sent.clientSubmissionId, sent.extractedData],
    [
      job.submissionId,
      'live',
      'machine',
      'order-7',
      { company: 'ACME Trading', date: '2018-03-12', total: 80.9 },
    ],
  );
  const { sync, submissionStatus, events } = await becomes(own, job, 'synced');
  assert.is(submissionStatus, 'synced');
  assert.equal([sync.attempts, sync.lastError, sync.nextAttemptAt], [1, null, null]);
  assert.is(sync.lastAttemptAt, sync.syncedAt);
  assert.is(events.at(-1).type, 'submission.synced');
  assert.equal((await own.api.job(job)).body.state, 'completed');
});

test('what a reviewer approved is sent with the corrections; nothing goes out before [sync-1]', async () => {
  const own = await company('reviewed', [], { review: 'always' });
  const job = await own.api.process([receiptText()], {}, 'reviewed');
  assert.is((await detail(own, job)).sync, null);
  assert.is(on('reviewed').length, 0);
  const { status } = await own.api.post(`/api/v1/submissions/${job.submissionId}/approve`, {
    corrections: { total: 81 },
  });
  assert.is(status, 200);
  const sent = JSON.parse((await received('reviewed')).body.toString());
  assert.equal([sent.approvedBy, sent.extractedData.total], ['reviewer', 81]);
  await becomes(own, job, 'synced');
});

test('a failure shows what was wrong and when it is tried again, and the submission stays approved [sync-3]', async () => {
  const own = await company('failing', [
    { status: 302, headers: { location: `${service.receiver.url}/elsewhere` } },
  ]);
  const job = await own.api.process([receiptText()], {}, 'failing');
  const { sync, submissionStatus, events } = await becomes(own, job, 'retrying');
  assert.is(submissionStatus, 'approved');
  assert.equal([sync.attempts, sync.lastError], [1, 'answered 302: redirects are not followed']);
  assert.is(Date.parse(sync.nextAttemptAt) - Date.parse(sync.lastAttemptAt) >= 29_000, true);
  assert.equal([events.at(-1).type, events.at(-1).details.attempt], ['submission.sync_failed', 1]);
  assert.is(service.receiver.requests.filter(({ path }) => path === '/elsewhere').length, 0);
  assert.equal(await service.intake('submissions', 'sync', job.submissionId), {
    id: job.submissionId,
    count: 1,
  });
});

test('what was given up is sent again when an operator asks: the same bytes under the same key [sync-4]', async () => {
  const own = await company('given-up', [{ status: 500 }]);
  const job = await own.api.process([receiptText()], {}, 'given-up');
  await becomes(own, job, 'retrying');
  await giveUp(job.submissionId);
  const { sync } = await becomes(own, job, 'failed');
  assert.equal([sync.attempts, sync.nextAttemptAt, sync.lastError], [2, null, 'answered 418']);
  assert.equal(await service.intake('submissions', 'sync', job.sessionId), {
    id: job.submissionId,
    count: 1,
  });
  await becomes(own, job, 'synced');
  const [first, second] = on('given-up');
  assert.equal(second?.body, first?.body);
  assert.is(second?.headers['idempotency-key'], first?.headers['idempotency-key']);
});

/** As if the last attempt had failed: the schedule takes a day. */
const giveUp = async (submissionId: string): Promise<void> => {
  const core = await openCore(service.config);
  const correlationId = core.ids.event();
  const context = {
    actor: { kind: 'system', id: 'test' },
    correlationId,
    causationId: correlationId,
  } as const;
  const outcome = { statusCode: 418, durationMs: 1, error: 'answered 418' };
  const command = { type: 'RecordSyncFailure', attempt: 2, outcome, nextAttemptAt: null } as const;
  await core.handle(submission, submissionStream(submissionId), command, context);
  await core.close();
};

test('test data are sent too, and say so, but for those whose outcome is forced', async () => {
  const own = await company('tested', [], {}, 'test');
  await own.api.process([receiptText()], {}, 'tested');
  assert.is(JSON.parse((await received('tested')).body.toString()).mode, 'test');
  const forced = { metadata: { 'intake:outcome': 'approved' } };
  const job = await own.api.process([receiptText()], forced, 'tested');
  const shown = await detail(own, job);
  assert.equal([shown.submissionStatus, shown.sync], ['approved', null], 'what is forced is not sent');
  const refused = await runIntake(service.environment, 'submissions', 'sync', job.submissionId, '--json');
  assert.equal([refused.code, JSON.parse(refused.stderr).code], [1, 'submission-has-no-sync']);
  assert.is(on('tested').length, 1);
});

test('a version without a target sends nothing', async () => {
  const plain = await service.company();
  const job = await plain.api.process([receiptText()]);
  const { sync, submissionStatus } = await detail(plain, job);
  assert.equal([sync, submissionStatus], [null, 'approved']);
});
