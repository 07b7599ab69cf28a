import * as assert from 'uvu/assert';
import { reviewSubmission } from '../../commands/reviewSubmission.ts';
import { submissionStream } from '../../domain/submission/submission.ts';
import type { DomainError } from '../../kernel/decider.ts';
import { type Sessions, sessionsOn } from '../controls/sessions.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('reviewSubmission');
let stores: Stores;
let sessions: Sessions;
test.before(() => {
  stores = temporaryStores();
  sessions = sessionsOn(stores);
});
test.after(() => stores.remove());

const approve = { type: 'Approve', comment: null, actor: null, corrections: {} } as const;
const reject = { type: 'Reject', reason: null, actor: null } as const;
const cancel = { type: 'Cancel', reason: null, actor: null } as const;
const commands = [approve, reject, cancel, approve, reject, cancel, approve, reject];

test(
  'of many reviewers at once exactly one wins',
  async () => {
    for (let round = 0; round < rounds(20, 500); round += 1) {
      const submissionId = await sessions.inReview();
      const { head: before } = await stores.log.load(submissionStream(submissionId));
      const review = reviewSubmission(stores);
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

const people = ['ann', 'bob', 'eve'].map((id) => ({ kind: 'user', id }) as const);
const wishes = [approve, reject, approve, reject, approve];

test(
  'of people who decide at once where two must, each event is by another than the one before it that it completes [review-16]',
  async () => {
    const review = reviewSubmission(stores);
    for (let round = 0; round < rounds(20, 10_000); round += 1) {
      const submissionId = await sessions.inReview();
      const all = round % 2 === 0 ? people.map((by) => [by, approve] as const) : mixed(round);
      const outcomes = await Promise.allSettled(
        [...all, ...all].map(([by, command]) =>
          review(submissionId, { ...command, by }, { ...context, actor: by }),
        ),
      );
      const won = outcomes.filter(({ status }) => status === 'fulfilled').length;
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          assert.match(outcome.reason.name, /^(SubmissionNotInReview|SecondPersonRequired)$/);
      const { events } = await stores.log.load(submissionStream(submissionId));
      const made = events.slice(4);
      assert.is(made.length, won, 'each that won left one event');
      const end = made.findIndex(({ type }) => /Approved|Rejected/.test(type));
      if (round % 2 === 0) assert.equal([made.length, end], [2, 1]);
      if (end === -1) continue;
      assert.is(end, made.length - 1);
      const [first, second] = made.slice(-2);
      assert.is.not(first?.metadata.actor.id, second?.metadata.actor.id);
      const outcome = (first?.data as { outcome: string } | undefined)?.outcome;
      assert.is(outcome, second?.type === 'SubmissionApproved' ? 'approved' : 'rejected');
    }
  },
  { timeoutMs: 1_800_000 },
);

const mixed = (round: number) =>
  wishes.map(
    (command, n) => [people[(n + round) % people.length] ?? people[0], command] as const,
  ) as readonly (readonly [(typeof people)[number], (typeof wishes)[number]])[];

test('a decision that is repeated is refused', async () => {
  const submissionId = await sessions.inReview();
  const review = reviewSubmission(stores);
  await review(submissionId, reject, context);
  const error = await failure(review(submissionId, reject, context));
  assert.is(error.name, 'SubmissionNotInReview');
  assert.equal((error as DomainError).facts, { currentStatus: 'rejected', allowedFrom: ['review'] });
});
