import * as assert from 'uvu/assert';
import { type SubmissionCommand, submission } from '../../domain/submission/submission.ts';
import { statuses } from '../../domain/submission/transitions.ts';
import { examples } from '../controls/events.ts';
import { historyOf, routing } from '../controls/submission.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('what reviewers share');

const now = '2026-11-22T08:00:00.000Z';
const later = (days: number, ms = 0): string =>
  new Date(Date.parse(now) + days * 86_400_000 + ms).toISOString();
const postpone = (until: string): SubmissionCommand => ({ type: 'Postpone', until, reason: 'closed', now });
const assign = (assignee: string | null): SubmissionCommand => ({ type: 'Assign', assignee });

for (const status of statuses)
  test(`in ${status} a note may be written; only what is in review is assigned or put off [team-1, team-2, team-4]`, () => {
    const { when } = given(submission, ...historyOf[status]);
    when({ type: 'AddNote', text: 'wait' }).then({
      type: 'SubmissionNoteAdded',
      data: { ...routing, private: { text: 'wait' } },
    });
    const shared = [assign('usr_1'), postpone(later(1)), { type: 'Resume' }] as const;
    for (const command of shared) {
      if (status !== 'review') when(command).thenRefused('SubmissionNotInReview');
    }
  });

test('it is assigned once, and to nobody again [team-2]', () => {
  const waiting = given(submission, ...historyOf.review);
  waiting.when(assign(null)).then();
  const [assigned] = waiting.when(assign('usr_1')).thenTypes('SubmissionAssigned');
  assert.equal(assigned?.data, { ...routing, assignee: 'usr_1' });
  const taken = given(submission, ...historyOf.review, examples.SubmissionAssigned);
  taken.when(assign(examples.SubmissionAssigned.data.assignee)).then();
  assert.is(taken.when(assign(null)).thenState()?.assignee, null);
});

test('it is put off to a time ahead, of at most 90 days [team-4]', () => {
  const waiting = given(submission, ...historyOf.review);
  for (const until of [later(0, 1), later(90)])
    waiting.when(postpone(until)).then({
      type: 'SubmissionPostponed',
      data: { ...routing, until, private: { reason: 'closed' } },
    });
  for (const until of [later(0), later(-1), later(90, 1)]) {
    const { facts } = waiting.when(postpone(until)).thenRefused('PostponedWrongly');
    assert.is(JSON.stringify(facts).includes('/until'), true);
  }
  waiting.when({ type: 'Resume' }).then();
  const off = given(submission, ...historyOf.review, examples.SubmissionPostponed);
  assert.is(off.state?.postponedUntil, examples.SubmissionPostponed.data.until);
  off.when({ type: 'Resume' }).then(examples.SubmissionResumed);
  assert.is(off.when({ type: 'Resume' }).thenState()?.postponedUntil, null);
});

test('nothing is shared of what is redacted [redaction-4]', () => {
  const { when } = given(submission, ...historyOf.review, examples.SubmissionRedactionRequested);
  const commands: readonly SubmissionCommand[] = [
    { type: 'AddNote', text: 'wait' },
    assign('usr_1'),
    postpone(later(1)),
    { type: 'Resume' },
  ];
  for (const command of commands) when(command).thenRefused('SubmissionRedacted');
});
