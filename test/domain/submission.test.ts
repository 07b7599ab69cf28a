import * as assert from 'uvu/assert';
import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { submission } from '../../domain/submission/submission.ts';
import { type Status, statuses } from '../../domain/submission/transitions.ts';
import {
  created,
  expired,
  extracted,
  historyOf,
  match,
  policy,
  processed,
  routing,
  started,
  submitted,
} from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('submission');
const file = {
  fileId: 'fil_x',
  fileIndex: 0,
  label: 'front',
  mimeType: 'image/png',
  fileSize: 10,
  etag: 'e1',
};
const submit = { type: 'SubmitSession', files: [file] } as const;
const record = { type: 'RecordResult', round: 1, attempt: 1, result: extracted } as const;

test('opening makes a created submission that expects uploads', () => {
  const { from: _f, to: _t, firstProcessed: _p, processed: _q, ...session } = created.data;
  const after = given(submission).when({ type: 'OpenSession', routing, session }).thenState();
  assert.equal([after?.status, after?.state], ['created', 'pending']);
  assert.is(after?.clientSubmissionId, 'order-1');
});

test('opening twice is refused', () => {
  const { from: _f, to: _t, firstProcessed: _p, processed: _q, ...session } = created.data;
  given(submission, created).when({ type: 'OpenSession', routing, session }).thenRefused('SessionExists');
});

test('submit queues and leaves the status', () => {
  const after = given(submission, created).when(submit).thenState();
  assert.equal([after?.status, after?.state, after?.files], ['created', 'queued', [file]]);
});

const submitAgain: Readonly<Record<Status, 'nothing' | 'refused' | 'submitted'>> = {
  created: 'submitted',
  processing: 'nothing',
  capture_quality_blocked: 'nothing',
  review: 'nothing',
  approved: 'nothing',
  synced: 'nothing',
  rejected: 'nothing',
  cancelled: 'refused',
  failed: 'nothing',
};
for (const status of statuses) {
  test(`submit in ${status}: ${submitAgain[status]}`, () => {
    const { when } = given(submission, ...historyOf[status]);
    if (submitAgain[status] === 'refused') when(submit).thenRefused('SessionEnded');
    else when(submit).thenTypes(...(submitAgain[status] === 'nothing' ? [] : ['SessionSubmitted' as const]));
  });
}
test('submit after a submit changes nothing', () =>
  given(submission, created, submitted).when(submit).then());
test('submit of an expired session is refused', () =>
  void given(submission, created, expired).when(submit).thenRefused('SessionEnded'));

test('a session expires when its time has come, and only while it expects uploads', () => {
  given(submission, created).when({ type: 'ExpireSession', at: '2026-11-22T09:59:59.999Z' }).then();
  given(submission, created, submitted)
    .when({ type: 'ExpireSession', at: '2026-11-23T00:00:00.000Z' })
    .then();
  const after = given(submission, created)
    .when({ type: 'ExpireSession', at: '2026-11-22T10:00:00.000Z' })
    .thenState();
  assert.equal([after?.status, after?.state], ['cancelled', 'expired']);
  assert.match(after?.cancelReason ?? '', /expired/);
});

test('each attempt is counted, and the round ends when they are used up', () => {
  const start = { type: 'StartProcessing', maxAttempts: 2, at: '2026-11-21T10:00:00.000Z' } as const;
  const first = given(submission, created, submitted).when(start).thenTypes('SubmissionProcessingStarted');
  const second = given(submission, created, submitted, ...first)
    .when(start)
    .thenTypes('SubmissionProcessingStarted');
  const last = given(submission, created, submitted, ...first, ...second);
  assert.is(last.state?.attempt, 2);
  assert.equal(
    [last.when(start).thenState()?.status, last.when(start).thenState()?.state],
    ['failed', 'failed'],
  );
});

test('nothing is processed before it was submitted or after it has ended', () => {
  const start = { type: 'StartProcessing', maxAttempts: 2, at: '2026-11-21T10:00:00.000Z' } as const;
  given(submission, created).when(start).thenRefused('SubmissionNotProcessable');
  given(submission, ...historyOf.review)
    .when(start)
    .thenRefused('SubmissionNotProcessable');
});

test("another attempt's result is refused", () => {
  given(submission, created, submitted, started)
    .when({ ...record, attempt: 2 })
    .thenRefused('ProcessingAttemptSuperseded');
});

test('the same result again changes nothing', () =>
  given(submission, created, submitted, started, processed('approved')).when(record).then());

test('a result for a cancelled submission is dropped, and the drop recorded once', () => {
  const past = [created, submitted, started];
  const cancelled = given(submission, ...past)
    .when({ type: 'Cancel', reason: 'mistake', actor: null })
    .thenTypes('SubmissionCancelled');
  const after = given(submission, ...past, ...cancelled);
  assert.equal([after.state?.status, after.state?.state], ['cancelled', 'cancelled']);
  const dropped = after.when(record).thenTypes('SubmissionResultDropped');
  const end = given(submission, ...past, ...cancelled, ...dropped);
  end.when(record).then();
  assert.is(end.state?.status, 'cancelled');
  assert.is(end.state?.extractedData, null);
});

test('a job that was processed stays completed when its submission is cancelled', () => {
  const after = given(submission, ...historyOf.review)
    .when({ type: 'Cancel', reason: null, actor: null })
    .thenState();
  assert.equal([after?.status, after?.state], ['cancelled', 'completed']);
});

test('an approval keeps what the machine had read beside what a person corrected', () => {
  const after = given(submission, ...historyOf.review)
    .when({ type: 'Approve', comment: null, actor: 'ann', corrections: { company: 'ACME', total: null } })
    .thenState();
  assert.equal(after?.extractedData, { total: null, company: 'ACME' });
  assert.equal(after?.corrections, [
    { field: 'company', machineValue: null, humanValue: 'ACME' },
    { field: 'total', machineValue: 80.9, humanValue: null },
  ]);
});

test('without their key the private parts read as a placeholder', () => {
  const hidden = { ...created, data: { ...created.data, private: { redacted: true as const } } };
  const { state } = given(submission, hidden, submitted, started, processed('review'));
  assert.equal(
    [state?.clientSubmissionId, state?.metadata, state?.webhookUrl],
    ['[redacted]', '[redacted]', '[redacted]'],
  );
  assert.is(state?.status, 'review');
});

const delay = {
  type: 'DelayProcessing',
  round: 1,
  attempt: 1,
  reason: 'The store was away.',
  retryAt: '2026-11-21T10:05:00.000Z',
} as const;

test('a delay is noted for the attempt under way only, and changes no status', () => {
  const { when } = given(submission, ...historyOf.processing);
  const { type: _, reason, ...facts } = delay;
  when(delay).then({
    type: 'SubmissionProcessingDelayed',
    data: { ...routing, ...facts, private: { reason } },
  });
  assert.is(when(delay).thenState()?.status, 'processing');
  when({ ...delay, attempt: 2 }).thenRefused('ProcessingAttemptSuperseded');
  when({ ...delay, round: 2 }).thenRefused('ProcessingAttemptSuperseded');
});

test('the next attempt begins when it is due, not when a queue that is behind says so', () => {
  const past = given(submission, ...historyOf.processing)
    .when(delay)
    .thenTypes('SubmissionProcessingDelayed');
  const { when } = given(submission, ...historyOf.processing, ...past);
  const start = { type: 'StartProcessing', maxAttempts: 6 } as const;
  when({ ...start, at: '2026-11-21T10:04:59.999Z' }).thenRefused('SubmissionNotProcessable');
  assert.is(when({ ...start, at: delay.retryAt }).thenState()?.attempt, 2);
});

test('what a match compared may quote the data, so it is sealed; without its key it reads as empty', () => {
  const {
    resolution: _r,
    resolvedBy: _b,
    resolvedAt: _a,
    ...found
  } = {
    ...match,
    details: { company: 'ACME' },
  };
  const result = { ...extracted, fraud: { matches: [found], policy } };
  const [checked] = given(submission, ...historyOf.processing)
    .when({ ...record, result })
    .thenTypes('SubmissionFraudChecked', 'SubmissionProcessed');
  if (checked?.type !== 'SubmissionFraudChecked') throw new Error('it was not checked');
  const { private: part, ...open } = checked.data;
  assert.not.match(JSON.stringify(open), 'ACME');
  assert.equal(part, { details: { [found.id]: { company: 'ACME' } } });
  const detailsOf = (event: SubmissionEvent) =>
    given(submission, ...historyOf.processing, event).state?.fraudMatches[0]?.details;
  assert.equal(detailsOf(checked), { company: 'ACME' });
  assert.equal(detailsOf({ ...checked, data: { ...checked.data, private: { redacted: true } } }), {});
});

test('a delay of an attempt that has ended since has no effect', () => {
  for (const status of ['review', 'approved', 'failed', 'cancelled'] as const)
    given(submission, ...historyOf[status])
      .when(delay)
      .then();
});

test('a new round counts its attempts anew and forgets why the last one failed', () => {
  const { when } = given(submission, ...historyOf.failed);
  const after = when({ type: 'Reprocess' }).thenState();
  assert.equal(
    [after?.status, after?.state, after?.round, after?.attempt, after?.failedReason],
    ['processing', 'processing', 2, 0, null],
  );
  const [requested] = when({ type: 'Reprocess' }).thenTypes('SubmissionReprocessingRequested');
  if (!requested) throw new Error('no event');
  given(submission, ...historyOf.failed, requested)
    .when(record)
    .thenRefused('ProcessingAttemptSuperseded');
});
