import { apiKeys } from './apiKeys.ts';
import { companies } from './companies.ts';
import { deliveries } from './deliveries.ts';
import { deliveryQueue } from './deliveryQueue.ts';
import { processingQueue } from './processingQueue.ts';
import type { Projection } from './projection.ts';
import { submissions } from './submissions.ts';
import { assignments, workflows } from './workflows.ts';

/** Every read model of the service. */
export const allProjections: readonly Projection[] = [
  submissions,
  workflows,
  assignments,
  companies,
  apiKeys,
  deliveries,
  deliveryQueue,
  processingQueue,
];
