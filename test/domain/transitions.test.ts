import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/events.ts';
import type { RecordResult } from '../../domain/submission/processing.ts';
import { allowedFrom, type Status, statuses, transitions } from '../../domain/submission/transitions.ts';
import { type SubmissionCommand, submission } from '../../domain/submission.ts';
import { extracted, historyOf, match, policy } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('submission transitions');

type Attempted = Readonly<{ to: Status; command: SubmissionCommand; before?: readonly SubmissionEvent[] }>;

const result = (to: 'approved' | 'review' | 'failed' | 'capture_quality_blocked'): RecordResult => ({
  type: 'RecordResult',
  round: 1,
  attempt: 1,
  result:
    to === 'failed' || to === 'capture_quality_blocked'
      ? { kind: to, reason: 'unreadable' }
      : { ...extracted, reviewReasons: to === 'review' ? [{ code: 'always_review', field: null }] : [] },
});

/** Each command that could bring a submission to a status. */
const ways: readonly Attempted[] = [
  { to: 'processing', command: { type: 'Reprocess' } },
  { to: 'approved', command: { type: 'Approve', comment: null, actor: null, corrections: {} } },
  { to: 'rejected', command: { type: 'Reject', reason: null, actor: null } },
  { to: 'cancelled', command: { type: 'Cancel', reason: null, actor: null } },
  { to: 'synced', command: { type: 'RecordSync' } },
  { to: 'approved', command: result('approved') },
  { to: 'review', command: result('review') },
  { to: 'failed', command: result('failed') },
  { to: 'capture_quality_blocked', command: result('capture_quality_blocked') },
];

/** What the table says, narrowed to who may do it: reviewers approve from review, machines end what is processing. */
const legal = (from: Status, { to, command }: Attempted): boolean => {
  if (!transitions[from].includes(to)) return false;
  if (command.type === 'Approve') return from === 'review';
  if (command.type === 'RecordResult') return from === 'processing';
  if (command.type === 'Reprocess') return from !== 'created';
  return true;
};

/** A machine's repetition, or a result that comes too late, is no fault and changes no status. */
const harmless = (from: Status, { command }: Attempted): boolean =>
  command.type === 'RecordResult'
    ? from !== 'processing' && from !== 'created'
    : command.type === 'RecordSync' && from === 'synced';

let legalCount = 0;
for (const from of statuses) {
  for (const way of ways) {
    const title = `${way.command.type} to ${way.to} from ${from}`;
    if (legal(from, way)) {
      legalCount += 1;
      test(`${title} is legal`, () => {
        const { state } = given(submission, ...historyOf[from]);
        const event = submission.decide(way.command, state).at(-1);
        assert.equal(event && 'to' in event.data && [event.data.from, event.data.to], [from, way.to]);
        assert.is(event && submission.evolve(state, event)?.status, way.to);
      });
    } else if (harmless(from, way)) {
      test(`${title} changes nothing`, () => {
        const after = given(submission, ...historyOf[from])
          .when(way.command)
          .thenState();
        assert.is(after?.status, from);
      });
    } else if (way.command.type !== 'RecordResult') {
      test(`${title} is refused`, () => {
        const { state, when } = given(submission, ...historyOf[from]);
        const name = { Approve: 'SubmissionNotInReview', Reject: 'SubmissionNotInReview' } as Record<
          string,
          string
        >;
        const others: Record<string, string> = {
          Cancel: 'SubmissionNotCancellable',
          RecordSync: 'SubmissionNotApproved',
          Reprocess: 'SubmissionNotReprocessable',
        };
        const { type } = way.command;
        const error = when(way.command).thenRefused(name[type] ?? others[type] ?? '');
        assert.is(error.facts.currentStatus, state?.status);
        assert.ok(Array.isArray(error.facts.allowedFrom));
        assert.not.ok((error.facts.allowedFrom as string[]).includes(from));
      });
    }
  }
}

test('every transition of the table is reached by some way', () => {
  const reached = new Set<string>();
  for (const from of statuses) {
    for (const way of ways) if (legal(from, way)) reached.add(`${from} ${way.to}`);
  }
  reached.add('created processing');
  const table = statuses.flatMap((from) => transitions[from].map((to) => `${from} ${to}`));
  assert.equal([...reached].sort(), [...table].sort());
  assert.ok(legalCount >= table.length - 1);
});

test('allowedFrom reads the table backwards', () => {
  assert.equal(allowedFrom('cancelled'), [
    'created',
    'processing',
    'capture_quality_blocked',
    'review',
    'failed',
  ]);
  assert.equal(allowedFrom('rejected'), ['review']);
  assert.equal(allowedFrom('synced'), ['approved']);
});

test('a submission that is not there refuses every command but opening', () => {
  for (const { command } of ways) given(submission).when(command).thenRefused('SubmissionNotFound');
});

test('a result without a worker having begun belongs to no attempt: nothing', () => {
  given(submission, ...historyOf.created)
    .when(result('approved'))
    .then();
});

test('firstProcessed is said once', () => {
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
    .when({ ...result('approved'), round: 2 })
    .thenTypes('SubmissionProcessed');
  assert.is(again?.type === 'SubmissionProcessed' && again.data.firstProcessed, false);
  const [first] = given(submission, ...historyOf.processing)
    .when(result('review'))
    .thenTypes('SubmissionProcessed');
  assert.is(first?.type === 'SubmissionProcessed' && first.data.firstProcessed, true);
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

test('fraud sends to review and blocks approval until the match is judged', () => {
  const { resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
  const checked = given(submission, ...historyOf.processing)
    .when({ ...result('approved'), result: { ...extracted, fraud: { matches: [found], policy } } })
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
  given(submission, ...past, ...confirmed)
    .when(resolve('dismissed'))
    .thenRefused('FraudMatchResolved');
  const dismissed = blocked.when(resolve('dismissed')).thenTypes('SubmissionFraudMatchResolved');
  const cleared = given(submission, ...past, ...dismissed);
  assert.is(cleared.state?.fraudStatus, 'clean');
  assert.is(cleared.state?.fraudScore, 0);
  cleared.when(approve).thenTypes('SubmissionApproved');
});
