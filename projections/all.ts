import type { ReadModels } from '../stores/documents/port.ts';
import { activity, activityQueries } from './activity.ts';
import { apiKeyQueries, apiKeys } from './apiKeys.ts';
import { batches, batchQueries } from './batches.ts';
import { batchSessionQueries, batchSessions } from './batchSessions.ts';
import { companies, companyQueries } from './companies.ts';
import { deliveries, deliveryQueries } from './deliveries.ts';
import { deliveryQueue } from './deliveryQueue.ts';
import { endpointHealth, endpointHealthQueries } from './endpointHealth.ts';
import { requiringBuilt } from './engine/built.ts';
import type { Projection } from './engine/projection.ts';
import { evaluationQueue, evaluationQueueQueries } from './evaluationQueue.ts';
import { evaluationQueries, evaluations } from './evaluations.ts';
import { feed, feedQueries } from './feed.ts';
import { fraudIndex, fraudQueries } from './fraudIndex.ts';
import { invitationQueries, invitations } from './invitations.ts';
import { mailQueries, mailQueue } from './mailQueue.ts';
import { pendingSessionQueries, pendingSessions } from './pendingSessions.ts';
import { processingQueue } from './processingQueue.ts';
import { redactionQueue } from './redactionQueue.ts';
import { retained, retainedQueries } from './retained.ts';
import { reviewCounts, reviewCountsQueries } from './reviewCounts.ts';
import { reviewQueue, reviewQueueQueries } from './reviewQueue.ts';
import { subjectRedactionQueue } from './subjectRedactionQueue.ts';
import { subjectRedactionQueries, subjectRedactions } from './subjectRedactions.ts';
import { submissionQueries, submissions } from './submissions.ts';
import { syncQueue } from './syncQueue.ts';
import { userQueries, users } from './users.ts';
import { webhookEndpointQueries, webhookEndpoints } from './webhookEndpoints.ts';
import { workflowCatalog, workflowCatalogQueries } from './workflowCatalog.ts';
import { assignments, workflowQueries, workflows } from './workflows.ts';

/** Every read model of the service. */
export const allProjections: readonly Projection[] = [
  submissions,
  workflows,
  assignments,
  workflowCatalog,
  companies,
  apiKeys,
  users,
  invitations,
  deliveries,
  deliveryQueue,
  webhookEndpoints,
  endpointHealth,
  feed,
  processingQueue,
  syncQueue,
  redactionQueue,
  subjectRedactions,
  subjectRedactionQueue,
  evaluations,
  evaluationQueue,
  mailQueue,
  pendingSessions,
  batches,
  batchSessions,
  fraudIndex,
  reviewQueue,
  reviewCounts,
  activity,
  retained,
];

/** The queues of due work, by their names in metrics. */
export const queues = {
  processing: processingQueue,
  deliveries: deliveryQueue,
  syncs: syncQueue,
  mails: mailQueue,
  redactions: redactionQueue,
  subjectRedactions: subjectRedactionQueue,
  evaluations: evaluationQueue,
};

/** The queries of the read models. */
export const allQueries = (models: ReadModels, built = requiringBuilt(models, allProjections)) => ({
  submissions: submissionQueries(models),
  workflows: workflowQueries(models),
  workflowCatalog: workflowCatalogQueries(built),
  companies: companyQueries(models),
  apiKeys: apiKeyQueries(models),
  users: userQueries(models),
  invitations: invitationQueries(models),
  deliveries: deliveryQueries(models),
  webhookEndpoints: webhookEndpointQueries(built),
  endpointHealth: endpointHealthQueries(built),
  feed: feedQueries(models),
  pendingSessions: pendingSessionQueries(models),
  mails: mailQueries(models),
  batches: batchQueries(models),
  batchSessions: batchSessionQueries(models),
  fraudIndex: fraudQueries(models),
  reviewQueue: reviewQueueQueries(built),
  reviewCounts: reviewCountsQueries(built),
  activity: activityQueries(built),
  retained: retainedQueries(built),
  subjectRedactions: subjectRedactionQueries(built),
  evaluations: evaluationQueries(built),
  evaluationQueue: evaluationQueueQueries(built),
});
