import * as assert from 'uvu/assert';
import { checkedValues } from '../../../domain/evaluation/checked.ts';
import { type Approval, type Drift, weekOf, weeksOf } from '../../../domain/evaluation/drift.ts';
import { intervalOf } from '../../../domain/evaluation/intervals.ts';
import type { ReviewReason } from '../../../domain/submission/result.ts';
import { evolve, type Submission, type SubmissionEvent } from '../../../domain/submission/state.ts';
import { examples } from '../../controls/events.ts';
import { approved, created, historyOf, processed } from '../../controls/submission.ts';
import { suite } from '../../harness.ts';

const test = suite('evaluation: drift');

type Correction = Submission['corrections'][number];

/** What an approval says, given what was read and why a person had to look. */
const given = (
  extractedData: Submission['extractedData'],
  reviewReasons: readonly ReviewReason[] = [],
  over: Partial<Submission> = {},
) => ({
  when: (...corrections: readonly Correction[]) => ({
    then: (expected: ReturnType<typeof checkedValues>): void =>
      assert.equal(
        checkedValues({ attempt: 1, forced: null, ...over, extractedData, reviewReasons, corrections }),
        expected,
      ),
  }),
});
const correction = (field: string, machineValue: string | null, humanValue: string | null) => ({
  ...{ field, machineValue, humanValue },
});
const low = (field: string): ReviewReason => ({ code: 'low_confidence', field });

test('what a person leaves was right, what they change was not; case and blanks change nothing [figures-5]', () => {
  const all = { company: 'ACME Ltd', date: '2026-11-20', total: 12, note: null };
  given(all, [low('total')])
    .when()
    .then({ right: ['company', 'date', 'total', 'note'], corrected: [], correctedSure: [] });
  given(all)
    .when(correction('company', 'acme ltd', 'ACME Ltd'), correction('date', null, '2026-11-20'))
    .then({ right: ['company', 'total', 'note'], corrected: ['date'], correctedSure: [] });
});

test('it was sure where no reason of the review named what was wrong [figures-5]', () => {
  given({ company: 'ACME', date: '2026-11-20', total: null }, [
    low('date'),
    { code: 'fraud_flagged', field: null },
  ])
    .when(
      correction('company', 'ACNE', 'ACME'),
      correction('date', '2026-11-02', '2026-11-20'),
      correction('total', '1', null),
    )
    .then({ right: [], corrected: ['company', 'date', 'total'], correctedSure: ['company', 'total'] });
});

test('nothing is said where nothing was read: typed, made up, or redacted [figures-5]', () => {
  const typed = correction('company', null, 'ACME');
  given({ company: 'ACME' }, [], { attempt: 0 }).when(typed).then(null);
  given({ company: 'ACME' }, [], { forced: { outcome: 'review', fraud: null } })
    .when(typed)
    .then(null);
  given({ company: 'ACME' }, [], { forced: { outcome: null, fraud: 'flagged' } })
    .when(typed)
    .then({ right: [], corrected: ['company'], correctedSure: [] });
  given('[redacted]').when().then(null);
  given(null).when().then(null);
});

const stateAfter = (...events: readonly SubmissionEvent[]): Submission =>
  events.reduce<Submission | null>(evolve, null) as Submission;

test('a submission that was read, one that was typed, and one that was redacted [figures-5]', () => {
  const read = stateAfter(...historyOf.review, approved);
  assert.ok((checkedValues(read)?.right.length ?? 0) > 0);
  const typed = stateAfter(...historyOf.failed, examples.SubmissionOpenedForEntry, approved);
  assert.is(checkedValues(typed), null);
  const gone = stateAfter(...historyOf.review, approved, examples.SubmissionRedactionRequested);
  assert.is(checkedValues(gone), null);
  assert.is(checkedValues(stateAfter(created)), null);
  assert.ok(checkedValues(stateAfter(...historyOf.review.slice(0, -1), processed('review'))));
});

test('weeks begin on Monday, in UTC, also over the end of a year [figures-5]', () => {
  assert.is(weekOf('2026-11-22T23:59:59.999Z'), '2026-11-16');
  assert.is(weekOf('2026-11-23T00:00:00.000Z'), '2026-11-23');
  assert.is(weekOf('2027-01-03'), '2026-12-28');
});

/** So many approvals of a week, of which some have a wrong total. */
const approvals = (day: string, count: number, wrong = 0, slug = 'receipt'): readonly Approval[] =>
  Array.from({ length: count }, (_, n) => ({
    createdAt: `${day}T10:00:00.000Z`,
    ...{ slug, outcome: 'approved' },
    checked:
      n < wrong
        ? { right: ['date'], corrected: ['total'], correctedSure: n === 0 ? ['total'] : [] }
        : { right: ['date', 'total'], corrected: [], correctedSure: [] },
  }));
const automatic = (day: string): Approval => ({
  ...{ createdAt: `${day}T10:00:00.000Z`, slug: 'receipt', outcome: 'automatic' },
});

test('a week has what people made of its values, by workflow and field [figures-5, figures-6]', () => {
  const { weeks, drifts } = weeksOf(
    [...approvals('2026-11-18', 3, 2), automatic('2026-11-16'), ...approvals('2026-11-25', 1, 0, 'invoice')],
    ['2026-11-18', '2026-11-22', '2026-11-23', '2026-11-25'],
  );
  assert.equal(drifts, []);
  assert.equal(
    weeks.map(({ week, workflow, approved: count }) => [week, workflow, count]),
    [
      ['2026-11-16', 'invoice', 0],
      ['2026-11-16', 'receipt', 3],
      ['2026-11-23', 'invoice', 1],
      ['2026-11-23', 'receipt', 0],
    ],
  );
  assert.equal(weeks[1], {
    ...{ week: '2026-11-16', workflow: 'receipt', approved: 3, approvedAutomatically: 1 },
    ...{ automaticShare: intervalOf(1, 4), rightShare: intervalOf(4, 6) },
    fields: [
      {
        ...{ field: 'date', right: 3, corrected: 0, correctedSure: 0 },
        ...{ rightShare: intervalOf(3, 3), isDrifting: false },
      },
      {
        ...{ field: 'total', right: 1, corrected: 2, correctedSure: 1 },
        ...{ rightShare: intervalOf(1, 3), isDrifting: false },
      },
    ],
  });
  assert.equal([weeks[3]?.automaticShare, weeks[3]?.rightShare, weeks[3]?.fields], [null, null, []]);
});

const MONDAYS = ['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23'] as const;

/** In each week so many approvals, of which so many have a wrong total. */
const givenWeeks = (...counts: readonly (readonly [count: number, wrong: number])[]) => {
  const found = weeksOf(
    counts.flatMap(([count, wrong], n) => approvals(MONDAYS[n] ?? '', count, wrong)),
    MONDAYS,
  );
  return {
    thenDrifting: (...weeks: readonly string[]): void => {
      const drifting = ({ fields }: (typeof found.weeks)[number]) => fields.some((one) => one.isDrifting);
      assert.equal(
        found.weeks.filter(drifting).map(({ week }) => week),
        weeks,
      );
    },
    thenDrifts: (...expected: typeof found.drifts): void => assert.equal(found.drifts, expected),
  };
};

type Right = readonly [right: number, of: number];

const drift = (week: number, before: Right, after: Right): Drift => {
  const [then, now] = [intervalOf(...before), intervalOf(...after)];
  assert.ok(then && now);
  return { workflow: 'receipt', field: 'total', since: MONDAYS[week] ?? '', before: then, after: now };
};

test('a field drifts in the week whose wrong values are wholly above those of the weeks before [figures-7]', () => {
  const found = givenWeeks([100, 2], [100, 3], [100, 2], [100, 20], [100, 20]);
  found.thenDrifting(MONDAYS[3], MONDAYS[4]);
  found.thenDrifts(drift(3, [293, 300], [160, 200]));
});

test('a small week is no change, and ends none; nor is a first week one, or a better one [figures-7]', () => {
  const small = givenWeeks([100, 2], [100, 2], [100, 2], [100, 2], [4, 1]);
  small.thenDrifting();
  small.thenDrifts();
  const going = givenWeeks([100, 2], [100, 2], [100, 20], [100, 20], [4, 0]);
  going.thenDrifting(MONDAYS[2], MONDAYS[3]);
  going.thenDrifts(drift(2, [196, 200], [164, 204]));
  givenWeeks([100, 50], [100, 2]).thenDrifting();
});

test('what has been right again for long enough drifts no more, and its week stays named [figures-7]', () => {
  const over = givenWeeks([200, 4], [40, 8], [400, 8], [400, 8], [400, 8]);
  over.thenDrifting(MONDAYS[1]);
  over.thenDrifts();
});
