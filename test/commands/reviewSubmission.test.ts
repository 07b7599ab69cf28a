import * as assert from 'uvu/assert';
import { checkCorrections, reviewSubmission } from '../../commands/reviewSubmission.ts';
import { DomainError } from '../../domain/kernel.ts';
import type { Approve, Cancel, Reject } from '../../domain/submission/review.ts';
import { submissionStream } from '../../domain/submission.ts';
import { type Sessions, sessionsOn } from '../controls/sessions.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { definition } from '../controls/workflow.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('reviewSubmission');
let stores: Stores;
let sessions: Sessions;
test.before(() => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
});
test.after(() => stores.remove());

const approve: Approve = { type: 'Approve', comment: null, actor: null, corrections: {} };
const reject: Reject = { type: 'Reject', reason: null, actor: null };
const cancel: Cancel = { type: 'Cancel', reason: null, actor: null };
const commands = [approve, reject, cancel, approve, reject, cancel, approve, reject];

test(
  'of many reviewers at once exactly one wins',
  async () => {
    for (let round = 0; round < rounds(20, 500); round += 1) {
      const submissionId = await sessions.inReview();
      const { head: before } = await stores.log.load(submissionStream(submissionId));
      const review = reviewSubmission(stores.handle);
      const outcomes = await Promise.allSettled(
        commands.map((command) => review(submissionId, command, context)),
      );
      assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.match(outcome.reason.name, /^SubmissionNot/);
      }
      const { head } = await stores.log.load(submissionStream(submissionId));
      assert.is(head?.revision, (before?.revision ?? 0) + 1);
    }
  },
  { timeoutMs: 300_000 },
);

test('a decision that is repeated is refused', async () => {
  const submissionId = await sessions.inReview();
  const review = reviewSubmission(stores.handle);
  await review(submissionId, reject, context);
  const error = await failure(review(submissionId, reject, context));
  assert.is(error.name, 'SubmissionNotInReview');
  assert.equal((error as DomainError).facts, { currentStatus: 'rejected', allowedFrom: ['review'] });
});

const faults = (corrections: Readonly<Record<string, unknown>>): readonly string[] => {
  try {
    checkCorrections(corrections, definition.outputSchema);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    assert.is(error.name, 'CorrectionsRefused');
    return (error.facts.errors as { pointer: string }[]).map(({ pointer }) => pointer);
  }
  return [];
};
const table: readonly Readonly<{ corrections: Readonly<Record<string, unknown>>; at: readonly string[] }>[] =
  [
    { corrections: {}, at: [] },
    { corrections: { total: 3.5 }, at: [] },
    { corrections: { company: 'ACME' }, at: [] },
    { corrections: { total: null, company: null }, at: [] },
    { corrections: { total: '3.5' }, at: ['/corrections/total'] },
    { corrections: { company: 'x'.repeat(21) }, at: ['/corrections/company'] },
    { corrections: { colour: 'blue' }, at: ['/corrections/colour'] },
    { corrections: { colour: null }, at: ['/corrections/colour'] },
    { corrections: { 'a/b~c': 1 }, at: ['/corrections/a~1b~0c'] },
    { corrections: { constructor: 1 }, at: ['/corrections/constructor'] },
    { corrections: { total: true, company: 5 }, at: ['/corrections/total', '/corrections/company'] },
  ];
for (const { corrections, at } of table) {
  test(`corrections ${JSON.stringify(corrections).slice(0, 60)}: ${at.join(' ') || 'fine'}`, () =>
    assert.equal(faults(corrections), at));
}
