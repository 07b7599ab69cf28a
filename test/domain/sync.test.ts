import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { resultTo } from '../controls/commands.ts';
import { examples } from '../controls/events.ts';
import { created, historyOf, processed, synced } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('sync');

const syncTo = 'https://erp.example.com';
const at = '2026-11-21T10:00:30.000Z';
const owing = (event: SubmissionEvent): SubmissionEvent =>
  ({ ...event, data: { ...event.data, syncTo } }) as never;
const approved = [...historyOf.processing, owing(processed('approved'))];
const fails = (attempt: number, nextAttemptAt: string | null = at): SubmissionCommand => ({
  type: 'RecordSyncFailure',
  attempt,
  outcome: { statusCode: 503, durationMs: 12, error: 'answered 503' },
  nextAttemptAt,
});
const failed = (attempt: number, nextAttemptAt: string | null = at): SubmissionEvent => {
  const { data } = examples.SubmissionSyncFailed;
  return { type: 'SubmissionSyncFailed', data: { ...data, attempt, nextAttemptAt } };
};
const request: SubmissionCommand = { type: 'RequestSync', syncTo };
const givenUp = [...approved, failed(1), failed(2, null)];

test('an approval by the machine owes the data to the version’s target, a review owes nothing yet', () => {
  const { when } = given(submission, ...historyOf.processing);
  const [event] = when({ ...resultTo('approved'), syncTo }).thenTypes('SubmissionProcessed');
  assert.is(event?.type === 'SubmissionProcessed' && event.data.syncTo, syncTo);
  const [review] = when({ ...resultTo('review'), syncTo }).thenTypes('SubmissionProcessed');
  assert.not.ok('syncTo' in (review?.data ?? {}));
  assert.is(when({ ...resultTo('review'), syncTo }).thenState()?.sync, null);
});

test('so does a reviewer’s approval; without a target no sync is pending', () => {
  const approve = { type: 'Approve', comment: null, actor: null, corrections: {} } as const;
  const { when } = given(submission, ...historyOf.review);
  assert.equal(when({ ...approve, syncTo }).thenState()?.sync, {
    ...{ status: 'pending', attempts: 0, earlierAttempts: 0, lastError: null },
  });
  assert.is(when(approve).thenState()?.sync, null);
});

test('no sync is pending where metadata force the outcome, whoever approves it', () => {
  const metadata = { 'intake:outcome': 'review' };
  const { data } = created;
  const forced = { ...data, mode: 'test', private: { ...data.private, metadata } } as typeof data;
  const approve = { type: 'Approve', comment: null, actor: null, corrections: {}, syncTo } as const;
  const past: readonly SubmissionEvent[] = [{ ...created, data: forced }, ...historyOf.review.slice(1)];
  assert.is(
    given(submission, ...past)
      .when(approve)
      .thenState()?.sync,
    null,
  );
  const approvedIt = given(submission, ...past)
    .when(approve)
    .thenTypes('SubmissionApproved');
  given(submission, ...past, ...approvedIt)
    .when(request)
    .thenRefused('SubmissionHasNoSync');
});

test('a failure says why and when it is tried again, and is known once', () => {
  const { when } = given(submission, ...approved);
  const [event] = when(fails(1)).thenTypes('SubmissionSyncFailed');
  assert.equal(event, examples.SubmissionSyncFailed);
  const state = when(fails(1)).thenState();
  assert.equal([state?.status, state?.sync?.status, state?.sync?.attempts], ['approved', 'retrying', 1]);
  when(fails(2)).then();
  given(submission, ...approved, failed(1))
    .when(fails(1))
    .then();
});

test('the last one leaves it approved and given up; nothing more is recorded of it', () => {
  const after = given(submission, ...givenUp);
  assert.equal(after.state?.sync, {
    ...{ status: 'failed', attempts: 2, earlierAttempts: 0, lastError: 'answered 503' },
  });
  assert.is(after.state?.status, 'approved');
  after.when(fails(3)).then();
});

test('a success ends it, also after failures, and a late failure changes nothing', () => {
  const { when } = given(submission, ...approved, failed(1));
  when({ type: 'RecordSync' }).thenTypes('SubmissionSynced');
  const after = given(submission, ...approved, failed(1), synced);
  assert.equal(after.state?.sync, {
    ...{ status: 'synced', attempts: 2, earlierAttempts: 0, lastError: null },
  });
  after.when(fails(2)).then();
  after.when({ type: 'RecordSync' }).then();
});

test('an operator’s wish begins the schedule anew, and attempts count on', () => {
  const { when } = given(submission, ...givenUp);
  const [event] = when(request).thenTypes('SubmissionSyncRequested');
  assert.equal(event?.data, { ...examples.SubmissionSyncRequested.data, attempts: 2 });
  assert.equal(when(request).thenState()?.sync, {
    ...{ status: 'pending', attempts: 2, earlierAttempts: 2, lastError: 'answered 503' },
  });
});

test('what is due stays as it is; what waits for a try, or was approved without a word of a target, may be sent', () => {
  given(submission, ...approved)
    .when(request)
    .then();
  for (const past of [[...approved, failed(1)], historyOf.approved])
    given(submission, ...past)
      .when(request)
      .thenTypes('SubmissionSyncRequested');
});

test('a wish is refused for what is not approved, has no target, or is redacted', () => {
  for (const status of ['created', 'review', 'rejected', 'synced'] as const)
    given(submission, ...historyOf[status])
      .when(request)
      .thenRefused('SubmissionNotApproved');
  given(submission, ...historyOf.approved)
    .when({ type: 'RequestSync' })
    .thenRefused('SubmissionHasNoSync');
  given(submission, ...historyOf.approved, examples.SubmissionRedactionRequested)
    .when(request)
    .thenRefused('SubmissionRedacted');
});
