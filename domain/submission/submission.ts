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

export { sessionIdOf, submissionIdOf, submissionStream } from '../streamNames.ts';

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
