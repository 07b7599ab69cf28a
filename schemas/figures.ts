import { example, meaning, nullable, type Of, Slug, Type, whole } from '../kernel/schema.ts';
import { ShareInterval } from './evaluations.ts';

/** A day. */
export const Day = example(Type.String({ format: 'date' }), '2026-11-21');

const waited = (description: string) => nullable(whole(description, 420_000));

/** How long reviews took that have ended. */
export const WaitedMs = Type.Object({
  p50: waited('how long half of them were in review at most, in milliseconds; null of none'),
  p95: waited('how long 95 of 100 were, likewise'),
});

/** What became of the submissions that were created on a day (figures-1). */
export const DayFigures = Type.Object({
  date: meaning(Day, 'the day, in UTC'),
  received: whole('how many sessions were opened', 320),
  approvedAutomatically: whole('how many were approved without a person', 190),
  approved: whole('how many a person approved', 96),
  rejected: whole('how many a person rejected', 9),
  cancelled: whole('how many were cancelled in review', 2),
  failed: whole('how many could not be processed', 3),
  waiting: whole('how many are in review', 14),
  waitedMs: WaitedMs,
});
export type DayFigures = Of<typeof DayFigures>;

/** How often people corrected a field (figures-2). */
export const FieldFigures = Type.Object({
  workflow: Slug,
  field: example(Type.String(), 'total'),
  corrected: whole('how many approvals changed its value', 7),
  approved: whole('how many approvals by people there were of the workflow', 96),
});
export type FieldFigures = Of<typeof FieldFigures>;

const checked = {
  right: whole(
    'how many values people approved as they were read, but for case, blanks and punctuation',
    187,
  ),
  corrected: whole('how many they changed, also where nothing was read', 13),
  correctedSure: whole(
    'how many of the changed ones were read so that no reason of the review named them',
    2,
  ),
};
const rightShare = nullable(
  meaning(ShareInterval, 'the share of the values that was right as read; null of none'),
);

/** What people made of a field in a week (figures-5). */
export const WeekField = Type.Object({
  field: example(Type.String(), 'total'),
  ...checked,
  rightShare,
  isDrifting: meaning(
    Type.Boolean(),
    'whether it is read worse than in the weeks before, by more than chance (figures-7)',
    false,
  ),
});

const week = (description: string) => meaning(Day, `the Monday of ${description}, in UTC`, '2026-11-16');

/** What was approved of a workflow in a week, and how its values had been read (figures-5, figures-6). */
export const WeekFigures = Type.Object({
  week: week('the ISO week, of which the days may have a part'),
  workflow: Slug,
  approved: whole('how many a person approved', 96),
  approvedAutomatically: whole('how many were approved without a person', 190),
  automaticShare: nullable(
    meaning(ShareInterval, 'the share that was approved without a person; null of none'),
  ),
  rightShare,
  fields: Type.Array(WeekField, { description: 'the fields of which people approved values, by name' }),
});

/** A field that is read worse from a week on (figures-7). */
export const FieldDrift = Type.Object({
  workflow: Slug,
  field: example(Type.String(), 'total'),
  since: week('the first week in which it drifts'),
  before: meaning(ShareInterval, 'the share that was right as read in the weeks before'),
  after: meaning(ShareInterval, 'the share since then'),
});

/** GET /review-figures (figures-1). */
export const ReviewFigures = Type.Object({
  counted: whole('how many submissions were counted', 320),
  isCut: meaning(
    Type.Boolean(),
    'whether there may be more: the newest 20,000 are counted, and the days before them have none',
    false,
  ),
  days: Type.Array(DayFigures, { description: 'every day of the time, oldest first' }),
  fields: Type.Array(FieldFigures, { description: 'the fields that people corrected, most corrected first' }),
  weeks: Type.Array(WeekFigures, {
    description: 'every week of the time, oldest first, for each workflow that has an approval in the time',
  }),
  drifts: Type.Array(FieldDrift, { description: 'the fields that drift' }),
});
export type ReviewFigures = Of<typeof ReviewFigures>;
