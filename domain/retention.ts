import { closed, meaning, nullable, type Of, record, Type, whole } from '../kernel/schema.ts';

/** The bounds of a company's retention (retention-2). */
export const MAX_RETENTION = { days: 36_500, perDay: 100_000, workflows: 200 } as const;

/** How long what a company has sent is kept (retention-1), as its event carries it. */
export const Retention = closed({
  submissionDays: nullable(
    whole('for how many days after its end a submission is kept; null: for ever', 365),
  ),
  sessionDays: nullable(
    whole(
      'the same of a session that expired, or was cancelled, before it was submitted; null: for ever',
      30,
    ),
  ),
  workflows: record(
    whole('days'),
    'for how many days the submissions of a workflow are kept instead, by its slug',
    { receipt: 90 },
  ),
  perDay: whole('how many are redacted at most in a day of UTC', 1_000),
  isEnforced: meaning(Type.Boolean(), 'whether anything is redacted by it', true),
});
export type Retention = Of<typeof Retention>;

/** That of a company which has none: everything is kept. */
export const noRetention: Retention = {
  submissionDays: null,
  sessionDays: null,
  workflows: {},
  perDay: 1_000,
  isEnforced: false,
};

/** What is retained: a submission, or a session that was never submitted. */
export const retainedKinds = ['submission', 'session'] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/**
 * For how many days from its end something of a workflow is kept (retention-3, retention-4); null: for ever.
 */
export const retentionDays = (
  { submissionDays, sessionDays, workflows }: Retention,
  kind: RetainedKind,
  slug: string,
): number | null => {
  if (kind === 'session') return sessionDays;
  return (Object.hasOwn(workflows, slug) ? workflows[slug] : undefined) ?? submissionDays;
};

/** Whether two say the same. */
export const isSameRetention = (one: Retention, other: Retention): boolean =>
  membersOf(one) === membersOf(other);

const membersOf = ({ workflows, ...rest }: Retention): string =>
  JSON.stringify([Object.entries(rest).sort(), Object.entries(workflows).sort()]);
