import type { InvitationEvent } from '../../domain/invitation.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import type { WebhookDeliveryEvent } from '../../domain/webhookDeliveryEvents.ts';
import { deliveries } from '../../projections/deliveries.ts';
import { deliveryQueue } from '../../projections/deliveryQueue.ts';
import { mailQueue } from '../../projections/mailQueue.ts';
import { processingQueue } from '../../projections/processingQueue.ts';
import { syncQueue } from '../../projections/syncQueue.ts';
import { deliveryFacts, examples, idOf, logged, timeOf, variants } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { historyOf, processed, routing, synced } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('projections of due work');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const { submissionId, companyId, mode, keyId } = routing;
const causeOf = (n: number) => ({ correlationId: 'c', causationId: idOf(n) });
const processing = (events: readonly SubmissionEvent[]) =>
  given(processingQueue, logged(events), () => stores);
/** Due on account of the `n`th event. */
const item = (dueAt: string, n: number) => ({
  [submissionId]: { id: submissionId, lane: `${companyId} live`, dueAt, cause: causeOf(n) },
});

test('a session that was not submitted is no work', () => processing(historyOf.created).then({}));
test('a submitted session is due at once', () =>
  processing(historyOf.processing.slice(0, 2)).then(item(timeOf(2), 2)));
test('it stays due while an attempt runs: the lease holds it', () =>
  processing(historyOf.processing).then(item(timeOf(2), 2)));
test('an attempt that was delayed is due later', () =>
  processing([...historyOf.processing, examples.SubmissionProcessingDelayed]).then(
    item('2026-11-21T10:05:00.000Z', 4),
  ));
for (const status of ['review', 'approved', 'failed', 'capture_quality_blocked'] as const) {
  test(`nothing is due once it is ${status}`, () => processing(historyOf[status]).then({}));
}
test('nothing is due once it is cancelled, whatever comes too late', () =>
  processing([
    ...historyOf.processing,
    examples.SubmissionCancelled,
    examples.SubmissionProcessingDelayed,
    examples.SubmissionResultDropped,
  ]).then({}));
for (const outcome of ['created', 'processing'] as const)
  test(`nothing is due of one that is forced to stay ${outcome}`, () => {
    const [opened, submit] = historyOf.processing;
    if (!opened || submit?.type !== 'SessionSubmitted') throw new Error('it was not submitted');
    const forced = { ...submit, data: { ...submit.data, forced: { outcome, fraud: null } } };
    return processing([opened, forced]).then({});
  });
test('one that an http extractor reads waits in a lane of its origin, in a new round too', async () => {
  const lane = `${companyId} live https://reader.example.com`;
  const [opened] = historyOf.created;
  const submit = variants['SessionSubmitted.readBy'] as SubmissionEvent;
  const again = variants['SubmissionReprocessingRequested.readBy'] as SubmissionEvent;
  if (!opened) throw new Error('it was not opened');
  const waits = (n: number) => {
    const { [submissionId]: due } = item(timeOf(n), n);
    return { [submissionId]: { ...due, lane } };
  };
  await processing([opened, submit]).then(waits(2) as never);
  await processing([...historyOf.failed, again]).then(waits(5) as never);
});
test('a new round is due again', () =>
  processing([...historyOf.failed, examples.SubmissionReprocessingRequested]).then(item(timeOf(5), 5)));

const syncTo = 'https://erp.example.com';
const owed = <E extends SubmissionEvent>(event: E): E => ({ ...event, data: { ...event.data, syncTo } });
const sync = (events: readonly SubmissionEvent[]) => given(syncQueue, logged(events), () => stores);
const toSync = (dueAt: string, n: number, attempt: number) => ({
  [submissionId]: {
    id: submissionId,
    lane: `${companyId} live ${syncTo}`,
    dueAt,
    attempt,
    cause: causeOf(n),
  },
});
const { SubmissionSyncFailed: syncFailed, SubmissionSyncRequested: syncRequested } = examples;
const approved = [...historyOf.processing, owed(processed('approved'))];
const givenUp = { ...syncFailed, data: { ...syncFailed.data, attempt: 2, nextAttemptAt: null } };

test('what is approved is due to be synced at once, in a lane of its company, mode and target', async () => {
  await sync(approved).then(toSync(timeOf(4), 4, 1));
  await sync([...historyOf.review, owed(examples.SubmissionApproved)]).then(toSync(timeOf(5), 5, 1));
});
test('without a target nothing is due to be synced, nor before an approval', async () => {
  await sync(historyOf.approved).then({});
  await sync(historyOf.review).then({});
});
test('a sync that failed is due again when its event says, until it is given up', async () => {
  await sync([...approved, syncFailed]).then(toSync('2026-11-21T10:00:30.000Z', 5, 2));
  await sync([...approved, syncFailed, givenUp]).then({});
});
test('a sync that an operator requests is due at once, as the next attempt of all', () =>
  sync([
    ...approved,
    syncFailed,
    givenUp,
    { ...syncRequested, data: { ...syncRequested.data, attempts: 2 } },
  ]).then(toSync(timeOf(7), 7, 3)));
test('what is synced is no work any more', () => sync([...approved, synced]).then({}));

const { UserInvited, InvitationAccepted, InvitationRevoked, InvitationRedacted } = examples;
const { InvitationMailed, InvitationMailFailed } = examples;
const byMail = variants['UserInvited.byMail'] as typeof UserInvited;
const { invitationId } = UserInvited.data;
const mails = (events: readonly InvitationEvent[]) => given(mailQueue, logged(events), () => stores);
const toMail = (dueAt: string, n: number, attempt: number, lane = `${companyId} live`) => ({
  [invitationId]: { id: invitationId, lane, dueAt, attempt, cause: causeOf(n) },
});

test('an invitation whose link is mailed is due at once, in a lane of its company', async () => {
  await mails([byMail]).then(toMail(timeOf(1), 1, 1));
  const platform = { ...byMail, data: { ...byMail.data, role: 'super_admin', companyId: null } as const };
  await mails([platform]).then(toMail(timeOf(1), 1, 1, 'platform live'));
  await mails([UserInvited]).then({});
});
test('a mail that failed is due again when its event says, until it is given up', async () => {
  await mails([byMail, InvitationMailFailed]).then(toMail('2026-11-21T10:00:30.000Z', 2, 2));
  const last = { ...InvitationMailFailed, data: { ...InvitationMailFailed.data, nextAttemptAt: null } };
  await mails([byMail, last]).then({});
});
for (const end of [InvitationMailed, InvitationAccepted, InvitationRevoked, InvitationRedacted])
  test(`nothing is to be mailed after ${end.type}`, async () => {
    await mails([byMail, end]).then({});
    await mails([byMail, end, InvitationMailFailed]).then({});
  });

const {
  WebhookRequested: requested,
  WebhookAttempted: attempted,
  WebhookDelivered: delivered,
  WebhookFailed: failed,
  WebhookRedeliveryRequested: again,
} = examples;
const { eventId } = deliveryFacts;
const queue = (events: readonly WebhookDeliveryEvent[]) => given(deliveryQueue, logged(events), () => stores);
const due = (dueAt: string, attempt: number, lane = `${companyId} live https://example.com`) => ({
  [eventId]: { id: eventId, lane, dueAt, attempt },
});

test('a requested delivery is due at once', () => queue([requested]).then(due(timeOf(1), 1)));
test('a failed attempt is due again when its event says', () =>
  queue([requested, attempted]).then(due('2026-11-21T10:00:30.000Z', 2)));
test('a delivered one is no work any more', () => queue([requested, attempted, delivered]).then({}));
test('neither is one that failed', () => {
  const last = { ...attempted, data: { ...attempted.data, attempt: 2, nextAttemptAt: null } };
  return queue([requested, attempted, last, failed]).then({});
});
test('a redelivery is due at once, as the next attempt of all', () => {
  const last = { ...attempted, data: { ...attempted.data, attempt: 4, nextAttemptAt: null } };
  return queue([requested, last, failed, again]).then(due(timeOf(4), 5));
});
test('a redacted one is still due, in a lane of its company', () => {
  const hidden = { ...requested, data: { ...requested.data, private: { redacted: true } as const } };
  return queue([hidden]).then(due(timeOf(1), 1, `${companyId} live`));
});

const list = (events: readonly WebhookDeliveryEvent[]) => given(deliveries, logged(events), () => stores);
const document = {
  id: eventId,
  eventType: 'session.completed' as const,
  occurredAt: '2026-11-21T10:00:00.000Z',
  sessionId: submissionId.replace('sub_', 'ses_'),
  submissionId,
  companyId,
  mode,
  keyId,
  url: 'https://example.com/hook',
  receiver: 'example.com',
  status: 'pending' as const,
  attempts: [],
  nextAttemptAt: timeOf(1),
  createdAt: timeOf(1),
  endedAt: null,
};
const attempt = { at: timeOf(2), statusCode: 500, durationMs: 12, error: 'answered 500' };

test('a delivery waits for its first attempt', () => list([requested]).then({ [eventId]: document }));
test('it shows each attempt once, and the next', () =>
  list([requested, attempted]).then({
    [eventId]: { ...document, attempts: [attempt], nextAttemptAt: '2026-11-21T10:00:30.000Z' },
  }));
test('it ends delivered or failed, with nothing to come', async () => {
  const ended = { ...document, attempts: [attempt], nextAttemptAt: null, endedAt: timeOf(3) };
  await list([requested, attempted, delivered]).then({ [eventId]: { ...ended, status: 'delivered' } });
  await list([requested, attempted, failed]).then({ [eventId]: { ...ended, status: 'failed' } });
});
test('sent again it is pending and due, and keeps its attempts', () =>
  list([requested, attempted, failed, again]).then({
    [eventId]: { ...document, attempts: [attempt], nextAttemptAt: timeOf(4) },
  }));
test('a truncated stream still gives the status', async () => {
  const { occurredAt } = deliveryFacts;
  const kept = {
    ...document,
    url: null,
    receiver: null,
    createdAt: occurredAt,
    nextAttemptAt: null,
    endedAt: timeOf(1),
  };
  await list([delivered]).then({ [eventId]: { ...kept, status: 'delivered' } });
  await list([failed]).then({ [eventId]: { ...kept, status: 'failed' } });
});
