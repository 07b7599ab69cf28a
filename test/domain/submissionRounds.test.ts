import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { resultTo } from '../controls/commands.ts';
import { created, expired, extracted, historyOf, match, policy, submitted } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('submission rounds and fraud');

const cancelOf = (past: readonly SubmissionEvent[]): readonly SubmissionEvent[] => [
  ...past,
  ...given(submission, ...past)
    .when({ type: 'Cancel', reason: null, actor: null })
    .thenTypes('SubmissionCancelled'),
];

const readBy = 'https://reader.example.com';
const submit = { type: 'SubmitSession', files: [], readBy } as const;

test('a submit says which extractor reads the files, and so does a new round', () => {
  const { when } = given(submission, created);
  const [event] = when(submit).thenTypes('SessionSubmitted');
  assert.is(event?.type === 'SessionSubmitted' && event.data.readBy, readBy);
  const past = [created, ...when(submit).thenTypes('SessionSubmitted'), ...historyOf.failed.slice(2)];
  const [again] = given(submission, ...past)
    .when({ type: 'Reprocess' })
    .thenTypes('SubmissionReprocessingRequested');
  assert.is(again?.type === 'SubmissionReprocessingRequested' && again.data.readBy, readBy);
  const [here] = given(submission, ...historyOf.failed)
    .when({ type: 'Reprocess' })
    .thenTypes('SubmissionReprocessingRequested');
  assert.not.ok('readBy' in (here?.data ?? {}));
});

test('none reads files whose outcome is forced', () => {
  const metadata = { 'intake:outcome': 'review' };
  const data = { ...created.data, mode: 'test', private: { ...created.data.private, metadata } } as const;
  const [event] = given(submission, { ...created, data } as SubmissionEvent)
    .when(submit)
    .thenTypes('SessionSubmitted');
  assert.not.ok('readBy' in (event?.data ?? {}));
});

/** How a job stands (lifecycle-5), also after what came later. */
const jobs: readonly (readonly [string, readonly SubmissionEvent[], string, string])[] = [
  ['created', historyOf.created, 'pending', 'created'],
  ['submitted', [created, submitted], 'queued', 'created'],
  ['taken by a worker', historyOf.processing, 'processing', 'processing'],
  ['approved', historyOf.approved, 'completed', 'approved'],
  ['in review', historyOf.review, 'completed', 'review'],
  ['synced', historyOf.synced, 'completed', 'synced'],
  ['rejected', historyOf.rejected, 'completed', 'rejected'],
  ['cancelled in review', cancelOf(historyOf.review), 'completed', 'cancelled'],
  ['failed', historyOf.failed, 'failed', 'failed'],
  ['blocked', historyOf.capture_quality_blocked, 'failed', 'capture_quality_blocked'],
  ['cancelled after it failed', cancelOf(historyOf.failed), 'failed', 'cancelled'],
  ['cancelled when blocked', cancelOf(historyOf.capture_quality_blocked), 'failed', 'cancelled'],
  ['cancelled before it was submitted', cancelOf(historyOf.created), 'cancelled', 'cancelled'],
  ['cancelled while queued', cancelOf([created, submitted]), 'cancelled', 'cancelled'],
  ['cancelled while processed', cancelOf(historyOf.processing), 'cancelled', 'cancelled'],
  ['not submitted in time', [created, expired], 'expired', 'cancelled'],
];
/** The rule of each state. */
const ruleOf: Readonly<Record<string, string>> = {
  pending: 'lifecycle-2',
  queued: 'lifecycle-3',
  processing: 'lifecycle-4',
  completed: 'lifecycle-5',
  failed: 'lifecycle-6',
  cancelled: 'lifecycle-7',
  expired: 'lifecycle-8',
};
for (const [what, past, state, status] of jobs)
  test(`a job ${what} is ${state}, its submission ${status} [${ruleOf[state]}]`, () => {
    const after = given(submission, ...past).state;
    assert.equal([after?.state, after?.status], [state, status]);
  });

test('firstProcessed is said once [lifecycle-22]', () => {
  const reopened: SubmissionEvent[] = [...historyOf.failed];
  const requested = given(submission, ...reopened)
    .when({ type: 'Reprocess' })
    .thenTypes('SubmissionReprocessingRequested');
  reopened.push(...requested);
  reopened.push(
    ...given(submission, ...reopened)
      .when({ type: 'StartProcessing', maxAttempts: 3, at: '2026-11-21T10:00:00.000Z' })
      .thenTypes('SubmissionProcessingStarted'),
  );
  const [again] = given(submission, ...reopened)
    .when({ ...resultTo('approved'), round: 2 })
    .thenTypes('SubmissionProcessed');
  assert.is(again?.type === 'SubmissionProcessed' && again.data.firstProcessed, false);
  for (const to of ['review', 'approved', 'failed', 'capture_quality_blocked'] as const) {
    const first = given(submission, ...historyOf.processing)
      .when(resultTo(to))
      .thenState();
    assert.equal([first?.status, first?.processed], [to, true]);
    const [event] = given(submission, ...historyOf.processing)
      .when(resultTo(to))
      .thenTypes(
        to.startsWith('f') || to.startsWith('c') ? 'SubmissionProcessingFailed' : 'SubmissionProcessed',
      );
    assert.is(event && 'firstProcessed' in event.data && event.data.firstProcessed, true, to);
  }
});

test('a cancellation says whether the session ever counted as processed, also in a later round', () => {
  const cancel = { type: 'Cancel', reason: null, actor: null } as const;
  const said = (...past: readonly SubmissionEvent[]) => {
    const [event] = given(submission, ...past)
      .when(cancel)
      .thenTypes('SubmissionCancelled');
    return event?.type === 'SubmissionCancelled' && event.data.processed;
  };
  assert.is(said(...historyOf.created), false);
  assert.is(said(...historyOf.processing), false);
  assert.is(said(...historyOf.review), true);
  const reopened = given(submission, ...historyOf.failed)
    .when({ type: 'Reprocess' })
    .thenTypes('SubmissionReprocessingRequested');
  assert.is(said(...historyOf.failed, ...reopened), true);
});

test('a flagged submission goes to review without another reason [lifecycle-18]', () => {
  const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
  const matches = [{ ...found, score: policy.flagAt }];
  const flagged = given(submission, ...historyOf.processing)
    .when({ ...resultTo('approved'), result: { ...extracted, fraud: { matches, policy } } })
    .thenState();
  assert.equal([flagged?.status, flagged?.fraudStatus], ['review', 'flagged']);
  assert.equal(flagged?.reviewReasons, [{ code: 'fraud_flagged', field: null }]);
});

test('where no resolution is required, what fraud blocks can be approved [fraud-25]', () => {
  const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
  const lax = { matches: [found], policy: { ...policy, requireResolution: false } };
  const checked = given(submission, ...historyOf.processing)
    .when({ ...resultTo('approved'), result: { ...extracted, fraud: lax } })
    .thenTypes('SubmissionFraudChecked', 'SubmissionProcessed');
  const blocked = given(submission, ...historyOf.processing, ...checked);
  assert.equal([blocked.state?.status, blocked.state?.fraudStatus], ['review', 'blocked']);
  blocked
    .when({ type: 'Approve', comment: null, actor: null, corrections: {} })
    .thenTypes('SubmissionApproved');
});

test('a cancelled or expired session is not submitted, and no other is twice [sessions-10, sessions-11]', () => {
  for (const past of [cancelOf(historyOf.created), [created, expired]])
    given(submission, ...past)
      .when(submit)
      .thenRefused('SessionEnded');
  for (const past of [[created, submitted], historyOf.processing, historyOf.review, historyOf.failed])
    given(submission, ...past)
      .when(submit)
      .then();
});

test('fraud sends to review and blocks approval until the match is judged [fraud-19, fraud-20, fraud-22, fraud-23, lifecycle-18]', () => {
  const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
  const checked = given(submission, ...historyOf.processing)
    .when({ ...resultTo('approved'), result: { ...extracted, fraud: { matches: [found], policy } } })
    .thenTypes('SubmissionFraudChecked', 'SubmissionProcessed');
  const past = [...historyOf.processing, ...checked];
  const approve: SubmissionCommand = { type: 'Approve', comment: null, actor: null, corrections: {} };
  const resolve = (resolution: 'confirmed' | 'dismissed'): SubmissionCommand => ({
    type: 'ResolveFraudMatch',
    matchId: match.id,
    resolution,
    resolvedBy: 'key:x',
    comment: null,
    resolvedAt: '2026-11-21T10:00:00.000Z',
  });
  const blocked = given(submission, ...past);
  assert.is(blocked.state?.status, 'review');
  assert.equal(blocked.state?.reviewReasons, [{ code: 'fraud_blocked', field: null }]);
  blocked.when(approve).thenRefused('FraudUnresolved');
  const confirmed = blocked.when(resolve('confirmed')).thenTypes('SubmissionFraudMatchResolved');
  given(submission, ...past, ...confirmed)
    .when(approve)
    .thenRefused('FraudConfirmed');
  given(submission, ...past, ...confirmed)
    .when(resolve('confirmed'))
    .then();
  const dismissed = blocked.when(resolve('dismissed')).thenTypes('SubmissionFraudMatchResolved');
  const cleared = given(submission, ...past, ...dismissed);
  assert.is(cleared.state?.fraudStatus, 'clean');
  assert.is(cleared.state?.fraudScore, 0);
  cleared.when(approve).thenTypes('SubmissionApproved');
});
