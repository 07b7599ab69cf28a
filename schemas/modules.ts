import * as batch from './batch.ts';
import * as fraud from './fraud.ts';
import * as health from './health.ts';
import * as identity from './identity.ts';
import * as problem from './problem.ts';
import * as review from './review.ts';
import * as session from './session.ts';
import * as submission from './submission.ts';
import * as webhook from './webhook.ts';
import * as workflow from './workflow.ts';
import * as definition from './workflowDefinition.ts';

/** The modules of schemas for bodies and answers: the OpenAPI document names their exports. */
export const schemaModules = {
  batch,
  fraud,
  health,
  identity,
  problem,
  review,
  session,
  submission,
  webhook,
  workflow,
  definition,
} as const;
