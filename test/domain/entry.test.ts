import * as assert from 'uvu/assert';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { resultTo } from '../controls/commands.ts';
import { historyOf } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('entry of values');

const enter: SubmissionCommand<'OpenForEntry'> = {
  ...{ type: 'OpenForEntry', reason: 'torn', actor: 'ann' },
  ...{ fields: ['company', 'total', 'note'], required: ['company', 'total'] },
};
const missing = ['company', 'total'].map((field) => ({ code: 'missing_required', field }));

for (const status of ['failed', 'capture_quality_blocked'] as const) {
  test(`what is ${status} goes to review with empty fields, in a round of its own [lifecycle-23]`, () => {
    const { state: before, when } = given(submission, ...historyOf[status]);
    const [event] = when(enter).thenTypes('SubmissionOpenedForEntry');
    if (event?.type !== 'SubmissionOpenedForEntry') throw new Error('another event');
    const { round, from, fields, private: part } = event.data;
    assert.equal([round, from, fields], [2, status, enter.fields]);
    assert.equal(part, { reason: 'torn', actor: 'ann' });
    const after = when(enter).thenState();
    assert.equal(after?.extractedData, { company: null, total: null, note: null });
    assert.equal(after?.fieldConfidences, { company: 0, total: 0, note: 0 });
    assert.equal([after?.status, after?.state, after?.reviewReasons], ['review', 'completed', missing]);
    assert.equal([after?.failedReason, after?.fraudStatus], [null, null]);
    assert.ok(before?.failedReason);
  });
}

const entered = [
  ...historyOf.failed,
  ...given(submission, ...historyOf.failed)
    .when(enter)
    .thenTypes('SubmissionOpenedForEntry'),
];
const approve: SubmissionCommand<'Approve'> = {
  ...{ type: 'Approve', comment: null, actor: null, required: enter.required },
  corrections: { company: 'ACME' },
};

test('its approval takes the typed values, and names those that are missing [lifecycle-23, review-18]', () => {
  const { when } = given(submission, ...entered);
  const [approved] = when(approve).thenTypes('SubmissionApproved');
  assert.equal(approved?.type === 'SubmissionApproved' && approved.data.missing, ['total']);
  assert.equal(when(approve).thenState()?.extractedData, { company: 'ACME', total: null, note: null });
  when({ ...approve, requireComplete: true }).thenRefused('ValuesMissing');
});

test('a late result changes nothing, and nobody enters or processes it twice', () => {
  const { when } = given(submission, ...entered);
  when(resultTo('approved')).then();
  when(enter).thenRefused('SubmissionNotEnterable');
  when({ type: 'Reprocess' }).thenRefused('SubmissionNotReprocessable');
});
