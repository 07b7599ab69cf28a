import * as assert from 'uvu/assert';
import { type Forced, forcedBy, forcedFaults, forcedFraud } from '../../domain/submission/forced.ts';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { type Status, statuses } from '../../domain/submission/transitions.ts';
import { created, extraction, started, submitted } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('forced outcomes [test-mode-2]');

const forcing = (metadata: Readonly<Record<string, unknown>>) => ({
  ...created,
  data: { ...created.data, mode: 'test' as const, private: { ...created.data.private, metadata } },
});
const ids = { matchId: 'fm_1', matchedSubmissionId: 'sub_1' };
const force = (fraud: Forced['fraud'] = null, attempt = 1): SubmissionCommand => ({
  type: 'ForceOutcome',
  round: 1,
  attempt,
  extraction,
  fraud: fraud && forcedFraud(fraud, true, ids),
});
const processing = (outcome: Status) => [forcing({ 'intake:outcome': outcome }), submitted, started] as const;

const endings: Readonly<Record<Exclude<Status, 'created' | 'processing'>, readonly string[]>> = {
  capture_quality_blocked: ['SubmissionProcessingFailed'],
  failed: ['SubmissionProcessingFailed'],
  review: ['SubmissionProcessed'],
  approved: ['SubmissionProcessed'],
  synced: ['SubmissionProcessed', 'SubmissionSynced'],
  rejected: ['SubmissionProcessed', 'SubmissionRejected'],
  cancelled: ['SubmissionCancelled'],
};

for (const [outcome, types] of Object.entries(endings) as [Status, string[]][])
  test(`${outcome} is reached by the events of a real one: ${types.join(', ')}`, () => {
    const { when } = given(submission, ...processing(outcome));
    assert.equal(
      submission.decide(force(), given(submission, ...processing(outcome)).state).map(({ type }) => type),
      types,
    );
    assert.is(when(force()).thenState()?.status, outcome);
    assert.is(
      when(force()).thenState()?.fraudStatus,
      ['failed', 'capture_quality_blocked', 'cancelled'].includes(outcome) ? null : 'clean',
    );
  });

for (const outcome of ['review', 'rejected', 'approved', 'synced'] as const)
  for (const fraud of ['clean', 'flagged'] as const)
    test(`${outcome} with ${fraud}: both, through a review where fraud requires one`, () => {
      const state = given(submission, ...processing(outcome))
        .when(force(fraud))
        .thenState();
      assert.equal([state?.status, state?.fraudStatus], [outcome, fraud]);
      assert.is(state?.fraudMatches.length, fraud === 'clean' ? 0 : 1);
    });

test('a blocked one is in review with an open match, and is clean once that was dismissed', () => {
  const events = [...processing('review')];
  const { state } = given(submission, ...events);
  const forced = submission.decide(force('blocked'), state);
  const { when } = given(submission, ...events, ...forced);
  const resolve = {
    type: 'ResolveFraudMatch',
    matchId: 'fm_1',
    resolution: 'dismissed',
    resolvedBy: 'ann',
    comment: null,
    resolvedAt: '2026-11-22T10:00:00.000Z',
  } as const;
  when({ type: 'Approve', comment: null, actor: null, corrections: {} }).thenRefused('FraudUnresolved');
  assert.equal([when(resolve).thenState()?.fraudStatus, when(resolve).thenState()?.fraudScore], ['clean', 0]);
});

test('created stays queued; the submit starts processing, which stays', () => {
  const submit = { type: 'SubmitSession', files: [] } as const;
  const queued = given(submission, forcing({ 'intake:outcome': 'created' })).when(submit);
  queued.thenTypes('SessionSubmitted');
  assert.equal([queued.thenState()?.status, queued.thenState()?.state], ['created', 'queued']);
  const begun = given(submission, forcing({ 'intake:outcome': 'processing' })).when(submit);
  begun.thenTypes('SessionSubmitted', 'SubmissionProcessingStarted');
  assert.equal([begun.thenState()?.status, begun.thenState()?.attempt], ['processing', 1]);
  given(submission, ...processing('processing'))
    .when(force())
    .then();
});

test('nothing is forced once it is no longer processed, by a late attempt, or where metadata ask for nothing', () => {
  const cancel = { type: 'Cancel', reason: null, actor: null } as const;
  const { state } = given(submission, ...processing('approved'));
  given(submission, ...processing('approved'), ...submission.decide(cancel, state))
    .when(force())
    .then();
  given(submission, ...processing('approved'))
    .when(force(null, 2))
    .thenRefused('ProcessingAttemptSuperseded');
  given(submission, forcing({}), submitted, started).when(force()).then();
});

test('the event of a submit says what is forced, and nothing otherwise', () => {
  const submit = { type: 'SubmitSession', files: [] } as const;
  const [event] = submission.decide(
    submit,
    given(submission, forcing({ 'intake:outcome': 'failed', x: 1 })).state,
  );
  assert.equal(event?.type === 'SessionSubmitted' && event.data.forced, { outcome: 'failed', fraud: null });
  const [plain] = submission.decide(submit, given(submission, forcing({ x: 1 })).state);
  assert.not.ok(plain && 'forced' in plain.data);
});

test('live metadata force nothing, whatever they say', () => {
  assert.is(forcedBy('live', { 'intake:outcome': 'failed' }), null);
  assert.equal(forcedFaults('live', { 'intake:outcome': 'nonsense' }, true), []);
  assert.is(forcedBy('test', null), null);
  assert.is(forcedBy('test', '[redacted]'), null);
});

test('every status can be forced; anything else is a fault', () => {
  for (const outcome of statuses) assert.equal(forcedFaults('test', { 'intake:outcome': outcome }, true), []);
  for (const outcome of ['expired', '', null, 1, 'Approved'])
    assert.equal(
      forcedFaults('test', { 'intake:outcome': outcome }, true).map(({ pointer }) => pointer),
      ['/metadata/intake:outcome'],
    );
  const faults = forcedFaults('test', { 'intake:outcome': 'x', 'intake:fraud': 'y' }, true);
  assert.equal(
    faults.map(({ pointer }) => pointer),
    ['/metadata/intake:outcome', '/metadata/intake:fraud'],
  );
});

test('a fraud status that such an end can’t have is named', () => {
  const faulty = (outcome: Status, fraud: string, mustResolve = true): boolean =>
    forcedFaults('test', { 'intake:outcome': outcome, 'intake:fraud': fraud }, mustResolve).length > 0;
  for (const outcome of ['created', 'processing', 'failed', 'capture_quality_blocked', 'cancelled'] as const)
    assert.ok(faulty(outcome, 'clean'), outcome);
  for (const outcome of ['approved', 'synced'] as const) {
    assert.equal([faulty(outcome, 'flagged'), faulty(outcome, 'blocked')], [false, true]);
    assert.is(faulty(outcome, 'blocked', false), false);
  }
  for (const outcome of ['review', 'rejected'] as const) assert.is(faulty(outcome, 'blocked'), false);
});
