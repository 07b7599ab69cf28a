import { submission, submissionStream } from '../domain/submission/submission.ts';
import type { CommandPorts, Context } from './handle.ts';

/** Legal holds of submissions: both do nothing where it is so already, and throw `SubmissionNotFound`. */
export const legalHolds = ({ handle, clock }: Pick<CommandPorts, 'handle' | 'clock'>) => ({
  /** Keeps a submission from redaction. Throws `SubmissionRedacted`. */
  place: (submissionId: string, reason: string, context: Context) => {
    const at = clock.now().toISOString();
    const command = { type: 'PlaceLegalHold', reason, by: context.actor, at } as const;
    return handle(submission, submissionStream(submissionId), command, context);
  },
  /** Lets a submission be redacted again. */
  lift: (submissionId: string, context: Context) =>
    handle(submission, submissionStream(submissionId), { type: 'LiftLegalHold' }, context),
});
