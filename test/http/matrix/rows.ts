import type { Other, World } from './world.ts';

/**
 * What a route with an id gives, and to whom: `parameters` name something of the owner's, `seenBy` are the
 * other keys that see it too; for all others it must be as if it were not there. `body` is one that the owner
 * could send; `once`: what it names is gone with the first call.
 */
export type Row = Readonly<{
  seenBy: readonly Other[];
  parameters(world: World): Readonly<Record<string, string>>;
  body?: object;
  once?: true;
}>;

/** The scopes of the contract (visibility-2, visibility-3, visibility-4). */
const key: readonly Other[] = [];
const company: readonly Other[] = ['otherKey'];
/** Workflows are assigned to a company, whatever the key's mode. */
const assigned: readonly Other[] = ['otherKey', 'otherMode'];

const workflow = ({ slug }: World) => ({ slug });
const session = ({ sessionId }: World) => ({ sessionId });
const submission = ({ submissionId }: World) => ({ submissionId });
const endpoint = ({ endpointId }: World) => ({ endpointId });
const evaluation = ({ evaluationId }: World) => ({ evaluationId });
const delivery = ({ eventId }: World) => ({ deliveryId: eventId });

/** A row for each endpoint that needs a key and whose path names something, by the endpoint's name. */
export const rows: Readonly<Record<string, Row>> = {
  getWorkflow: { seenBy: assigned, parameters: workflow },
  getWorkflowVersion: { seenBy: assigned, parameters: ({ slug }) => ({ slug, version: '1' }) },
  createSession: { seenBy: assigned, parameters: workflow },
  submitSession: { seenBy: key, parameters: ({ slug, sessionId }) => ({ slug, sessionId }) },
  renewUploads: { seenBy: key, parameters: ({ slug, sessionId }) => ({ slug, sessionId }) },
  getJob: { seenBy: key, parameters: session },
  listSubmissionEvents: { seenBy: company, parameters: submission },
  getSubmission: { seenBy: company, parameters: submission },
  getSubmissionResult: { seenBy: company, parameters: submission },
  listFilePages: { seenBy: company, parameters: ({ submissionId, fileId }) => ({ submissionId, fileId }) },
  getFilePage: {
    seenBy: company,
    parameters: ({ submissionId, fileId }) => ({ submissionId, fileId, page: '1' }),
  },
  listPageWords: { seenBy: company, parameters: ({ read }) => ({ ...read, page: '1' }) },
  getBatch: { seenBy: company, parameters: ({ batchRef }) => ({ batchRef }) },
  approveSubmission: { seenBy: company, parameters: submission, body: { comment: 'good' } },
  rejectSubmission: { seenBy: company, parameters: submission, body: { reason: 'bad' } },
  cancelSubmission: { seenBy: company, parameters: submission, body: { reason: 'late' } },
  reprocessSubmission: { seenBy: company, parameters: submission, body: { reason: 'again' } },
  enterSubmission: { seenBy: company, parameters: submission, body: { reason: 'torn' } },
  placeLegalHold: { seenBy: company, parameters: submission, body: { reason: 'proceedings' } },
  liftLegalHold: { seenBy: company, parameters: submission },
  addNote: { seenBy: company, parameters: submission, body: { text: 'the second page is missing' } },
  assignSubmission: { seenBy: company, parameters: submission, body: { assignee: null } },
  postponeSubmission: {
    seenBy: company,
    parameters: submission,
    body: { until: '2026-11-22T08:00:00.000Z', reason: 'closed' },
  },
  resumeSubmission: { seenBy: company, parameters: submission },
  redactSubmission: {
    seenBy: company,
    parameters: submission,
    body: { reason: 'erasure', legalBasis: 'erasure_request' },
  },
  getSubjectRedaction: { seenBy: company, parameters: ({ redactionId }) => ({ redactionId }) },
  getEvaluation: { seenBy: company, parameters: evaluation },
  getEvaluationTable: { seenBy: company, parameters: evaluation },
  getEvaluationPlot: { seenBy: company, parameters: evaluation },
  pauseEvaluation: { seenBy: company, parameters: evaluation },
  resumeEvaluation: { seenBy: company, parameters: evaluation },
  cancelEvaluation: { seenBy: company, parameters: evaluation },
  getDelivery: { seenBy: key, parameters: delivery },
  redeliver: { seenBy: key, parameters: delivery },
  getWebhookEndpoint: { seenBy: company, parameters: endpoint },
  changeWebhookEndpoint: {
    seenBy: company,
    parameters: endpoint,
    body: { url: 'https://example.com/changed', eventTypes: ['batch.completed'] },
  },
  rotateWebhookEndpointSecret: { seenBy: company, parameters: endpoint },
  disableWebhookEndpoint: { seenBy: company, parameters: endpoint },
  enableWebhookEndpoint: { seenBy: company, parameters: endpoint },
  testWebhookEndpoint: { seenBy: company, parameters: endpoint },
  deleteWebhookEndpoint: { seenBy: company, parameters: endpoint, once: true },
  listFraudMatches: { seenBy: company, parameters: submission },
  resolveFraudMatch: {
    seenBy: company,
    parameters: ({ submissionId, matchId }) => ({ submissionId, matchId }),
    body: { resolution: 'dismissed' },
  },
};

/** The same for endpoints that are for people alone. */
export const rowsOfPeople: Readonly<Record<string, Row>> = {
  exportEvidence: { seenBy: company, parameters: submission },
  getRedactionCertificate: { seenBy: company, parameters: submission },
  listEvidenceExports: { seenBy: company, parameters: submission },
  claimSubmission: { seenBy: company, parameters: submission },
  releaseSubmission: { seenBy: company, parameters: submission },
};

/**
 * The lists: who of the others sees in each what the owner has made; null where it shows nothing of that to
 * anybody.
 */
export const lists: Readonly<Record<string, readonly Other[] | null>> = {
  listWorkflows: null,
  getOwnKey: null,
  listCompanies: null,
  listSubmissions: company,
  listReviewQueue: company,
  listBatches: company,
  listSubjectRedactions: company,
  listEvaluations: company,
  countDeliveries: null,
  getReviewFigures: null,
  listWebhookEndpoints: company,
  listDeliveries: key,
  listFailingReceivers: null,
  listEvents: key,
};

/** The same for lists that are for people alone. */
export const listsOfPeople: Readonly<Record<string, readonly Other[] | null>> = { listActivity: null };

/** What the routes by which a company is administered name: its own of each, and what belongs to none. */
export type Administered = 'keyId' | 'userId' | 'invitationId';

type AdministeredRow = Readonly<{ names: Administered; body: object; after?: string }>;

/**
 * A row for each endpoint that changes a key, a person or an invitation, by the endpoint's name. `after`: the
 * endpoint that must have been called before.
 */
export const administered: Readonly<Record<string, AdministeredRow>> = {
  revokeKey: { names: 'keyId', body: {} },
  rotateKey: { names: 'keyId', body: { overlapSeconds: 60 } },
  disablePerson: { names: 'userId', body: {} },
  enablePerson: { names: 'userId', body: {} },
  changeRole: { names: 'userId', body: { role: 'auditor' } },
  resetPerson: { names: 'userId', body: {} },
  revokeInvitation: { names: 'invitationId', body: {} },
  redactPerson: {
    names: 'userId',
    body: { reason: 'erasure', legalBasis: 'erasure_request' },
    after: 'disablePerson',
  },
  redactInvitation: {
    names: 'invitationId',
    body: { reason: 'erasure', legalBasis: 'erasure_request' },
    after: 'revokeInvitation',
  },
};
