import * as assert from 'uvu/assert';
import { needsTwo } from '../../domain/submission/fourEyes.ts';
import type { ExtractedData } from '../../domain/submission/processingResult.ts';
import { submission } from '../../domain/submission/submission.ts';
import { ann, bob } from '../controls/commands.ts';
import {
  firstDecision,
  historyOf,
  match,
  policy,
  processed,
  routing,
  submitted,
} from '../controls/submission.ts';
import { definition } from '../controls/workflow.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('four eyes');
const { review } = historyOf;
const approve = (by: typeof ann | typeof bob | null, corrections: ExtractedData = {}) =>
  ({ type: 'Approve', comment: 'fine', actor: null, corrections, ...(by ? { by } : {}) }) as const;
const reject = (by: typeof ann | typeof bob | null) =>
  ({ type: 'Reject', reason: 'no receipt', actor: null, ...(by ? { by } : {}) }) as const;
const afterAnn = [...review, firstDecision('approved', ann)];

test('the first approval leaves the submission in review, and says what was corrected [review-11]', () => {
  const { when } = given(submission, ...review);
  when(approve(ann, { company: 'ACME' })).then({
    type: 'SubmissionFirstDecisionMade',
    data: {
      ...routing,
      outcome: 'approved',
      by: ann,
      private: {
        comment: 'fine',
        reason: null,
        actor: null,
        corrections: [{ field: 'company', machineValue: null, humanValue: 'ACME' }],
      },
    },
  });
  const state = when(approve(ann, { company: 'ACME' })).thenState();
  assert.equal([state?.status, state?.state], ['review', 'completed']);
  assert.equal(state?.extractedData, { total: 80.9, company: null }, 'nothing is corrected yet');
  assert.equal([state?.firstDecision?.outcome, state?.firstDecision?.by], ['approved', ann]);
});

test('the first rejection does as well [review-11]', () => {
  const state = given(submission, ...review)
    .when(reject(ann))
    .thenState();
  assert.equal([state?.status, state?.rejectReason], ['review', null]);
  assert.equal([state?.firstDecision?.outcome, state?.firstDecision?.reason], ['rejected', 'no receipt']);
});

test('the same by another person completes it [review-11]', () => {
  const approved = given(submission, ...afterAnn).when(approve(bob));
  approved.thenTypes('SubmissionApproved');
  assert.equal([approved.thenState()?.status, approved.thenState()?.firstDecision?.by], ['approved', ann]);
  const rejected = given(submission, ...review, firstDecision('rejected', ann)).when(reject(bob));
  rejected.thenTypes('SubmissionRejected');
  const { status, rejectReason, firstDecision: first } = rejected.thenState() ?? {};
  assert.equal([status, rejectReason, first?.by], ['rejected', 'no receipt', ann]);
});

test('the corrections of the second win over those of the first, and both are kept [review-13]', () => {
  const { when } = given(submission, ...afterAnn);
  assert.equal(when(approve(bob)).thenState()?.extractedData, { total: 80.95, company: null });
  const state = when(approve(bob, { total: 81, company: 'ACME' })).thenState();
  assert.equal(state?.extractedData, { total: 81, company: 'ACME' });
  assert.equal(state?.corrections, [
    { field: 'total', machineValue: 80.9, humanValue: 81 },
    { field: 'company', machineValue: null, humanValue: 'ACME' },
  ]);
  assert.equal(
    state?.firstDecision?.corrections.map(({ field, humanValue }) => [field, humanValue]),
    [['total', 80.95]],
  );
});

for (const [who, by] of [
  ['a person', ann],
  ['a key', { kind: 'key', id: routing.keyId }],
] as const)
  test(`the same decision by ${who} again is refused [review-14]`, () => {
    for (const outcome of ['approved', 'rejected'] as const) {
      const command = { ...(outcome === 'approved' ? approve(null) : reject(null)), by };
      const refused = given(submission, ...review, firstDecision(outcome, by))
        .when(command)
        .thenRefused('SecondPersonRequired');
      assert.equal(refused.facts, { currentStatus: 'review' });
    }
  });

test('a key and a person of one identifier are two [review-14]', () => {
  const { when } = given(submission, ...review, firstDecision('approved', { kind: 'key', id: ann.id }));
  when(approve(ann)).thenTypes('SubmissionApproved');
});

test('a key counts as the user who created it, one of the operator as itself [review-14]', () => {
  const key = (id: string, keyCreatedBy?: string) => ({
    by: { kind: 'key', id } as const,
    ...(keyCreatedBy ? { keyCreatedBy } : {}),
  });
  const person = { by: ann };
  const [own, other] = [key('key_1', ann.id), key('key_2', ann.id)];
  const decide = (first: object, second: object) => {
    const state = given(submission, ...review);
    const made = state.when({ ...approve(null), ...first }).thenTypes('SubmissionFirstDecisionMade');
    return given(submission, ...review, ...made).when({ ...approve(null), ...second });
  };
  for (const [first, second] of [
    [own, person],
    [person, own],
    [own, other],
    [own, own],
  ] as const)
    decide(first, second).thenRefused('SecondPersonRequired');
  for (const [first, second] of [
    [own, { by: bob }],
    [{ by: bob }, own],
    [own, key('key_3', bob.id)],
    [own, key('key_4')],
    [key('key_4'), person],
    [key('key_4'), key('key_5')],
  ] as const)
    decide(first, second).thenTypes('SubmissionApproved');
});

test('a key counts as everybody who created it, or a key that it replaces [review-20]', () => {
  const chief = 'usr_chief';
  const key = (id: string, keyCreatedBy: string | null, ...keyMadeBefore: readonly string[]) => ({
    by: { kind: 'key', id } as const,
    ...(keyCreatedBy === null ? {} : { keyCreatedBy }),
    ...(keyMadeBefore.length === 0 ? {} : { keyMadeBefore }),
  });
  const decide = (first: object, second: object) => {
    const state = given(submission, ...review);
    const made = state.when({ ...approve(null), ...first }).thenTypes('SubmissionFirstDecisionMade');
    const { by: _, ...behind } = first as { by: object };
    assert.equal({ ...made[0]?.data, ...behind }, made[0]?.data);
    return given(submission, ...review, ...made).when({ ...approve(null), ...second });
  };
  const rotated = key('key_2', chief, ann.id);
  const byOperator = key('key_3', null, chief, ann.id);
  for (const [one, other] of [
    [rotated, { by: ann }],
    [rotated, key('key_1', ann.id)],
    [rotated, { by: { kind: 'user', id: chief } }],
    [rotated, byOperator],
    [byOperator, { by: ann }],
    [key('key_4', bob.id, chief), rotated],
  ] as const) {
    decide(one, other).thenRefused('SecondPersonRequired');
    decide(other, one).thenRefused('SecondPersonRequired');
  }
  for (const other of [{ by: bob }, key('key_5', bob.id), key('key_6', null)]) {
    decide(rotated, other).thenTypes('SubmissionApproved');
    decide(other, rotated).thenTypes('SubmissionApproved');
  }
});

test('who completes the decision of somebody who invited or last reset them is marked [review-21]', () => {
  const eve = { kind: 'user', id: 'usr_eve' } as const;
  const markOf = (first: typeof ann | { kind: 'key'; id: string }, origin?: object, keyCreatedBy?: string) =>
    (['approved', 'rejected'] as const).map((outcome) => {
      const past = [...review, firstDecision(outcome, first, keyCreatedBy)];
      const command = outcome === 'approved' ? approve(bob) : reject(bob);
      const type = outcome === 'approved' ? 'SubmissionApproved' : 'SubmissionRejected';
      const second = { ...command, ...(origin ? { origin } : {}) };
      const [event] = given(submission, ...past)
        .when(second)
        .thenTypes(type);
      return (event?.data as { secondEye?: string } | undefined)?.secondEye;
    });
  assert.equal(markOf(ann, { invitedBy: ann.id }), ['invited', 'invited']);
  assert.equal(markOf(ann, { resetBy: ann.id }), ['reset', 'reset']);
  assert.equal(markOf(ann, { invitedBy: ann.id, resetBy: ann.id }), ['reset', 'reset']);
  assert.equal(markOf(ann, { invitedBy: ann.id, resetBy: eve.id }), ['invited', 'invited']);
  assert.equal(markOf({ kind: 'key', id: 'key_1' }, { invitedBy: ann.id }, ann.id), ['invited', 'invited']);
  assert.equal(markOf(ann, { invitedBy: eve.id, resetBy: eve.id }), [undefined, undefined]);
  assert.equal(markOf(ann, {}), [undefined, undefined]);
  assert.equal(markOf(ann), [undefined, undefined]);
  const [first] = given(submission, ...review)
    .when({ ...approve(bob), origin: { invitedBy: ann.id } })
    .thenTypes('SubmissionFirstDecisionMade');
  assert.not.ok(JSON.stringify(first).includes('origin'), 'a first decision says nothing of it');
});

test('another outcome withdraws the first decision, of whoever it is, and is the first of its own [review-15]', () => {
  for (const by of [ann, bob]) {
    const { when } = given(submission, ...afterAnn);
    const [event] = when(reject(by)).thenTypes('SubmissionFirstDecisionMade');
    assert.is(event?.type === 'SubmissionFirstDecisionMade' && event.data.withdraws, 'approved');
    const state = when(reject(by)).thenState();
    assert.equal(
      [state?.status, state?.firstDecision?.outcome, state?.firstDecision?.by],
      ['review', 'rejected', by],
    );
  }
});

test('another outcome that one person decides is final, and withdraws the first [review-15]', () => {
  for (const command of [reject(null), { type: 'Cancel', reason: null, actor: null } as const]) {
    const state = given(submission, ...afterAnn)
      .when(command)
      .thenState();
    assert.is(state?.status, command.type === 'Reject' ? 'rejected' : 'cancelled');
    assert.is(state?.firstDecision, null);
  }
  const approved = given(submission, ...review, firstDecision('rejected', ann))
    .when(approve(null))
    .thenState();
  assert.equal([approved?.status, approved?.firstDecision], ['approved', null]);
  assert.equal(approved?.extractedData, { total: 80.9, company: null });
});

test('the corrections of an approval that was withdrawn are not those of a later one [review-13, review-15]', () => {
  const rejected = given(submission, ...afterAnn)
    .when(reject(bob))
    .thenTypes('SubmissionFirstDecisionMade');
  const again = given(submission, ...afterAnn, ...rejected);
  const first = again.when(approve(ann)).thenTypes('SubmissionFirstDecisionMade');
  const state = given(submission, ...afterAnn, ...rejected, ...first)
    .when(approve(bob))
    .thenState();
  assert.equal(
    [state?.status, state?.extractedData, state?.corrections],
    ['approved', { total: 80.9, company: null }, []],
  );
});

test('what fraud blocks gets no first approval either', () => {
  const { details, resolution: _r, resolvedBy: _b, resolvedAt: _a, ...found } = match;
  const blocked = { fraudStatus: 'blocked', fraudScore: 1 } as const;
  const checked = {
    type: 'SubmissionFraudChecked',
    data: {
      ...routing,
      round: 1,
      matches: [found],
      policy,
      ...blocked,
      private: { details: { [found.id]: details } },
    },
  } as const;
  const { type, data } = processed('review');
  if (type !== 'SubmissionProcessed') throw new Error('it is no result');
  const [created, , started] = review;
  if (!created || !started) throw new Error('a review begins otherwise');
  const past = [created, submitted, started, checked, { type, data: { ...data, ...blocked } }];
  given(submission, ...past)
    .when(approve(ann))
    .thenRefused('FraudUnresolved');
  given(submission, ...past)
    .when(reject(ann))
    .thenTypes('SubmissionFirstDecisionMade');
});

test('nothing is decided outside of a review', () => {
  for (const status of ['created', 'approved', 'rejected', 'failed'] as const) {
    given(submission, ...historyOf[status])
      .when(approve(ann))
      .thenRefused('SubmissionNotInReview');
    given(submission, ...historyOf[status])
      .when(reject(ann))
      .thenRefused('SubmissionNotInReview');
  }
});

test('without its key a first decision says only what it was, and by whom', () => {
  const { type, data } = firstDecision('approved', ann);
  if (type !== 'SubmissionFirstDecisionMade') throw new Error('it is no first decision');
  const hidden = { type, data: { ...data, private: { redacted: true } } } as const;
  const { state, when } = given(submission, ...review, hidden);
  assert.equal(state?.firstDecision, {
    outcome: 'approved',
    by: ann,
    comment: '[redacted]',
    reason: '[redacted]',
    actor: '[redacted]',
    corrections: [],
  });
  when(approve(bob)).thenTypes('SubmissionApproved');
});

test('a version asks for two people for the outcomes that it names, and for none unless it names some', () => {
  const version = (fourEyes?: readonly ('approved' | 'rejected')[]) => ({
    processing: { ...definition.processing, ...(fourEyes ? { fourEyes } : {}) },
  });
  assert.is(needsTwo(version(), 'approved'), false);
  assert.is(needsTwo(version([]), 'approved'), false);
  assert.is(needsTwo(version(['rejected']), 'approved'), false);
  assert.is(needsTwo(version(['rejected', 'approved']), 'approved'), true);
});
