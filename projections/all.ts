import { apiKeys } from './apiKeys.ts';
import { companies } from './companies.ts';
import { deliveries } from './deliveries.ts';
import { deliveryQueue } from './deliveryQueue.ts';
import { processingQueue } from './processingQueue.ts';
import { type AnyProjection, erase } from './projection.ts';
import { submissions } from './submissions.ts';
import { assignments, workflows } from './workflows.ts';

/** Every read model of the service. */
export const allProjections: readonly AnyProjection[] = [
  erase(submissions),
  erase(workflows),
  erase(assignments),
  erase(companies),
  erase(apiKeys),
  erase(deliveries),
  erase(deliveryQueue),
  erase(processingQueue),
];
