import { webhookDelivery } from '../../domain/webhookDelivery.ts';
import { webhookEventTypes } from '../../domain/webhookEvents.ts';
import { closed, meaning, nullable, oneOf, type TSchema, Type } from '../../kernel/schema.ts';
import type { StreamEntry } from './event.ts';
import { privately, routing, text, time, whole } from './parts.ts';

const told = {
  eventId: text('the event that it tells of'),
  eventType: oneOf(webhookEventTypes),
  occurredAt: time('when that event happened'),
};

const ofBatch = {
  ...routing,
  submissionId: Type.Null({ description: 'null for a batch’s' }),
  workflow: Type.Null({ description: 'null for a batch’s' }),
  batchId: text('for a batch’s the batch'),
  keyId: meaning(routing.keyId, 'for a batch’s the key of the session whose address it goes to'),
};

/** What every event of a delivery carries, of a submission's event or of a batch's, and `members`. */
export const delivery = <P extends Record<string, TSchema>>(members: P) =>
  Type.Union([closed({ ...routing, ...told, ...members }), closed({ ...ofBatch, ...told, ...members })]);

const url = text('where it goes');
const attempts = whole('how many attempts there have been');

/** The events of a webhook on its way. */
export const webhookDeliveryEvents = {
  category: webhookDelivery.category,
  events: {
    WebhookRequested: {
      about: 'An event is to be told of. The body is made once: each attempt sends the same bytes.',
      writtenBy: ['commands/requestDelivery.ts'],
      versions: [delivery({ private: privately({ url, body: text('the bytes that are sent') }) })],
    },
    WebhookAttempted: {
      about: 'It was sent, or could not be.',
      writtenBy: ['reactors/deliverWebhooks.ts'],
      versions: [
        delivery({
          attempt: whole('which attempt, from 1'),
          statusCode: nullable(whole('of the answer; null when none came')),
          durationMs: Type.Number({ description: 'in milliseconds' }),
          error: nullable(text('why it counts as failed; null when it does not')),
          nextAttemptAt: nullable(time('when it is tried again; null when it is not')),
        }),
      ],
    },
    WebhookDelivered: {
      about: 'The receiver took it.',
      writtenBy: ['reactors/deliverWebhooks.ts'],
      versions: [delivery({ attempts })],
    },
    WebhookFailed: {
      about: 'It was given up after its last attempt.',
      writtenBy: ['reactors/deliverWebhooks.ts'],
      versions: [delivery({ attempts })],
    },
    WebhookRedeliveryRequested: {
      about: 'The same bytes are to be sent again, with a new run of the retry schedule.',
      writtenBy: ['commands/redeliver.ts'],
      versions: [delivery({ attempts, private: privately({ url }) })],
    },
  },
} as const satisfies StreamEntry;
