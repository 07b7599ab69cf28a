import type { CheckCorrections } from '../../commands/checkCorrections.ts';
import type { Review } from '../../commands/reviewSubmission.ts';
import { type FourEyes, needsTwo } from '../../domain/submission/fourEyes.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { SubmissionCommand } from '../../domain/submission/submission.ts';
import { syncTargetOf } from '../../domain/submission/sync.ts';
import type { WorkflowVersion } from '../../domain/workflow.ts';
import type { Actor } from '../../kernel/event.ts';
import { escapePointer, type Fault } from '../../kernel/fault.ts';
import type { Of } from '../../kernel/schema.ts';
import type { Traced } from '../../kernel/trace.ts';
import type { workflowQueries } from '../../projections/workflows.ts';
import { submissionId } from '../../schemas/parameters.ts';
import { ApproveRequest, Decision, EnterRequest, ReasonRequest } from '../../schemas/review.ts';
import type { Reserved } from '../../stores/idempotency/port.ts';
import { actorOf, type Caller } from '../engine/access/caller.ts';
import { entityTag, type Guard } from '../engine/request/preconditions.ts';
import { type Route, route } from '../engine/route.ts';
import { actorFaults, commandContext, type SubmissionRequest, visibleSubmission } from './caller.ts';
import { decisionOf } from './present.ts';

export type ReviewPorts = Readonly<{
  workflows: ReturnType<typeof workflowQueries>;
  review: Review;
  checkCorrections: CheckCorrections;
  /** The submission as the log has it now. */
  current(submissionId: string): Promise<Submission | null>;
  /** Who decides, where two people must. */
  decidedBy(actor: Actor): Promise<FourEyes>;
  /** Somebody has decided on it: the caller's claim ends, after the answer. */
  decided(caller: Caller, place: Submission['routing']): void;
}>;

type DecisionRequest = SubmissionRequest &
  Readonly<{
    found: Submission;
    requestId: string;
    guard: Guard | undefined;
    reserved: Reserved;
    trace: Traced;
  }>;

/** The decisions of reviewers. */
export const reviewRoutes = (ports: ReviewPorts): readonly Route[] => {
  const find = visibleSubmission(ports.current);
  const decide = async (
    request: DecisionRequest,
    command: SubmissionCommand<'Approve' | 'Reject' | 'Cancel' | 'Reprocess' | 'OpenForEntry'>,
  ) => {
    const { found, guard } = request;
    const context = commandContext(request);
    const { submissionId } = found.routing;
    const { state, position, revision } = await ports.review(submissionId, command, context, guard);
    // What was in no review had no claim; one that begins now must stay.
    if (found.status === 'review') ports.decided(request.caller, found.routing);
    const body = decisionOf(state ?? found);
    return { status: 200, headers: entityTag(revision), position, body } as const;
  };
  const common = {
    method: 'POST',
    access: 'submissions.decide',
    parameters: { submissionId },
    answers: { 200: Decision },
    conditional: true,
    headers: ['ETag'],
  } as const;
  const check = ({ caller, body }: Readonly<{ caller: Caller; body: Readonly<{ actor?: unknown }> }>) =>
    actorFaults(caller, body);

  return [
    route({
      ...common,
      name: 'approveSubmission',
      summary: 'Approve a submission in review',
      description:
        'Optionally with corrections. Required values may stay missing, which `missing` names, unless the workflow says otherwise (`processing.requireComplete`: a 422). A blocking fraud match must be dismissed first, unless the workflow says otherwise. A second approval is a 409. Where the workflow asks for two people, the first approval leaves the submission in review, and the same by somebody else completes it.',
      path: '/api/v1/submissions/{submissionId}/approve',
      body: ApproveRequest,
      refusals: [
        'submission-not-in-review',
        'second-person-required',
        'fraud-unresolved',
        'fraud-confirmed',
        'submission-redacted',
      ],
    })({
      find,
      check: (request) => [...check(request), ...placeFaults(request)],
      run: async (request) => {
        const { comment = null, actor = null, corrections = {}, places = {} } = request.body;
        const { workflow, companyId } = request.found.routing;
        const version = await ports.workflows.kept(workflow);
        await ports.checkCorrections(companyId, corrections, version.outputSchema);
        const eyes = needsTwo(version, 'approved') ? await ports.decidedBy(actorOf(request.caller)) : {};
        const command = {
          type: 'Approve',
          comment,
          actor,
          ...{ corrections, places },
          required: requiredOf(version),
          requireComplete: version.processing.requireComplete ?? false,
          ...syncTargetOf(version),
          ...eyes,
        } as const;
        return decide(request, command);
      },
    }),
    route({
      ...common,
      name: 'rejectSubmission',
      summary: 'Reject a submission in review, finally',
      description:
        'A second rejection is a 409. Where the workflow asks for two people, the first rejection leaves the submission in review, and the same by somebody else completes it.',
      path: '/api/v1/submissions/{submissionId}/reject',
      body: ReasonRequest,
      refusals: ['submission-not-in-review', 'second-person-required', 'submission-redacted'],
    })({
      find,
      check,
      run: async (request) => {
        const version = await ports.workflows.kept(request.found.routing.workflow);
        const eyes = needsTwo(version, 'rejected') ? await ports.decidedBy(actorOf(request.caller)) : {};
        return decide(request, { type: 'Reject', ...statedIn(request.body), ...eyes });
      },
    }),
    route({
      ...common,
      name: 'cancelSubmission',
      summary: 'Cancel a submission that has not been approved',
      description: 'Also during processing, whose result is then dropped. A second cancellation is a 409.',
      path: '/api/v1/submissions/{submissionId}/cancel',
      body: ReasonRequest,
      refusals: ['submission-not-cancellable', 'submission-redacted'],
    })({
      find,
      check,
      run: (request) => decide(request, { type: 'Cancel', ...statedIn(request.body) }),
    }),
    route({
      ...common,
      name: 'reprocessSubmission',
      summary: 'Process a failed or blocked submission again',
      description:
        'A new round on the files that it has, with its own outcome and webhook: poll the job. A second request is a 409.',
      path: '/api/v1/submissions/{submissionId}/reprocess',
      body: ReasonRequest,
      refusals: ['submission-not-reprocessable', 'submission-redacted'],
    })({
      find,
      check,
      run: (request) => decide(request, { type: 'Reprocess', ...statedIn(request.body) }),
    }),
    route({
      ...common,
      name: 'enterSubmission',
      summary: 'Type the values of a failed or blocked submission',
      description:
        'It goes to review with empty fields, whose values are the corrections of its approval. No fraud checks are made: `fraudStatus` stays null. The webhook is `session.review_required`.',
      path: '/api/v1/submissions/{submissionId}/enter',
      body: EnterRequest,
      refusals: ['submission-not-enterable', 'submission-redacted'],
    })({
      find,
      check,
      run: async (request) => {
        const { reason, actor = null } = request.body;
        const version = await ports.workflows.kept(request.found.routing.workflow);
        const fields = version.outputSchema.map(({ name }) => name);
        return decide(request, {
          ...{ type: 'OpenForEntry', reason, actor },
          ...{ fields, required: requiredOf(version) },
        });
      },
    }),
  ];
};

type Approval = Readonly<{
  body: Partial<Of<typeof ApproveRequest>>;
  invalidMembers: ReadonlySet<string>;
  found: Submission;
}>;

/** Places of what is not corrected, and in files that the submission does not have. */
const placeFaults = ({ body, invalidMembers, found }: Approval): readonly Fault[] =>
  Object.entries(body.places ?? {}).flatMap(([field, { fileId, box }]) => {
    const pointer = `/places/${escapePointer(field)}`;
    const isKnown = found.files.some((file) => file.fileId === fileId);
    const isBox = box === null || (box.left <= box.right && box.top <= box.bottom);
    const isCorrected = invalidMembers.has('corrections') || Object.hasOwn(body.corrections ?? {}, field);
    return [
      ...(isCorrected ? [] : [{ pointer, detail: 'is not corrected' }]),
      ...(isKnown ? [] : [{ pointer: `${pointer}/fileId`, detail: 'is not a file of the submission' }]),
      ...(isBox ? [] : [{ pointer: `${pointer}/box`, detail: 'ends before it begins' }]),
    ];
  });

const statedIn = ({ reason, actor }: ReasonRequest) => ({
  reason: reason ?? null,
  actor: actor ?? null,
});

const requiredOf = ({ outputSchema }: Pick<WorkflowVersion, 'outputSchema'>): readonly string[] =>
  outputSchema.filter(({ required }) => required).map(({ name }) => name);
