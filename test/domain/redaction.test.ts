import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { statuses } from '../../domain/submission/transitions.ts';
import { withoutPrivate } from '../../kernel/event.ts';
import { ann, resultTo, runThrough, submissionCommands } from '../controls/commands.ts';
import { examples } from '../controls/events.ts';
import * as example from '../controls/submission.ts';
import { drawSeed, rounds, suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('redaction and legal hold');

const { routing, historyOf, fingerprinted, fingerprint } = example;
const redact: SubmissionCommand<'Redact'> = {
  type: 'Redact',
  reason: 'erasure',
  legalBasis: 'erasure_request',
  requestedBy: 'ticket 1',
};
const retain: SubmissionCommand = { type: 'RedactRetained', days: 30 };
const hold: SubmissionCommand = {
  type: 'PlaceLegalHold',
  reason: 'tax',
  by: ann,
  at: '2026-11-21T11:10:00.000Z',
};
const { SubmissionRedactionRequested: requested, SubmissionRedacted: done } = examples;

for (const status of statuses)
  test(`a redaction in ${status} is requested, and ends what is under way [redaction-1, redaction-5]`, () => {
    const ends = ['created', 'processing', 'review'].includes(status);
    const types = ends
      ? (['SubmissionRedactionRequested', 'SubmissionCancelled'] as const)
      : (['SubmissionRedactionRequested'] as const);
    const { when } = given(submission, ...historyOf[status]);
    const [event] = when(redact).thenTypes(...types);
    assert.equal(event?.data, {
      ...routing,
      ...{ reason: 'erasure', legalBasis: 'erasure_request', requestedBy: 'ticket 1' },
      private: { webhookUrl: 'https://example.com/hook' },
    });
    const state = when(redact).thenState();
    assert.equal([state?.redaction, state?.status], ['requested', ends ? 'cancelled' : status]);
  });

for (const status of statuses)
  test(`by retention only what is at its end is redacted, in ${status} [retention-6, retention-7]`, () => {
    const isUnderWay = ['created', 'processing', 'review'].includes(status);
    const { when } = given(submission, ...historyOf[status]);
    const [event] = when(retain).thenTypes(
      ...(isUnderWay ? [] : (['SubmissionRedactionRequested'] as const)),
    );
    if (event?.type === 'SubmissionRedactionRequested')
      assert.equal(
        [event.data.legalBasis, event.data.reason, event.data.requestedBy],
        ['retention', 'It was kept for 30 days after its end, as the retention of the company says.', null],
      );
    const { SubmissionLegalHoldPlaced: placed } = examples;
    given(submission, ...historyOf[status], placed)
      .when(retain)
      .then();
    given(submission, ...historyOf[status], requested)
      .when(retain)
      .then();
  });

test('a request names the values that others were matched with, and the job that it is part of', () => {
  const past = [...historyOf.processing, fingerprinted];
  const [event] = submission.decide({ ...redact, redactionId: 'red_1' }, given(submission, ...past).state);
  assert.equal(event?.type === 'SubmissionRedactionRequested' && event.data.fingerprints, [
    fingerprint.value,
  ]);
  assert.is(event?.type === 'SubmissionRedactionRequested' && event.data.redactionId, 'red_1');
});

test('one without an address keeps none for its last webhook', () => {
  const silent = {
    ...example.created,
    data: {
      ...example.created.data,
      notifies: false,
      private: { webhookUrl: null, clientSubmissionId: null, metadata: null, batchRef: null, fileNames: {} },
    },
  };
  const [event] = submission.decide(redact, given(submission, silent).state);
  assert.not.ok(event && 'private' in event.data);
});

test('a second request changes nothing [redaction-2]', () => {
  given(submission, ...historyOf.approved, requested)
    .when(redact)
    .then();
  given(submission, ...historyOf.approved, requested, done)
    .when(redact)
    .then();
});

test('its end is recorded once, and only after a request', () => {
  const record: SubmissionCommand = { type: 'RecordRedaction', objects: 2, deliveries: 1 };
  given(submission, ...historyOf.approved)
    .when(record)
    .then();
  const { when } = given(submission, ...historyOf.approved, requested);
  when(record).thenTypes('SubmissionRedacted');
  assert.is(when(record).thenState()?.redaction, 'done');
  given(submission, ...historyOf.approved, requested, done)
    .when(record)
    .then();
});

const byPeople: readonly SubmissionCommand[] = [
  { type: 'Approve', comment: null, actor: null, corrections: {} },
  { type: 'Reject', reason: null, actor: null },
  { type: 'Cancel', reason: null, actor: null },
  { type: 'Reprocess' },
  { type: 'OpenForEntry', reason: 'torn', actor: null, fields: [], required: [] },
  { type: 'RequestSync', syncTo: 'https://erp.example.com' },
  {
    ...{ type: 'ResolveFraudMatch', matchId: example.match.id, resolution: 'dismissed', resolvedBy: 'ann' },
    ...{ comment: null, resolvedAt: '2026-11-21T11:00:00.000Z' },
  },
  hold,
];
const byMachines: readonly SubmissionCommand[] = [
  { type: 'RecordFingerprints', round: 1, attempt: 1, prints: [], fingerprints: [fingerprint] },
  { type: 'DelayProcessing', round: 1, attempt: 1, reason: 'away', retryAt: '2026-11-21T10:05:00.000Z' },
  resultTo('approved'),
  { type: 'RecordSync' },
  { type: 'ExpireSession', at: '2026-12-31T00:00:00.000Z' },
];

for (const status of statuses)
  test(`after a request in ${status} people are refused, machines have no effect [redaction-4]`, () => {
    const before = given(submission, ...historyOf[status]);
    const events = submission.decide(redact, before.state);
    const { when } = given(submission, ...historyOf[status], ...events);
    for (const command of byPeople) when(command).thenRefused('SubmissionRedacted');
    for (const command of byMachines) when(command).then();
    when({ type: 'StartProcessing', maxAttempts: 3, at: '2026-11-21T10:05:00.000Z' }).thenRefused(
      'SubmissionNotProcessable',
    );
  });

test('a hold refuses a redaction and says since when and who placed it, until it is lifted [hold-1, hold-2]', () => {
  const { when } = given(submission, ...historyOf.approved);
  const placed = when(hold).thenTypes('SubmissionLegalHoldPlaced');
  const held = given(submission, ...historyOf.approved, ...placed);
  const { message } = held.when(redact).thenRefused('LegalHold');
  assert.match(message, /at 2026-11-21T11:10:00\.000Z by user:usr_/);
  held.when(hold).then();
  const lifted = held.when({ type: 'LiftLegalHold' }).thenTypes('SubmissionLegalHoldLifted');
  const free = given(submission, ...historyOf.approved, ...placed, ...lifted);
  free.when({ type: 'LiftLegalHold' }).then();
  free.when(redact).thenTypes('SubmissionRedactionRequested');
});

test('its address for the last webhook is sealed by a key of its own', () => {
  assert.is(submission.subject(requested), `redaction_${routing.submissionId.slice(4)}`);
  assert.is(submission.subject(done), routing.submissionId);
});

const SEED = drawSeed('histories redacted');

test('from the request on a state is the same with and without the keys of its events [redaction-3]', () => {
  const property = fc.property(submissionCommands, (commands) => {
    const events = runThrough([...commands, () => ({ type: 'LiftLegalHold' }), () => redact]);
    const at = events.findIndex(({ type }) => type === 'SubmissionRedactionRequested');
    assert.ok(at >= 0);
    const fold = (all: readonly SubmissionEvent[]) => all.reduce(submission.evolve, submission.initial);
    for (let end = at + 1; end <= events.length; end += 1) {
      const part = events.slice(0, end);
      assert.equal(fold(part), fold(part.map(withoutPrivate)));
    }
  });
  fc.assert(property, { numRuns: rounds(600, 10_000), seed: SEED });
});
