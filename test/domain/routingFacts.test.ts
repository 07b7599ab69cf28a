import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submission } from '../../domain/submission/submission.ts';
import { processedStatuses, statuses } from '../../domain/submission/transitions.ts';
import { type WebhookDeliveryCommand, webhookDelivery } from '../../domain/webhookDelivery.ts';
import { runThrough, submissionCommands } from '../controls/commands.ts';
import { batchDeliveryFacts, deliveryFacts, examples } from '../controls/events.ts';
import { routing } from '../controls/submission.ts';
import { long, rounds, suite } from '../harness.ts';

const test = suite('routing facts');

/** The events that change a status; a new type must be placed here or there. */
const moves: Readonly<Record<SubmissionEvent['type'], boolean>> = {
  SessionCreated: true,
  SessionSubmitted: false,
  SessionExpired: true,
  SubmissionProcessingStarted: true,
  SubmissionProcessingDelayed: false,
  SubmissionFingerprinted: false,
  SubmissionFraudChecked: false,
  SubmissionProcessed: true,
  SubmissionProcessingFailed: true,
  SubmissionResultDropped: false,
  SubmissionReprocessingRequested: true,
  SubmissionOpenedForEntry: true,
  SubmissionFirstDecisionMade: false,
  SubmissionApproved: true,
  SubmissionRejected: true,
  SubmissionCancelled: true,
  SubmissionFraudMatchResolved: false,
  SubmissionSynced: true,
  SubmissionSyncFailed: false,
  SubmissionSyncRequested: false,
  SubmissionLegalHoldPlaced: false,
  SubmissionLegalHoldLifted: false,
  SubmissionNoteAdded: false,
  SubmissionAssigned: false,
  SubmissionPostponed: false,
  SubmissionResumed: false,
  SubmissionRedactionRequested: false,
  SubmissionRedacted: false,
};

const holdsRouting = ({ type, data }: SubmissionEvent): void => {
  const { submissionId, companyId, mode, keyId, workflow, batchId } = data;
  const { slug, version } = workflow;
  assert.equal({ submissionId, companyId, mode, keyId, workflow: { slug, version }, batchId }, routing, type);
};

/** What every event of every history must tell of itself, whatever commands made it. */
const holdsFacts = (events: readonly SubmissionEvent[]): void => {
  let status: string | null = null;
  let processed = false;
  for (const event of events) {
    holdsRouting(event);
    assert.is('to' in event.data, moves[event.type], event.type);
    if (!('to' in event.data)) continue;
    const { from, to, firstProcessed, processed: counted } = event.data;
    assert.is(from, status, `${event.type} comes from the status before it`);
    assert.ok(statuses.includes(to));
    assert.is(firstProcessed, !processed && processedStatuses.includes(to), `${event.type} to ${to}`);
    processed ||= firstProcessed;
    assert.is(counted, processed, `${event.type}: whether it ever was processed`);
    status = to;
  }
  assert.is(events.reduce(submission.evolve, submission.initial)?.status ?? null, status);
};

test('every event that commands bring about stands alone, and every type comes about', () => {
  const seen = new Set<string>();
  const property = fc.property(submissionCommands, (commands) => {
    const events = runThrough(commands);
    holdsFacts(events);
    for (const { type } of events) seen.add(type);
  });
  fc.assert(property, { numRuns: rounds(1_200, 6_000), ...(long ? {} : { seed: 20261128 }) });
  assert.equal([...seen].sort(), Object.keys(moves).sort());
});

test('the examples of the tests carry them too', () => {
  for (const type of Object.keys(moves) as SubmissionEvent['type'][]) {
    holdsRouting(examples[type]);
    assert.is('to' in examples[type].data, moves[type], type);
  }
});

for (const [of, facts] of Object.entries({ session: deliveryFacts, batch: batchDeliveryFacts })) {
  test(`every event of the delivery of a ${of} carries its routing facts`, () => {
    const commands: readonly WebhookDeliveryCommand[] = [
      { type: 'RequestDelivery', facts, url: 'u', body: 'b' },
      ...[1, 2].map((attempt) => ({
        type: 'RecordAttempt' as const,
        attempt,
        outcome: { statusCode: 500, durationMs: 1, error: 'e' },
        succeeded: false,
        nextAttemptAt: attempt === 2 ? null : 'n',
      })),
    ];
    let state = webhookDelivery.initial;
    const types: string[] = [];
    for (const command of commands) {
      for (const event of webhookDelivery.decide(command, state)) {
        const data: Readonly<Record<string, unknown>> = event.data;
        for (const [name, value] of Object.entries(facts)) assert.equal(data[name], value, event.type);
        state = webhookDelivery.evolve(state, event);
        types.push(event.type);
      }
    }
    assert.equal(types, ['WebhookRequested', 'WebhookAttempted', 'WebhookAttempted', 'WebhookFailed']);
  });
}
