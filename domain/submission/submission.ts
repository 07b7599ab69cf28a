import { type CommandOf, decideBy } from '../../kernel/byType.ts';
import type { Decider } from '../../kernel/decider.ts';
import { forceOutcome } from './forceOutcome.ts';
import { fraudDecisions } from './fraudMatches.ts';
import { present } from './guard.ts';
import { processingDecisions } from './processing.ts';
import { resultDecisions } from './result.ts';
import { reviewDecisions } from './review.ts';
import { openSession, sessionDecisions } from './session.ts';
import { evolve, type Submission, type SubmissionEvent, submissionEvents } from './state.ts';
import { syncDecisions } from './sync.ts';

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
const decideOn = decideBy<Submission, SubmissionEvent, typeof decisions>(decisions);

type Command = CommandOf<typeof decisions & Readonly<{ OpenSession: typeof openSession }>>;
/** The commands, or those of these types. */
export type SubmissionCommand<T extends Command['type'] = Command['type']> = Extract<Command, { type: T }>;

/** A submission with its session, processing, review and fraud: one stream, one consistency boundary. */
export const submission: Decider<Submission | null, SubmissionCommand, SubmissionEvent> = {
  category: 'submission-',
  events: submissionEvents,
  initial: null,
  evolve,
  decide: (command, state) =>
    command.type === 'OpenSession' ? openSession(command, state) : decideOn(command, present(state)),
  subject: (event) => event.data.submissionId,
};
