import { type CommandOf, decideBy } from '../../kernel/byType.ts';
import type { Decider } from '../../kernel/decider.ts';
import { redactionSubject } from '../streamNames.ts';
import { entryDecisions } from './entry.ts';
import { forceOutcome } from './forceOutcome.ts';
import { fraudDecisions } from './fraudMatches.ts';
import { present } from './guard.ts';
import { processingDecisions } from './processing.ts';
import { redactionDecisions, refuseRedacted } from './redaction.ts';
import { resultDecisions } from './result.ts';
import { reviewDecisions } from './review.ts';
import { openSession, sessionDecisions } from './session.ts';
import { evolve, type Submission, type SubmissionEvent, submissionEvents } from './state.ts';
import { syncDecisions } from './sync.ts';
import { teamworkDecisions } from './teamwork.ts';

export { sessionIdOf, submissionIdOf, submissionStream } from '../streamNames.ts';

const decisions = {
  ...sessionDecisions,
  ...processingDecisions,
  ...resultDecisions,
  ...entryDecisions,
  ...fraudDecisions,
  ...reviewDecisions,
  ...syncDecisions,
  ...redactionDecisions,
  ...teamworkDecisions,
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
  decide: (command, state) => {
    if (command.type === 'OpenSession') return openSession(command, state);
    const found = present(state);
    const left = found.redaction === null ? 'own' : afterRedaction[command.type];
    if (left === 'refused') return refuseRedacted();
    return left === 'none' ? [] : decideOn(command, found);
  },
  subject: ({ type, data: { submissionId } }) =>
    type === 'SubmissionRedactionRequested' ? redactionSubject(submissionId) : submissionId,
};

/**
 * What becomes of a command once a redaction was requested: people's are refused, those of machines have no
 * effect (redaction-4). Others are decided as ever.
 */
const afterRedaction: Readonly<Record<Exclude<Command['type'], 'OpenSession'>, 'refused' | 'none' | 'own'>> =
  {
    Approve: 'refused',
    Reject: 'refused',
    Cancel: 'refused',
    ResolveFraudMatch: 'refused',
    Reprocess: 'refused',
    OpenForEntry: 'refused',
    RequestSync: 'refused',
    PlaceLegalHold: 'refused',
    AddNote: 'refused',
    Assign: 'refused',
    Postpone: 'refused',
    Resume: 'refused',
    RecordFingerprints: 'none',
    DelayProcessing: 'none',
    RecordResult: 'none',
    ForceOutcome: 'none',
    RecordSync: 'none',
    RecordSyncFailure: 'none',
    RedactRetained: 'none',
    ExpireSession: 'none',
    SubmitSession: 'own',
    StartProcessing: 'own',
    Redact: 'own',
    RecordRedaction: 'own',
    LiftLegalHold: 'own',
  };
