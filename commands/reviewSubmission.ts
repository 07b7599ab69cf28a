import { escapePointer, type Fault } from '../domain/fault.ts';
import { DomainError } from '../domain/kernel.ts';
import { outputJsonSchemaOf } from '../domain/outputJsonSchema.ts';
import type { SubmissionEvent } from '../domain/submission/events.ts';
import type { Approve, Cancel, Reject, ResolveFraudMatch } from '../domain/submission/review.ts';
import type { Submission } from '../domain/submission/state.ts';
import { submission, submissionStream } from '../domain/submission.ts';
import type { OutputField } from '../domain/workflow.ts';
import { compileForeign } from '../schemas/ajv.ts';
import type { Context, Handle, Handled } from './handle.ts';

/** A reviewer's decision on a submission or a fraud match of it, made as the submission stands now. */
export type Review = (
  submissionId: string,
  command: Approve | Reject | Cancel | ResolveFraudMatch,
  context: Context,
  guard?: (revision: number) => void,
) => Promise<Handled<Submission | null, SubmissionEvent>>;

/**
 * Approves, rejects, cancels or resolves a fraud match; of several at once exactly one wins. Throws `SubmissionNotInReview`,
 * `SubmissionNotCancellable`, `FraudUnresolved`, `FraudConfirmed`, `FraudMatchNotFound`, `FraudMatchResolved`, and what `guard`
 * throws (If-Match).
 */
export const reviewSubmission =
  (handle: Handle): Review =>
  (submissionId, command, context, guard) =>
    handle(submission, submissionStream(submissionId), command, context, guard);

/**
 * Checks each correction against its own field; an incomplete rest is no fault (decisions, section 3). Throws
 * `CorrectionsRefused` with every fault in `facts.errors`.
 */
export const checkCorrections = (
  corrections: Readonly<Record<string, unknown>>,
  fields: readonly OutputField[],
): void => {
  const errors = Object.entries(corrections).flatMap(([name, value]): Fault[] => {
    const pointer = `/corrections/${escapePointer(name)}`;
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) return [{ pointer, detail: 'is not a field of the workflow version' }];
    if (value === null) return [];
    const schema = outputJsonSchemaOf([{ ...field, required: false }]);
    return compileForeign(schema)({ [name]: value }).map(({ detail }) => ({ pointer, detail }));
  });
  if (errors.length === 0) return;
  throw new DomainError('CorrectionsRefused', 'The corrections break the schema of the workflow version.', {
    errors,
  });
};
