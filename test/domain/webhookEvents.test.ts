import * as assert from 'uvu/assert';
import type { BatchEvent } from '../../domain/batch.ts';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { evolve, type Submission } from '../../domain/submission/state.ts';
import {
  batchEnvelope,
  webhookEnvelope,
  webhookEventTypes,
  webhookTypeOf,
} from '../../domain/webhookEvents.ts';
import type { Recorded } from '../../kernel/event.ts';
import { requestDeliveries } from '../../reactors/requestDeliveries.ts';
import { compile } from '../../schemas/ajv.ts';
import { BatchCompletedEvent } from '../../schemas/webhookEvents.ts';
import { examples, logged } from '../controls/events.ts';
import { created, failed, historyOf, processed, rejected, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';

const test = suite('webhook events');

/** What each event type causes; a type that is missing here does not compile. */
const causes: Readonly<Record<(SubmissionEvent | BatchEvent)['type'], string | null>> = {
  SessionCreated: null,
  SessionSubmitted: null,
  SessionExpired: 'submission.cancelled',
  SubmissionProcessingStarted: null,
  SubmissionProcessingDelayed: null,
  SubmissionFingerprinted: null,
  SubmissionFraudChecked: null,
  SubmissionProcessed: 'session.review_required',
  SubmissionProcessingFailed: 'session.failed',
  SubmissionResultDropped: null,
  SubmissionReprocessingRequested: null,
  SubmissionOpenedForEntry: 'session.review_required',
  SubmissionFirstDecisionMade: null,
  SubmissionApproved: 'submission.approved',
  SubmissionRejected: 'submission.rejected',
  SubmissionCancelled: 'submission.cancelled',
  SubmissionFraudMatchResolved: 'submission.fraud_match_resolved',
  SubmissionSynced: null,
  SubmissionSyncFailed: null,
  SubmissionSyncRequested: null,
  SubmissionLegalHoldPlaced: null,
  SubmissionLegalHoldLifted: null,
  SubmissionNoteAdded: null,
  SubmissionAssigned: null,
  SubmissionPostponed: null,
  SubmissionResumed: null,
  SubmissionRedactionRequested: null,
  SubmissionRedacted: 'submission.redacted',
  BatchCompleted: 'batch.completed',
};
/** The rule of each webhook. */
const rules: Readonly<Record<string, string>> = {
  'session.failed': 'webhooks-7',
  'session.review_required': 'webhooks-8',
  'submission.approved': 'webhooks-9',
  'submission.rejected': 'webhooks-9',
  'submission.cancelled': 'webhooks-9, webhooks-10',
  'submission.fraud_match_resolved': 'fraud-21',
  'submission.redacted': 'webhooks-36',
  'batch.completed': 'batches-12',
};
for (const [type, webhook] of Object.entries(causes) as [keyof typeof causes, string | null][]) {
  test(`${type} causes ${webhook ?? 'nothing'} [${rules[webhook ?? ''] ?? 'webhooks-11, webhooks-35'}]`, () =>
    assert.is(webhookTypeOf(examples[type]), webhook));
}

test('processing that ends approved completes, one that ends blocked fails [webhooks-6, webhooks-7]', () => {
  assert.is(webhookTypeOf(processed('approved')), 'session.completed');
  assert.is(webhookTypeOf(failed('capture_quality_blocked')), 'session.failed');
});

test('every webhook of the contract has an event that causes it', () => {
  const caused = new Set([...Object.values(causes), webhookTypeOf(processed('approved'))]);
  assert.equal([...webhookEventTypes].sort(), [...caused].filter((type) => type !== null).sort());
});

test('the reactor that requests deliveries handles exactly the events that cause one, and requests of redactions', () => {
  const { handles } = requestDeliveries(async () => undefined, {
    load: async () => undefined,
    learn: () => undefined,
  });
  const causing = Object.entries(causes).flatMap(([type, webhook]) => (webhook === null ? [] : type));
  const ofEndpoints = (type: string): boolean => type.startsWith('WebhookEndpoint');
  assert.equal(
    [...handles].filter((type) => !ofEndpoints(type)).sort(),
    [...causing, 'SubmissionRedactionRequested'].sort(),
  );
});

/** The envelope of the last of `events`. */
const envelope = (events: readonly SubmissionEvent[]) => {
  const recorded = logged(events);
  const last = recorded.at(-1);
  if (!last) throw new Error('no events');
  const state = recorded.reduce<Submission | null>(evolve, null);
  const eventType = webhookTypeOf(last);
  if (!state || !eventType) throw new Error('no webhook');
  return { last, body: webhookEnvelope(last, eventType, state) };
};

test('the envelope has exactly the members of the contract [webhooks-5]', () => {
  const { last, body } = envelope(historyOf.review);
  assert.equal(body, {
    eventId: last.id,
    eventType: 'session.review_required',
    occurredAt: last.metadata.at,
    sessionId: routing.submissionId.replace('sub_', 'ses_'),
    submissionId: routing.submissionId,
    workflow: { slug: 'receipt', version: 1 },
    state: 'completed',
    submissionStatus: 'review',
    result: { fields: {}, pages: 1, files: [] },
    clientSubmissionId: 'order-1',
    metadata: { colour: 'blue' },
    batchRef: null,
  });
});

test('an unknown member is null, never absent [formats-3]', () => {
  const part = { clientSubmissionId: null, metadata: null, webhookUrl: null, batchRef: 'b', fileNames: {} };
  const bare = { ...created, data: { ...created.data, notifies: false, private: part } };
  const { body } = envelope([bare, ...historyOf.failed.slice(1)]);
  assert.equal(
    [body.result, body.clientSubmissionId, body.metadata, body.batchRef, body.state],
    [null, null, null, 'b', 'failed'],
  );
  assert.equal(JSON.parse(JSON.stringify(body)), body);
});

test('submission actions carry no result [webhooks-9]', () => {
  const { body } = envelope([...historyOf.review, rejected]);
  assert.equal([body.eventType, body.result], ['submission.rejected', null]);
});

test('the envelope of batch.completed describes the batch; members of a session are null [batches-13]', () => {
  const [event] = logged([examples.BatchCompleted]) as readonly Recorded<BatchEvent>[];
  if (!event) throw new Error('no event');
  const { counts, createdAt, completedAt } = event.data;
  const body = batchEnvelope(event);
  assert.equal(body, {
    eventId: event.id,
    eventType: 'batch.completed',
    occurredAt: completedAt,
    sessionId: null,
    submissionId: null,
    workflow: null,
    state: 'completed',
    submissionStatus: null,
    result: { batchRef: 'autumn-2026', status: 'completed', counts, createdAt, completedAt },
    clientSubmissionId: null,
    metadata: null,
    batchRef: 'autumn-2026',
  });
  assert.equal(Object.keys(body), Object.keys(envelope(historyOf.review).body), 'one shape for all events');
  assert.equal(compile(BatchCompletedEvent)(body), []);
  const { batchRef, result } = batchEnvelope({
    ...event,
    data: { ...event.data, private: { redacted: true } },
  });
  assert.equal([batchRef, result.batchRef], [null, null]);
});
