import type { legalHolds } from '../../commands/legalHold.ts';
import type { RedactSubmission } from '../../commands/redactSubmission.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { pick } from '../../kernel/pick.ts';
import { legalHoldOf } from '../../projections/submissionAnswers.ts';
import { submissionId } from '../../schemas/parameters.ts';
import { LegalHoldAnswer, LegalHoldRequest, Redacted, RedactRequest } from '../../schemas/redaction.ts';
import { type Route, route } from '../engine/route.ts';
import { commandContext, visibleSubmission } from './caller.ts';
import { statusOf } from './present.ts';

type RedactionPorts = Readonly<{
  redact: RedactSubmission;
  holds: ReturnType<typeof legalHolds>;
  /** The submission as the log has it now. */
  current(submissionId: string): Promise<Submission | null>;
}>;

/** Redaction and legal hold of submissions. */
export const redactionRoutes = ({ redact, holds, current }: RedactionPorts): readonly Route[] => {
  const common = { access: 'submissions.redact', parameters: { submissionId } } as const;
  const hold = { ...common, path: '/api/v1/submissions/{submissionId}/legal-hold' } as const;
  const find = visibleSubmission(current);
  return [
    route({
      ...common,
      name: 'redactSubmission',
      summary: 'Remove what is private of a submission, for ever',
      description:
        'Its files, data, texts and addresses go; what happened to it and when stays. Nothing private is shown from the answer on, and it is gone once `redaction` is `done`. A submission that nobody has decided is cancelled. A second request changes nothing.',
      method: 'POST',
      path: '/api/v1/submissions/{submissionId}/redact',
      body: RedactRequest,
      answers: { 202: Redacted },
      refusals: ['legal-hold'],
    })({
      find,
      run: async ({ found, body: { requestedBy = null, ...basis }, ...request }) => {
        const { submissionId } = found.routing;
        const command = { ...basis, requestedBy };
        const { state, position } = await redact(submissionId, command, commandContext(request));
        const { redaction } = state ?? found;
        return { status: 202, position, body: { ...statusOf(state ?? found), redaction } };
      },
    }),
    route({
      ...hold,
      name: 'placeLegalHold',
      summary: 'Place a legal hold on a submission: nothing redacts it until it is lifted',
      description: 'A hold that is there already stays as it is.',
      method: 'POST',
      body: LegalHoldRequest,
      answers: { 200: LegalHoldAnswer },
      refusals: ['submission-redacted'],
    })({
      find,
      run: async ({ found, body: { reason }, ...request }) => {
        const { submissionId } = found.routing;
        const { state, position } = await holds.place(submissionId, reason, commandContext(request));
        return { status: 200, position, body: holdOf(state ?? found) };
      },
    }),
    route({
      ...hold,
      name: 'liftLegalHold',
      summary: 'Lift the legal hold of a submission',
      description: 'Nothing happens where there is none.',
      method: 'DELETE',
      answers: { 200: LegalHoldAnswer },
    })({
      find,
      run: async ({ found, ...request }) => {
        const { state, position } = await holds.lift(found.routing.submissionId, commandContext(request));
        return { status: 200, position, body: holdOf(state ?? found) };
      },
    }),
  ];
};

const holdOf = (state: Submission): LegalHoldAnswer => ({
  ...pick(state.routing, 'submissionId'),
  legalHold: legalHoldOf(state),
});
