import * as assert from 'uvu/assert';
import { INVITATION_MS, invitationStream } from '../../../domain/invitation.ts';
import { mailQueries } from '../../../projections/mailQueue.ts';
import { mailedOver } from '../../controls/identity.ts';
import { context } from '../../controls/stores.ts';
import { DAY_MS, GRACE_MS, type SweepStage, sweepStage } from '../../controls/sweeps.ts';
import { suite } from '../../harness.ts';

const test = suite('sweep');
let stage: SweepStage;
test.before(() => {
  stage = sweepStage();
});
test.after(() => stage.remove());

const cancel = { type: 'Cancel', reason: null, actor: null } as const;

test('a batch completes as soon as its newest session is as old as the grace, and not before [batches-7]', async () => {
  const batchRef = stage.newRef();
  await stage.sessions.inReview({ batchRef });
  await stage.sweep();
  stage.pass(GRACE_MS - 1);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), false);
  stage.pass(1);
  await stage.sweep();
  const [event] = await stage.completions(batchRef);
  assert.equal(event?.data.counts, { total: 1, processed: 1, review: 1, failed: 0, approved: 0 });
  assert.is(event?.data.completedAt, stage.clock.now().toISOString());
  assert.equal(event?.metadata.actor, { kind: 'system', id: 'sweep' });
});

test('a session that is not processed holds its batch open', async () => {
  const batchRef = stage.newRef();
  await stage.sessions.inReview({ batchRef });
  const { submissionId } = await stage.sessions.withFile({ batchRef });
  await stage.sessions.submit(submissionId);
  stage.pass(2 * GRACE_MS);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), false);
});

test('a newer session starts the grace anew [batches-8]', async () => {
  const batchRef = stage.newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS - 1);
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS - 1);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), false);
  stage.pass(1);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), true);
});

test('when the newest session leaves the set, grace counts from the next', async () => {
  const batchRef = stage.newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(1_000);
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS - 1_000);
  const { submissionId } = await stage.sessions.opened({ batchRef });
  await stage.sessions.run(submissionId, cancel);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), false, 'the first is old enough, the second is not');
  assert.equal(stage.lines, [], 'that is no failure');
  stage.pass(1_000);
  await stage.sweep();
  const [event] = await stage.completions(batchRef);
  assert.is(event?.data.counts.total, 2);
});

test('a batch that all sessions have left completes with counts of 0 when the last one left as long ago as the grace, once [batches-6]', async () => {
  const batchRef = stage.newRef();
  const addressed = await stage.sessions.opened({ batchRef, webhookUrl: 'https://example.com/one' });
  stage.pass(1_000);
  const last = await stage.sessions.opened({ batchRef, webhookUrl: null });
  stage.pass(2 * GRACE_MS);
  for (const { submissionId } of [addressed, last]) await stage.sessions.run(submissionId, cancel);
  stage.pass(GRACE_MS - 1);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), false);
  stage.pass(1);
  await stage.sweep();
  await stage.sweep();
  assert.is(await stage.completed(batchRef), true);
  const [event] = await stage.completions(batchRef);
  assert.equal(event?.data.counts, { total: 0, processed: 0, review: 0, failed: 0, approved: 0 });
  assert.is(event?.data.submissionId, addressed.submissionId, 'the newest that had an address is told');
  assert.equal(event?.data.private, { batchRef, webhookUrl: 'https://example.com/one' });
  const { status, counts, completedAt } = (await stage.shown(batchRef)) ?? {};
  assert.equal([status, counts?.total, completedAt], ['completed', 0, event?.data.completedAt]);
});

test('a session that joins a batch that all others have left starts the grace anew, and is the newest', async () => {
  const batchRef = stage.newRef();
  const { submissionId } = await stage.sessions.opened({ batchRef });
  await stage.sessions.run(submissionId, cancel);
  stage.pass(GRACE_MS - 1);
  const next = await stage.sessions.inReview({ batchRef });
  stage.pass(1);
  await stage.sweep();
  assert.is(await stage.completed(batchRef), false);
  stage.pass(GRACE_MS - 1);
  await stage.sweep();
  const [event] = await stage.completions(batchRef);
  assert.equal([event?.data.counts.total, event?.data.submissionId], [1, next]);
});

test('later sessions raise the counts and complete nothing again', async () => {
  const batchRef = stage.newRef();
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS);
  await stage.sweep();
  const before = await stage.shown(batchRef);
  await stage.sessions.inReview({ batchRef });
  stage.pass(GRACE_MS);
  await stage.sweep();
  const after = await stage.shown(batchRef);
  assert.equal([before?.counts.total, after?.counts.total], [1, 2]);
  assert.equal([after?.status, after?.completedAt], ['completed', before?.completedAt]);
  assert.is(await stage.completed(batchRef), true);
});

test('a pending session expires when its time is over, and leaves its batch [batches-5]', async () => {
  const batchRef = stage.newRef();
  const { submissionId } = await stage.sessions.opened({ batchRef });
  stage.pass(1);
  await stage.sessions.inReview({ batchRef });
  stage.pass(DAY_MS - 2);
  await stage.settled();
  await stage.sweep();
  assert.equal(await stage.typesOf(submissionId), ['SessionCreated']);
  stage.pass(1);
  await stage.sweep();
  assert.equal(await stage.typesOf(submissionId), ['SessionCreated', 'SessionExpired']);
  await stage.sweep();
  assert.equal((await stage.completions(batchRef))[0]?.data.counts.total, 1);
});

test('a submitted session does not expire, though the read models still show it as pending', async () => {
  const { submissionId } = await stage.sessions.withFile();
  await stage.settled();
  await stage.sessions.submit(submissionId);
  stage.pass(DAY_MS);
  await stage.node({ progress: { reached: async () => true } })();
  assert.equal(await stage.typesOf(submissionId), ['SessionCreated', 'SessionSubmitted']);
  await stage.settled();
});

test('a completion notifies the newest session in the set that has an address, else nobody', async () => {
  const batchRef = stage.newRef();
  const addressed = await stage.sessions.inReview({
    batchRef,
    webhookUrl: 'https://example.com/one',
    keyId: 'key_1',
  });
  stage.pass(1);
  await stage.sessions.inReview({ batchRef, webhookUrl: null });
  stage.pass(1);
  const gone = await stage.sessions.opened({ batchRef, webhookUrl: 'https://example.com/gone' });
  await stage.sessions.run(gone.submissionId, cancel);
  const silent = stage.newRef();
  const only = await stage.sessions.inReview({ batchRef: silent, webhookUrl: null });
  stage.pass(GRACE_MS);
  await stage.sweep();
  const [event] = await stage.completions(batchRef);
  const { submissionId, keyId, notifies } = event?.data ?? {};
  assert.equal([submissionId, keyId, notifies], [addressed, 'key_1', true]);
  assert.equal(event?.data.private, { batchRef, webhookUrl: 'https://example.com/one' });
  const [quiet] = await stage.completions(silent);
  assert.equal([quiet?.data.submissionId, quiet?.data.notifies], [only, false]);
});

test('a mail that nobody sends leaves the queue once its invitation has expired, and is seen as given up [mails-4]', async () => {
  const commands = mailedOver(stage);
  const invite = (email: string) => commands.invite({ email, role: 'super_admin', companyId: null }, context);
  const { id } = await invite('nobody-mails@example.com');
  const waiting = async (): Promise<readonly string[]> => {
    await stage.settled();
    const { items } = await mailQueries(stage.documents.models).dueBefore('9999', 10, null);
    return items.map((item) => item.id);
  };
  stage.pass(INVITATION_MS - 1);
  const later = await invite('later@example.com');
  assert.equal(await waiting(), [id, later.id]);
  await stage.sweep();
  assert.equal(await waiting(), [id, later.id]);
  stage.pass(1);
  await stage.sweep();
  assert.equal(await waiting(), [later.id]);
  const { events } = await stage.log.load(invitationStream(id));
  const { type, data } = events.at(-1) ?? {};
  assert.is(type, 'InvitationMailFailed');
  const why = 'not sent: it has expired';
  assert.equal(data, { invitationId: id, attempt: 1, error: why, nextAttemptAt: null });
  await stage.sweep();
  assert.is((await stage.log.load(invitationStream(id))).events.length, 2);
});
