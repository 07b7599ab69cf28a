/** The modules of schemas for bodies and answers: the OpenAPI document names their exports. */

export * as result from '../domain/submission/processingResult.ts';
export * as ground from '../kernel/schema.ts';
export * as batch from './batches.ts';
export * as evidence from './evidence.ts';
export * as filePage from './filePages.ts';
export * as fraud from './fraud.ts';
export * as health from './health.ts';
export * as identity from './identity.ts';
export * as key from './keys.ts';
export * as logIn from './logIn.ts';
export * as operation from './operations.ts';
export * as people from './people.ts';
export * as problem from './problems.ts';
export * as redaction from './redaction.ts';
export * as review from './review.ts';
export * as reviewQueue from './reviewQueue.ts';
export * as status from './serviceStatus.ts';
export * as session from './sessions.ts';
export * as submission from './submissions.ts';
export * as upload from './uploads.ts';
export * as webhookEndpoint from './webhookEndpoints.ts';
export * as webhookEvent from './webhookEvents.ts';
export * as webhook from './webhooks.ts';
export * as definition from './workflowDefinition.ts';
export * as published from './workflowDefinitions.ts';
export * as workflow from './workflows.ts';
