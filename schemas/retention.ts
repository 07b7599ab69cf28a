import { MAX_RETENTION, Retention, retainedKinds } from '../domain/retention.ts';
import {
  closed,
  example,
  id,
  Mode,
  meaning,
  type Of,
  oneOf,
  optional,
  pageOf,
  Slug,
  Type,
  time,
  times,
  whole,
} from '../kernel/schema.ts';

const { days, perDay, workflows } = MAX_RETENTION;
const Days = (description: string, given: number) =>
  Type.Integer({ minimum: 1, maximum: days, description, examples: [given] });

/** PUT /companies/{companyId}/retention (retention-1): what is left out is kept for ever. */
export const ChangeRetention = closed({
  submissionDays: optional(Days('for how many days after its end a submission is kept', 365)),
  sessionDays: optional(
    Days('the same of a session that expired, or was cancelled, before it was submitted', 30),
  ),
  workflows: optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: Days('days', 90),
      propertyNames: Slug,
      maxProperties: workflows,
      description: 'for how many days the submissions of a workflow are kept instead, by its slug',
      examples: [{ receipt: 90 }],
    }),
  ),
  perDay: optional(
    Type.Integer({
      minimum: 1,
      maximum: perDay,
      description: 'how many are redacted at most in a day of UTC; 1,000 by default',
      examples: [1_000],
    }),
  ),
  isEnforced: meaning(Type.Boolean(), 'whether anything is redacted by it', true),
});

/** How long what a company has sent is kept. */
export const CompanyRetention = Type.Object(Retention.properties);
export type CompanyRetention = Of<typeof CompanyRetention>;

export const RetainedKind = oneOf(retainedKinds);

/** Something that is due by the retention of its company (retention-5). */
export const DueByRetention = Type.Object({
  submissionId: id('sub'),
  kind: meaning(RetainedKind, 'session: it was never submitted', 'submission'),
  mode: example(Mode, 'live'),
  workflow: Slug,
  endedAt: time('when it came to its end', times.decided),
  dueSince: time('since when it is kept no longer', '2027-11-21T11:02:31.090Z'),
  isHeld: meaning(Type.Boolean(), 'whether a legal hold keeps it all the same', false),
});

/** How much the whole list has; each counted up to 10,000. */
export const RetentionCounts = Type.Object({
  due: whole('how many are due without a legal hold, counted up to 10,000', 1),
  held: whole('how many are due under one, counted up to 10,000', 0),
});

export const RetentionDue = Type.Object({
  ...pageOf(DueByRetention).properties,
  counts: RetentionCounts,
});
export type RetentionDue = Of<typeof RetentionDue>;
