import type { OpenedSession } from '../../commands/openSession.ts';
import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import type { JudgedMatch } from '../../domain/submission/fraud.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { sessionIdOf } from '../../domain/submission/submission.ts';
import { pick } from '../../kernel/pick.ts';
import type { BatchDocument } from '../../projections/batches.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import type { WorkflowDocument } from '../../projections/workflows.ts';
import type { Batch } from '../../schemas/batches.ts';
import type { FraudMatch } from '../../schemas/fraud.ts';
import type { Decision } from '../../schemas/review.ts';
import type { Job, SessionCreated } from '../../schemas/sessions.ts';
import type { SubmissionDetail, SubmissionSummary } from '../../schemas/submissions.ts';
import type { WorkflowContract, WorkflowItem, WorkflowSummary } from '../../schemas/workflows.ts';

/** A row of GET /workflows. */
export const workflowItem = (workflow: WorkflowDocument): WorkflowItem => ({
  ...described(workflow),
  ...pick(workflow, 'version', 'publishedAt'),
});

/** GET /workflows/{slug}. */
export const workflowSummary = (workflow: WorkflowDocument): WorkflowSummary => ({
  ...workflowItem(workflow),
  upload: workflow.upload,
});

/** GET /workflows/{slug}/versions/{version}. */
export const workflowContract = (workflow: WorkflowDocument): WorkflowContract => ({
  workflow: described(workflow),
  ...pick(workflow, 'version', 'upload'),
  outputSchema: workflow.outputSchema.map(({ validation, ...field }) => ({
    ...field,
    validation: validation && { pattern: null, minLength: null, maxLength: null, ...validation },
  })),
  outputJsonSchema: { ...outputJsonSchemaOf(workflow.outputSchema) },
});

const described = (workflow: WorkflowDocument): WorkflowContract['workflow'] => ({
  id: workflow.workflowId,
  ...pick(workflow, 'slug', 'name', 'description', 'icon', 'color'),
});

/** A session as it was opened, with its upload addresses. */
export const sessionCreated = ({ state, uploads, createdAt }: OpenedSession): SessionCreated => ({
  sessionId: sessionIdOf(state.routing.submissionId),
  ...pick(state.routing, 'submissionId', 'workflow'),
  state: 'pending',
  submissionStatus: 'created',
  uploads,
  ...pick(state, 'expiresAt', 'clientSubmissionId', 'metadata', 'batchRef'),
  createdAt,
});

/** A session as a job (jobs-1). */
export const jobOf = ({ submission, processedAt, webhook }: SubmissionDocument): Job => ({
  sessionId: sessionIdOf(submission.routing.submissionId),
  ...pick(submission.routing, 'submissionId', 'workflow', 'companyId'),
  state: submission.state,
  submissionStatus: submission.status,
  ...pick(submission, 'result', 'failedReason', 'clientSubmissionId', 'metadata'),
  processedAt,
  webhookDeliveryStatus: webhook?.status ?? null,
});

/** A row of GET /submissions (submissions-1). */
export const submissionSummary = ({ id, createdAt, submission }: SubmissionDocument): SubmissionSummary => ({
  id,
  submissionStatus: submission.status,
  ...pick(submission, 'fraudStatus', 'fraudScore'),
  workflow: pick(submission.workflow, 'slug', 'name', 'version'),
  ...pick(submission, 'extractedData', 'confidence'),
  createdAt,
  clientSubmissionId: submission.clientSubmissionId,
});

/** GET /submissions/{submissionId}; `files` come with their download addresses. */
export const submissionDetail = (
  document: SubmissionDocument,
  files: SubmissionDetail['files'],
): SubmissionDetail => {
  const { submission } = document;
  return {
    ...submissionSummary(document),
    workflow: pick(submission.workflow, 'id', 'slug', 'name', 'version'),
    ...pick(submission, 'fieldConfidences', 'certainty', 'aiSummary'),
    ...pick(submission, 'failedReason', 'rejectReason', 'cancelReason'),
    files,
    fraudMatches: submission.fraudMatches.map(fraudMatchItem),
    events: document.history,
    ...pick(submission, 'metadata', 'reviewReasons'),
    corrections: correctionsOf(document),
    batchRef: submission.batchRef,
    updatedAt: document.updatedAt,
    sync: syncOf(document),
  };
};

/** GET /batches/{batchRef}. */
export const batchOf = (batch: BatchDocument, batchRef: string): Batch => ({
  batchRef,
  ...pick(batch, 'status', 'counts', 'createdAt', 'completedAt'),
});

/** The answer of approve, reject and cancel. */
export const decisionOf = ({ routing, status }: Submission): Decision => ({
  ...pick(routing, 'submissionId', 'workflow'),
  submissionStatus: status,
});

/** An item of GET …/fraud-matches, and the answer of resolving one (fraud-13). */
export const fraudMatchItem = (match: JudgedMatch): FraudMatch => ({
  ...match,
  status: match.resolution === null ? 'open' : 'resolved',
});

/** A document of an older release has no sync. */
const syncOf = ({ submission: { sync }, sync: times }: SubmissionDocument): SubmissionDetail['sync'] =>
  sync && times ? { ...pick(sync, 'status', 'attempts'), ...times, lastError: sync.lastError } : null;

const correctionsOf = ({ submission, approval }: SubmissionDocument): SubmissionDetail['corrections'] =>
  approval === null ? [] : submission.corrections.map((correction) => ({ ...correction, ...approval }));
