import { apiKeys } from './apiKeys.ts';
import { batches } from './batches.ts';
import { batchSessions } from './batchSessions.ts';
import { companies } from './companies.ts';
import { deliveries } from './deliveries.ts';
import { deliveryQueue } from './deliveryQueue.ts';
import type { Projection } from './engine/projection.ts';
import { feed } from './feed.ts';
import { fraudIndex } from './fraudIndex.ts';
import { invitations } from './invitations.ts';
import { pendingSessions } from './pendingSessions.ts';
import { processingQueue } from './processingQueue.ts';
import { submissions } from './submissions.ts';
import { syncQueue } from './syncQueue.ts';
import { users } from './users.ts';
import { assignments, workflows } from './workflows.ts';

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
