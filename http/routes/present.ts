import type { OpenedSession } from '../../commands/openSession.ts';
import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import { echoOf } from '../../domain/submission/echoed.ts';
import type { Submission } from '../../domain/submission/state.ts';
import { sessionIdOf } from '../../domain/submission/submission.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { pick } from '../../kernel/pick.ts';
import type { BatchDocument } from '../../projections/batches.ts';
import { type WorkflowDocument, workflowItem } from '../../projections/workflows.ts';
import type { Decision } from '../../schemas/review.ts';
import type { SessionCreated } from '../../schemas/sessions.ts';
import type { WorkflowContract, WorkflowSummary } from '../../schemas/workflows.ts';

/** GET /workflows/{slug}. */
export const workflowSummary = (workflow: WorkflowDocument): WorkflowSummary => ({
  ...workflowItem(workflow),
  upload: workflow.upload,
});

/** GET /workflows/{slug}/versions/{version}. */
export const workflowContract = (workflow: WorkflowDocument): WorkflowContract => ({
  workflow: described(workflow),
  ...pick(workflow, 'version', 'upload'),
  outputSchema: workflow.outputSchema.map(({ columns, ...field }) => ({
    ...withRules(field),
    columns: columns?.map(withRules) ?? null,
  })),
  outputJsonSchema: { ...outputJsonSchemaOf(workflow.outputSchema) },
  fourEyes: workflow.processing.fourEyes ?? [],
  requireComplete: workflow.processing.requireComplete ?? false,
});

const withRules = <F extends Pick<OutputField, 'validation'>>({ validation, ...field }: F) => ({
  ...field,
  validation: validation && { pattern: null, minLength: null, maxLength: null, ...validation },
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
  expiresAt: state.expiresAt,
  ...echoOf(state),
  batchRef: state.batchRef,
  createdAt,
});

/** GET /batches/{batchRef}, and a row of GET /batches, whose name may be unknown (null). */
export const batchOf = <N extends string | null>(batch: BatchDocument, batchRef: N) => ({
  batchRef,
  ...pick(batch, 'status', 'counts', 'createdAt', 'completedAt'),
});

/** Which submission it is, and its status. */
export const statusOf = ({ routing, status }: Submission): Omit<Decision, 'missing'> => ({
  ...pick(routing, 'submissionId', 'workflow'),
  submissionStatus: status,
});

/** The answer of approve, reject and cancel. */
export const decisionOf = (submission: Submission): Decision => ({
  ...statusOf(submission),
  missing: submission.missing,
});
