import * as assert from 'uvu/assert';
import {
  evolve,
  type Submission,
  type SubmissionEvent,
  submissionEvents,
} from '../../domain/submission/state.ts';
import { publicName, REDACTED, type Recorded } from '../../kernel/event.ts';
import { handledBy } from '../../projections/engine/projection.ts';
import { type SubmissionDocument, submissions } from '../../projections/submissions.ts';
import { HistoryEvent } from '../../schemas/submissions.ts';
import { examples, idOf, logged, timeOf, variants } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { created, historyOf, processed, rejected, routing, started, synced } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { foldAlone, given } from './spec.ts';

const test = suite('projection of submissions');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const { submissionId, keyId } = routing;

/** The document after events, which are also folded in every way the log may bring them. */
const documentOf = async (events: readonly SubmissionEvent[]): Promise<SubmissionDocument> => {
  const recorded: readonly Recorded[] = logged(events);
  const folded = foldAlone(submissions, recorded) as Record<string, SubmissionDocument>;
  await given(submissions, recorded, () => stores).then(folded);
  const document = folded[submissionId];
  if (!document) throw new Error('there is no document');
  return document;
};

test('a session that was opened', async () => {
  assert.equal(await documentOf([created]), {
    id: submissionId,
    createdAt: timeOf(1),
    updatedAt: timeOf(1),
    processedAt: null,
    revision: 0,
    webhookEventId: null,
    approval: null,
    ...{ reviewed: null, firstDecisionAt: null, notes: [], postponed: null, sync: null },
    submission: [created].reduce<Submission | null>(evolve, null),
    history: [
      {
        type: 'session.created',
        occurredAt: timeOf(1),
        details: { expiresAt: '2026-11-22T10:00:00.000Z' },
      },
    ],
  });
});

test('each event is one item of the history, in its order', async () => {
  const { history, revision, updatedAt, createdAt } = await documentOf(historyOf.rejected);
  assert.equal(
    history.map(({ type, occurredAt }) => [type, occurredAt]),
    [
      ['session.created', timeOf(1)],
      ['session.submitted', timeOf(2)],
      ['submission.processing_started', timeOf(3)],
      ['submission.processed', timeOf(4)],
      ['submission.rejected', timeOf(5)],
    ],
  );
  assert.equal([revision, createdAt, updatedAt], [4, timeOf(1), timeOf(5)]);
});

test('processing ends when it ends, and what comes later leaves that time [lifecycle-13]', async () => {
  assert.is((await documentOf(historyOf.processing)).processedAt, null);
  assert.is((await documentOf(historyOf.failed)).processedAt, timeOf(4));
  assert.is((await documentOf(historyOf.rejected)).processedAt, timeOf(4));
});

test('while a new round is under way its processing has not ended', async () => {
  const again = [...historyOf.failed, examples.SubmissionReprocessingRequested];
  assert.is((await documentOf(again)).processedAt, null);
  assert.is((await documentOf([...again, started])).processedAt, null);
  assert.is((await documentOf([...again, started, processed('review')])).processedAt, timeOf(7));
});

test('it ends again when the values are to be typed [lifecycle-23]', async () => {
  const entered = await documentOf([...historyOf.failed, examples.SubmissionOpenedForEntry]);
  assert.equal([entered.processedAt, entered.webhookEventId], [timeOf(5), idOf(5)]);
});

test('a new round says why where its event does, also once that is redacted', async () => {
  const requested = variants['SubmissionReprocessingRequested.reason'] as SubmissionEvent;
  const detailsAfter = async (...past: readonly SubmissionEvent[]) =>
    (await documentOf([...historyOf.failed, ...past])).history[4]?.details;
  const { SubmissionReprocessingRequested: older, SubmissionRedactionRequested: redaction } = examples;
  assert.equal(await detailsAfter(older), { round: 2 });
  assert.equal(await detailsAfter(older, redaction), { round: 2 });
  assert.equal(await detailsAfter(requested), { round: 2, reason: 'The reader was mended.', actor: 'ann' });
  assert.equal(await detailsAfter(requested, redaction), { round: 2, reason: REDACTED, actor: REDACTED });
});

test('the newest event that causes a webhook, from the same write that shows it [webhooks-19]', async () => {
  assert.is((await documentOf(historyOf.processing)).webhookEventId, null);
  assert.is((await documentOf(historyOf.review)).webhookEventId, idOf(4));
  assert.is((await documentOf([...historyOf.review, rejected])).webhookEventId, idOf(5));
});

test('without an address no event causes a webhook', async () => {
  const part = { webhookUrl: null, clientSubmissionId: null, metadata: null, batchRef: null, fileNames: {} };
  const silent = { ...created, data: { ...created.data, notifies: false, private: part } };
  assert.is((await documentOf([silent, ...historyOf.review.slice(1)])).webhookEventId, null);
  const redacted = { ...silent, data: { ...silent.data, private: { redacted: true } as const } };
  const rebuilt = await documentOf([redacted, ...historyOf.review.slice(1)]);
  assert.is(rebuilt.webhookEventId, null, 'nor does one after a rebuild without the key');
});

test('an approval has its actor and time', async () => {
  const { approval } = await documentOf([...historyOf.review, examples.SubmissionApproved]);
  assert.equal(approval, { actor: 'ann', keyId, at: timeOf(5) });
  assert.is((await documentOf(historyOf.approved)).approval, null);
});

test('the approval of a person is by that person, and of no key [people-10]', () => {
  const recorded = logged([...historyOf.review, examples.SubmissionApproved]);
  const actor = { kind: 'user', id: 'usr_1' } as const;
  const byPerson = recorded.map((event) => ({ ...event, metadata: { ...event.metadata, actor } }));
  const folded = foldAlone(submissions, byPerson) as Record<string, SubmissionDocument>;
  const by = { actor: 'user:usr_1', keyId: null, at: timeOf(recorded.length) };
  assert.equal(folded[submissionId]?.approval, by);
});

test('the sync has the times of its last attempt, its next one and its success', async () => {
  const approved = processed('approved');
  const owed = {
    ...approved,
    data: { ...approved.data, syncTo: 'https://erp.example.com' },
  } as SubmissionEvent;
  const past = [...historyOf.processing, owed];
  const { SubmissionSyncFailed: failed, SubmissionSyncRequested: asked } = examples;
  const due = failed.data.nextAttemptAt;
  const syncOf = async (...more: readonly SubmissionEvent[]) => {
    const { sync, submission } = await documentOf([...past, ...more]);
    return [sync?.lastAttemptAt, sync?.nextAttemptAt, sync?.syncedAt, submission.sync?.status];
  };
  assert.equal(await syncOf(), [null, timeOf(4), null, 'pending']);
  assert.equal(await syncOf(failed), [timeOf(5), due, null, 'retrying']);
  assert.equal(await syncOf(failed, synced), [timeOf(6), null, timeOf(6), 'synced']);
  assert.equal(await syncOf(failed, asked), [timeOf(5), timeOf(6), null, 'pending']);
  assert.is((await documentOf([...historyOf.approved, synced])).sync, null);
});

test('every event of a submission is handled, and has an item of the history [history-3]', async () => {
  const handled = handledBy(submissions);
  const names = Object.keys(examples).filter((type) => /^(Session|Submission)/.test(type));
  for (const type of names as SubmissionEvent['type'][]) {
    assert.ok(handled.includes(type), type);
    const events = type === 'SessionCreated' ? [created] : [...historyOf.review, examples[type]];
    const { history } = await documentOf(events);
    assert.is(history.at(-1)?.type, publicName(type));
  }
  assert.is(publicName('SubmissionProcessingStarted'), 'submission.processing_started');
  assert.is(publicName('SessionCreated'), 'session.created');
});

test('the schema of the history names every event of a submission [history-4]', () => {
  const { description } = HistoryEvent.properties.type as { description?: string };
  for (const type of Object.keys(submissionEvents)) assert.match(description ?? '', publicName(type));
});

test('the history shows no address, no key, and no data that the detail shows', async () => {
  const { history } = await documentOf([...historyOf.review, examples.SubmissionFraudMatchResolved]);
  const text = JSON.stringify(history);
  for (const hidden of ['example.com', keyId, '80.9', 'order-1', 'blue']) assert.not.match(text, hidden);
});

test('a redacted submission still folds', async () => {
  const hide = (event: SubmissionEvent): SubmissionEvent =>
    'private' in event.data
      ? ({ ...event, data: { ...event.data, private: { redacted: true } } } as SubmissionEvent)
      : event;
  const { submission, history } = await documentOf(historyOf.rejected.map(hide));
  assert.equal(
    [submission.status, submission.extractedData, submission.rejectReason],
    ['rejected', '[redacted]', '[redacted]'],
  );
  assert.equal(history.at(-1)?.details, { reason: '[redacted]', actor: '[redacted]' });
});
