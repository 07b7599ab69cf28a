/** The modules of schemas for bodies and answers: the OpenAPI document names their exports. */
export * as batch from './batch.ts';
export * as fraud from './fraud.ts';
export * as health from './health.ts';
export * as identity from './identity.ts';
export * as problem from './problem.ts';
export * as review from './review.ts';
export * as session from './session.ts';
export * as submission from './submission.ts';
export * as webhook from './webhook.ts';
export * as workflow from './workflow.ts';
export * as definition from './workflowDefinition.ts';
