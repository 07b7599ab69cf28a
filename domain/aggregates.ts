import { apiKey } from './apiKey.ts';
import { batch } from './batch.ts';
import { company } from './company.ts';
import { evaluation } from './evaluation/evaluation.ts';
import { evidenceExport } from './evidenceExport.ts';
import { invitation } from './invitation.ts';
import { logIn } from './logIn.ts';
import { subjectRedaction } from './subjectRedaction.ts';
import { submission } from './submission/submission.ts';
import { user } from './user.ts';
import { userEmail } from './userEmail.ts';
import { webhookDelivery } from './webhookDelivery.ts';
import { webhookEndpoint } from './webhookEndpoint.ts';
import { workflow } from './workflow.ts';

/** Every aggregate: the streams of the log, and the definitions of the events in them. */
export const aggregates = [
  submission,
  batch,
  webhookDelivery,
  webhookEndpoint,
  evidenceExport,
  subjectRedaction,
  evaluation,
  workflow,
  company,
  apiKey,
  invitation,
  user,
  userEmail,
  logIn,
] as const;

/** Every event there is. */
export type DomainEvent = Parameters<(typeof aggregates)[number]['evolve']>[1];
