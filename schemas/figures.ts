import { example, meaning, nullable, type Of, Slug, Type, whole } from '../kernel/schema.ts';

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
});
export type ReviewFigures = Of<typeof ReviewFigures>;
