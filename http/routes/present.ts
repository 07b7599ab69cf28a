import type { OpenedSession } from '../../commands/openSession.ts';
import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import type { JudgedMatch } from '../../domain/submission/fraud.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { sessionIdOf } from '../../domain/submission.ts';
import type { BatchDocument } from '../../projections/batches.ts';
import type { SubmissionDocument } from '../../projections/submissions.ts';
import type { WorkflowDocument } from '../../projections/workflows.ts';
import type { Batch } from '../../schemas/batch.ts';
import type { FraudMatch } from '../../schemas/fraud.ts';
import type { Decision } from '../../schemas/review.ts';
import type { Job, SessionCreated } from '../../schemas/session.ts';
import type { SubmissionDetail, SubmissionSummary } from '../../schemas/submission.ts';
import type { WorkflowContract, WorkflowItem, WorkflowSummary } from '../../schemas/workflow.ts';

/** A row of GET /workflows. */
export const workflowItem = (workflow: WorkflowDocument): WorkflowItem => {
  const { workflowId: id, slug, name, description, icon, color, version, publishedAt } = workflow;
  return { id, slug, name, description, icon, color, version, publishedAt };
};

/** GET /workflows/{slug}. */
export const workflowSummary = (workflow: WorkflowDocument): WorkflowSummary => ({
  ...workflowItem(workflow),
  upload: workflow.upload,
});

/** GET /workflows/{slug}/versions/{version}. */
export const workflowContract = (workflow: WorkflowDocument): WorkflowContract => {
  const { workflowId: id, slug, name, description, icon, color, version, upload, outputSchema } = workflow;
  const outputJsonSchema = outputJsonSchemaOf(outputSchema);
  return {
    workflow: { id, slug, name, description, icon, color },
    version,
    upload,
    outputSchema: outputSchema.map(({ validation, ...field }) => ({
      ...field,
      validation: validation && {
        pattern: validation.pattern ?? null,
        minLength: validation.minLength ?? null,
        maxLength: validation.maxLength ?? null,
      },
    })),
    outputJsonSchema: { ...outputJsonSchema },
  };
};

/** A session as it was opened, with where to send its files. */
export const sessionCreated = ({ state, uploads, createdAt }: OpenedSession): SessionCreated => {
  const { routing, expiresAt, clientSubmissionId, metadata, batchRef } = state;
  const { submissionId, workflow } = routing;
  return {
    sessionId: sessionIdOf(submissionId),
    submissionId,
    workflow,
    state: 'pending',
    submissionStatus: 'created',
    uploads,
    expiresAt,
    clientSubmissionId,
    metadata,
    batchRef,
    createdAt,
  };
};

/** A session as a job (jobs-1). */
export const jobOf = (document: SubmissionDocument): Job => {
  const { submission } = document;
  const { submissionId, companyId, workflow } = submission.routing;
  return {
    sessionId: sessionIdOf(submissionId),
    submissionId,
    workflow,
    companyId,
    state: submission.state,
    submissionStatus: submission.status,
    result: submission.result,
    failedReason: submission.failedReason,
    clientSubmissionId: submission.clientSubmissionId,
    metadata: submission.metadata,
    processedAt: document.processedAt,
    webhookDeliveryStatus: document.webhook?.status ?? null,
  };
};

/** A row of GET /submissions (submissions-1). */
export const submissionSummary = ({ id, createdAt, submission }: SubmissionDocument): SubmissionSummary => {
  const { slug, name, version } = submission.workflow;
  return {
    id,
    submissionStatus: submission.status,
    fraudStatus: submission.fraudStatus,
    fraudScore: submission.fraudScore,
    workflow: { slug, name, version },
    extractedData: submission.extractedData,
    confidence: submission.confidence,
    createdAt,
    clientSubmissionId: submission.clientSubmissionId,
  };
};

/** GET /submissions/{submissionId}; `files` come with their download addresses. */
export const submissionDetail = (
  document: SubmissionDocument,
  files: SubmissionDetail['files'],
): SubmissionDetail => {
  const { submission } = document;
  const { id, slug, name, version } = submission.workflow;
  return {
    ...submissionSummary(document),
    workflow: { id, slug, name, version },
    fieldConfidences: submission.fieldConfidences,
    certainty: submission.certainty,
    aiSummary: submission.aiSummary,
    failedReason: submission.failedReason,
    rejectReason: submission.rejectReason,
    cancelReason: submission.cancelReason,
    files,
    fraudMatches: submission.fraudMatches.map(fraudMatchItem),
    events: document.history,
    metadata: submission.metadata,
    reviewReasons: submission.reviewReasons,
    corrections: correctionsOf(document),
    batchRef: submission.batchRef,
    updatedAt: document.updatedAt,
    sync: syncOf(document),
  };
};

/** GET /batches/{batchRef}. */
export const batchOf = (
  { status, counts, createdAt, completedAt }: BatchDocument,
  batchRef: string,
): Batch => ({
  batchRef,
  status,
  counts,
  createdAt,
  completedAt,
});

/** What approve, reject and cancel answer. */
export const decisionOf = (submission: Submission): Decision => ({
  submissionId: submission.routing.submissionId,
  workflow: submission.routing.workflow,
  submissionStatus: submission.status,
});

/** An item of GET …/fraud-matches, and what resolving one answers (fraud-13). */
export const fraudMatchItem = (match: JudgedMatch): FraudMatch => ({
  ...match,
  status: match.resolution === null ? 'open' : 'resolved',
});

/** A document of an older release has no sync. */
const syncOf = ({ submission: { sync }, sync: times }: SubmissionDocument): SubmissionDetail['sync'] =>
  sync && times
    ? { status: sync.status, attempts: sync.attempts, ...times, lastError: sync.lastError }
    : null;

const correctionsOf = ({ submission, approval }: SubmissionDocument): SubmissionDetail['corrections'] =>
  approval === null ? [] : submission.corrections.map((correction) => ({ ...correction, ...approval }));
