import type { Context } from '../../commands/handle.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import type { Caller, CompanyCaller } from '../engine/access/apiKeys.ts';

type CommandRequest = Readonly<{ caller: Caller; requestId: string; reserved: Reserved }>;

/** The context of a request's commands, whose actor is the key; what was done already is not done again. */
export const commandContext = ({ caller, requestId, reserved }: CommandRequest): Context => {
  const { correlationId } = reserved;
  const actor = { kind: 'key', id: caller.keyId } as const;
  return { actor, requestId, correlationId, causationId: correlationId, once: true };
};

/** A request whose path names a submission. */
export type SubmissionRequest = Readonly<{
  caller: CompanyCaller;
  parameters: Readonly<{ submissionId: string }>;
}>;

/** A submission is visible to every key of its company and mode (visibility-3). */
const visible =
  <T>(find: (submissionId: string) => Promise<T | null>, submissionOf: (found: T) => Submission) =>
  async ({ caller, parameters }: SubmissionRequest): Promise<T | null> => {
    const found = await find(parameters.submissionId);
    if (found === null) return null;
    const { companyId, mode } = submissionOf(found).routing;
    return companyId === caller.companyId && mode === caller.mode ? found : null;
  };

/** Finds the submission as the log has it, if it is visible to the caller. */
export const visibleSubmission = (current: (submissionId: string) => Promise<Submission | null>) =>
  visible(current, (submission) => submission);

/** Finds the submission as the read models have it, if it is visible to the caller. */
export const visibleDocument = (find: (submissionId: string) => Promise<SubmissionDocument | null>) =>
  visible(find, ({ submission }) => submission);
