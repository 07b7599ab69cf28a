import type { SubmissionEvent } from '../../domain/submission/state.ts';
import { actorText, publicName, type Recorded } from '../../kernel/event.ts';
import { decisionsOf } from '../derive/decisions.ts';

/** What happened to a submission, for people. `words`: what somebody wrote with a decision. */
export type Happening = Readonly<{
  revision: number;
  at: string;
  /** As the API names it: `submission.approved`. */
  type: string;
  /** Who was authenticated: `user:<userId>`, `key:<keyId>`. */
  actor: string;
  /** Whom the client named; null where it named nobody. */
  by: string | null;
  words: string | null;
  corrections: readonly Correction[];
  /** In what way who decided depends on who made the first of two decisions; null where in none. */
  secondEye: string | null;
}>;

type Correction = Readonly<{ field: string; machineValue: unknown; humanValue: unknown }>;
type Decision = Readonly<
  Partial<Record<'by' | 'comment' | 'reason' | 'secondEye', string>> &
    Partial<{ revision: number; corrections: unknown }>
>;

/** The events of a submission whose package holds, in order. */
export const storyOf = (events: readonly Recorded[]): readonly Happening[] => {
  const decided = decisionsOf(events as readonly Recorded[] as readonly Recorded<SubmissionEvent>[]);
  const decisions = new Map((decided as readonly Decision[]).map((one) => [one.revision, one]));
  return events.map(({ revision, type, metadata }) => {
    const { by, comment, reason, corrections, secondEye = null } = decisions.get(revision) ?? {};
    return {
      revision,
      at: metadata.at,
      type: publicName(type),
      actor: actorText(metadata.actor),
      by: by ?? null,
      words: comment ?? reason ?? null,
      corrections: Array.isArray(corrections) ? (corrections as readonly Correction[]) : [],
      secondEye,
    };
  });
};
