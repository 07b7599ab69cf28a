import type { ApiKeyEvent } from './apiKey.ts';
import type { BatchEvent } from './batch.ts';
import type { CompanyEvent } from './company.ts';
import type { InvitationEvent } from './invitation.ts';
import type { SubmissionEvent } from './submission/events.ts';
import type { UserEvent } from './user.ts';
import type { UserEmailClaimed } from './userEmail.ts';
import type { WebhookDeliveryEvent } from './webhookDelivery.ts';
import type { WorkflowEvent } from './workflow.ts';

/** Every event there is. Each has its schemas in schemas/events.ts. */
export type DomainEvent =
  | SubmissionEvent
  | BatchEvent
  | WebhookDeliveryEvent
  | WorkflowEvent
  | CompanyEvent
  | ApiKeyEvent
  | InvitationEvent
  | UserEvent
  | UserEmailClaimed;
