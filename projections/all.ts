import type { ReadModels } from '../stores/documents/port.ts';
import { type ApiKeyDocument, apiKeys } from './apiKeys.ts';
import { batches, batchQueries } from './batches.ts';
import { batchSessionQueries, batchSessions } from './batchSessions.ts';
import { companies, companyQueries } from './companies.ts';
import { deliveries, deliveryQueries } from './deliveries.ts';
import { deliveryQueue } from './deliveryQueue.ts';
import { newestOf } from './engine/pages.ts';
import type { Projection } from './engine/projection.ts';
import { feed, feedQueries } from './feed.ts';
import { fraudIndex, fraudQueries } from './fraudIndex.ts';
import { type InvitationDocument, invitations } from './invitations.ts';
import { pendingSessionQueries, pendingSessions } from './pendingSessions.ts';
import { processingQueue } from './processingQueue.ts';
import { submissionQueries, submissions } from './submissions.ts';
import { syncQueue } from './syncQueue.ts';
import { type UserDocument, users } from './users.ts';
import { assignments, workflowQueries, workflows } from './workflows.ts';

/** Every read model of the service. */
export const allProjections: readonly Projection[] = [
  submissions,
  workflows,
  assignments,
  companies,
  apiKeys,
  users,
  invitations,
  deliveries,
  deliveryQueue,
  feed,
  processingQueue,
  syncQueue,
  pendingSessions,
  batches,
  batchSessions,
  fraudIndex,
];

/** The queues of due work, by their names in metrics. */
export const queues = { processing: processingQueue, deliveries: deliveryQueue, syncs: syncQueue };

/** The queries of the read models. */
export const allQueries = (models: ReadModels) => ({
  submissions: submissionQueries(models),
  workflows: workflowQueries(models),
  companies: companyQueries(models),
  apiKeys: { list: newestOf<ApiKeyDocument>(models, 'apiKeys') },
  users: { list: newestOf<UserDocument>(models, 'users') },
  invitations: { list: newestOf<InvitationDocument>(models, 'invitations') },
  deliveries: deliveryQueries(models),
  feed: feedQueries(models),
  pendingSessions: pendingSessionQueries(models),
  batches: batchQueries(models),
  batchSessions: batchSessionQueries(models),
  fraudIndex: fraudQueries(models),
});
