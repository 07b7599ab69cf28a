import type { Decider } from '../kernel/decider.ts';
import { forceOutcome } from './submission/forceOutcome.ts';
import { fraudDecisions } from './submission/fraudMatches.ts';
import { processingDecisions } from './submission/processing.ts';
import { resultDecisions } from './submission/result.ts';
import { reviewDecisions } from './submission/review.ts';
import { sessionDecisions } from './submission/session.ts';
import { evolve, type Submission, type SubmissionEvent, submissionEvents } from './submission/state.ts';
import { syncDecisions } from './submission/sync.ts';

/** The stream of a submission and its session: `submission-<ulid>`. Both identifiers end in the same ULID. */
export const submissionStream = (id: string): string => `submission-${id.slice(4)}`;

/** `sub_X` for `ses_X`, and for `sub_X` itself. */
export const submissionIdOf = (id: string): string => `sub_${id.slice(4)}`;

/** `ses_X` for `sub_X`, and for `ses_X` itself. */
export const sessionIdOf = (id: string): string => `ses_${id.slice(4)}`;

const decisions = {
  ...sessionDecisions,
  ...processingDecisions,
  ...resultDecisions,
  ...fraudDecisions,
  ...reviewDecisions,
  ...syncDecisions,
  ForceOutcome: forceOutcome,
};

type Name = keyof typeof decisions;
type Command<T extends Name = Name> = {
  [N in T]: Readonly<{ type: N }> & Parameters<(typeof decisions)[N]>[0];
}[T];
export type SubmissionCommand = Command;

const decisionOf: {
  readonly [T in Name]: (command: Command<T>, state: Submission | null) => readonly SubmissionEvent[];
} = decisions;

/** A submission with its session, processing, review and fraud: one stream, one consistency boundary. */
export const submission: Decider<Submission | null, SubmissionCommand, SubmissionEvent> = {
  category: 'submission-',
  events: submissionEvents,
  initial: null,
  evolve,
  decide: <T extends Name>(command: Command<T>, state: Submission | null) =>
    decisionOf[command.type](command, state),
  subject: (event) => event.data.submissionId,
};
