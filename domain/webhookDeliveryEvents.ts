import type { EventOf } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import {
  closed,
  meaning,
  nullable,
  type Of,
  type OfMembers,
  oneOf,
  privatePart,
  type TSchema,
  Type,
  text,
  time,
  whole,
} from '../kernel/schema.ts';
import { routing } from './submission/routing.ts';
import { webhookEventTypes } from './webhookEvents.ts';

/** How a delivery may end, and all that its status may be. */
const endStatuses = ['delivered', 'failed'] as const;
export const deliveryStatuses = ['pending', ...endStatuses] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const cause = {
  eventId: text('the event that it notifies of'),
  eventType: oneOf(webhookEventTypes),
  occurredAt: time('when that event happened'),
  endpointId: Type.Optional(
    text('the webhook endpoint that it goes to; absent for the `webhookUrl` of a session'),
  ),
};
const ofBatch = {
  ...routing,
  submissionId: Type.Null({ description: 'null for a batch’s' }),
  workflow: Type.Null({ description: 'null for a batch’s' }),
  batchId: text('for a batch’s the batch'),
  keyId: text('for a batch’s the key of the session whose address it goes to'),
};

/**
 * What every event of a delivery carries, of a submission's event or of a batch's, and `members`: a
 * delivery's stream is truncated to its last event.
 */
export const delivery = <P extends Record<string, TSchema>>(members: P) =>
  Type.Union([closed({ ...routing, ...cause, ...members }), closed({ ...ofBatch, ...cause, ...members })]);
const Facts = delivery({});
export type DeliveryFacts = Of<typeof Facts>;

/** What names a delivery in streams, lists and paths: its event, and the endpoint that it goes to, if any. */
export const deliveryIdOf = ({
  eventId,
  endpointId,
}: Pick<DeliveryFacts, 'eventId' | 'endpointId'>): string =>
  endpointId === undefined ? eventId : `${eventId}.${endpointId.slice(4)}`;

const Attempt = closed({
  statusCode: nullable(whole('of the answer; null when none came')),
  durationMs: Type.Number({ description: 'in milliseconds' }),
  error: nullable(text('why it counts as failed; null when it does not')),
});
/** One attempt to deliver. */
export type Attempt = Of<typeof Attempt>;

const heard = {
  receiver: text('the host and the path that it was sent to'),
  answer: text('how the body of the answer begins; empty where there was none'),
};
/** Where an attempt went, and how its answer begins. */
export type Heard = OfMembers<typeof heard>;

const url = text('where it goes');
const unsent = {
  notSent: Type.Optional(
    Type.Literal(true, {
      description:
        'nothing could be sent at this attempt (of a failed delivery: its last one), which is no fault of the receiver; absent otherwise',
    }),
  ),
};
const attempts = whole('how many attempts there have been');

/** The events of a delivery. */
export const deliveryEvents = {
  WebhookRequested: {
    about: 'A webhook is to be sent. The body is made once: each attempt sends the same bytes.',
    data: delivery({ private: privatePart({ url, body: text('the bytes that are sent') }) }),
  },
  WebhookAttempted: {
    about: 'An attempt was made, with or without success.',
    data: delivery({
      attempt: whole('which attempt, from 1'),
      ...Attempt.properties,
      ...unsent,
      nextAttemptAt: nullable(time('when the next attempt is due; null when there is none')),
      private: Type.Optional(
        meaning(privatePart(heard), 'absent where nothing was sent, and from older releases'),
      ),
    }),
  },
  WebhookDelivered: { about: 'The receiver accepted it.', data: delivery({ attempts }) },
  WebhookFailed: {
    about: 'It was given up after its last attempt.',
    data: delivery({ attempts, ...unsent }),
  },
  WebhookRedeliveryRequested: {
    about: 'The same bytes are to be sent again, with a new run of the retry schedule.',
    data: delivery({ attempts, private: privatePart({ url }) }),
  },
  WebhookRedacted: {
    about: 'Its address and its bytes are removed, with all that is private of its submission.',
    redacts: true,
    data: delivery({ attempts, outcome: meaning(oneOf(endStatuses), 'how it had ended') }),
  },
} as const satisfies EventDefinitions;

export type WebhookDeliveryEvent = EventsOf<typeof deliveryEvents>;
export type WebhookEnded = EventOf<WebhookDeliveryEvent, 'WebhookDelivered' | 'WebhookFailed'>;

/** Whether a delivery ends with this event, unless it is sent again. */
export const endsDelivery = (type: string): boolean => ends[type as WebhookDeliveryEvent['type']] === true;

const ends: Readonly<Record<WebhookDeliveryEvent['type'], boolean>> = {
  WebhookRequested: false,
  WebhookAttempted: false,
  WebhookDelivered: true,
  WebhookFailed: true,
  WebhookRedacted: true,
  WebhookRedeliveryRequested: false,
};
