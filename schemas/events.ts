import type { DomainEvent } from '../domain/events.ts';
import { upcasters } from '../domain/upcast.ts';
import type { Metadata } from '../kernel/event.ts';
import type { Of } from '../kernel/schema.ts';
import type { Differing, None, Same } from './events/agree.ts';
import { apiKeyEvents } from './events/apiKey.ts';
import { batchEvents } from './events/batch.ts';
import { createCatalogue } from './events/catalogue.ts';
import { companyEvents } from './events/company.ts';
import { invitationEvents } from './events/invitation.ts';
import type { StoredMetadata } from './events/metadata.ts';
import { submissionEvents } from './events/submission.ts';
import { userEmailEvents, userEvents } from './events/user.ts';
import { webhookDeliveryEvents } from './events/webhookDelivery.ts';
import { workflowEvents } from './events/workflow.ts';

/**
 * Every event of the log, by the category of its streams.
 *
 * To change an event: add a schema behind those of its `versions`, make its type in domain/ the same, and write the step from the version before it
 * (domain/upcast.ts); docs/events.md says the rest. While schema and type differ, this file does not compile.
 */
export const eventStreams = [
  submissionEvents,
  batchEvents,
  webhookDeliveryEvents,
  workflowEvents,
  companyEvents,
  apiKeyEvents,
  invitationEvents,
  userEvents,
  userEmailEvents,
] as const;

/** The events that this release writes and reads. */
export const eventCatalogue = createCatalogue(eventStreams, upcasters);

/** The events whose schema and type differ: none. `& string` lets the compiler name them. */
export type DifferingEvents = None<Differing<(typeof eventStreams)[number], DomainEvent> & string>;
/** Likewise what all events share. */
export type DifferingMetadata = None<
  Same<Of<typeof StoredMetadata>, Metadata> extends true ? never : 'Metadata'
>;
