import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { type EventOf, REDACTED, reveal } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import {
  closed,
  nullable,
  type Of,
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

export { webhookDeliveryStream } from './streamNames.ts';

const cause = {
  eventId: text('the event that it notifies of'),
  eventType: oneOf(webhookEventTypes),
  occurredAt: time('when that event happened'),
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
type DeliveryFacts = Of<typeof Facts>;

const Attempt = closed({
  statusCode: nullable(whole('of the answer; null when none came')),
  durationMs: Type.Number({ description: 'in milliseconds' }),
  error: nullable(text('why it counts as failed; null when it does not')),
});
/** One attempt to deliver. */
export type Attempt = Of<typeof Attempt>;

const url = text('where it goes');
const attempts = whole('how many attempts there have been');

const events = {
  WebhookRequested: {
    about: 'A webhook is to be sent. The body is made once: each attempt sends the same bytes.',
    data: delivery({ private: privatePart({ url, body: text('the bytes that are sent') }) }),
  },
  WebhookAttempted: {
    about: 'An attempt was made, with or without success.',
    data: delivery({
      attempt: whole('which attempt, from 1'),
      ...Attempt.properties,
      nextAttemptAt: nullable(time('when the next attempt is due; null when there is none')),
    }),
  },
  WebhookDelivered: { about: 'The receiver accepted it.', data: delivery({ attempts }) },
  WebhookFailed: { about: 'It was given up after its last attempt.', data: delivery({ attempts }) },
  WebhookRedeliveryRequested: {
    about: 'The same bytes are to be sent again, with a new run of the retry schedule.',
    data: delivery({ attempts, private: privatePart({ url }) }),
  },
} as const satisfies EventDefinitions;

export type WebhookDeliveryEvent = EventsOf<typeof events>;
type WebhookEnded = EventOf<WebhookDeliveryEvent, 'WebhookDelivered' | 'WebhookFailed'>;

/** `attempts` counts all, `earlierAttempts` those before the present run of the retry schedule. */
export type WebhookDelivery = Readonly<{
  facts: DeliveryFacts;
  status: 'pending' | 'delivered' | 'failed';
  url: string;
  body: string;
  attempts: number;
  earlierAttempts: number;
}>;

/** What a delivery is requested with. */
export type DeliveryRequest = Pick<WebhookDelivery, 'facts' | 'url' | 'body'>;

/** `nextAttemptAt` is when a failure is tried again, null when it no longer is. */
type RecordAttempt = Readonly<{
  attempt: number;
  outcome: Attempt;
  succeeded: boolean;
  nextAttemptAt: string | null;
}>;

const evolve = evolveBy<WebhookDelivery | null, WebhookDeliveryEvent>({
  WebhookRequested: (_state, { private: part, ...facts }) => {
    const [url, body] = [reveal(part, 'url'), reveal(part, 'body')];
    return { facts, status: 'pending', url, body, attempts: 0, earlierAttempts: 0 };
  },
  WebhookAttempted: (state, { attempt }) => state && { ...state, attempts: attempt },
  WebhookDelivered: (state, data) => ({ ...(state ?? cleared(data)), status: 'delivered' }),
  WebhookFailed: (state, data) => ({ ...(state ?? cleared(data)), status: 'failed' }),
  WebhookRedeliveryRequested: (state, { attempts }) =>
    state && { ...state, status: 'pending', earlierAttempts: attempts },
});

/** A delivery whose stream is truncated to its end: body and address are deleted. */
const cleared = ({ attempts, ...facts }: WebhookEnded['data']): WebhookDelivery => ({
  facts,
  status: 'pending',
  url: REDACTED,
  body: REDACTED,
  attempts,
  earlierAttempts: 0,
});

/** Whether a delivery ends with this event, unless it is sent again. */
export const endsDelivery = (type: string): boolean =>
  type === 'WebhookDelivered' || type === 'WebhookFailed';

const decisions = {
  RequestDelivery: ({ facts, url, body }: DeliveryRequest, state) =>
    state ? [] : [{ type: 'WebhookRequested', data: { ...facts, private: { url, body } } }],
  RecordAttempt: ({ attempt, outcome, succeeded, nextAttemptAt }: RecordAttempt, state) => {
    const { facts, status, attempts } = present(state);
    if (status !== 'pending' || attempt !== attempts + 1) return [];
    const again = succeeded ? null : nextAttemptAt;
    const data = { ...facts, ...outcome, attempt, nextAttemptAt: again };
    const attempted = { type: 'WebhookAttempted', data } as const;
    if (again !== null) return [attempted];
    const type = succeeded ? 'WebhookDelivered' : 'WebhookFailed';
    return [attempted, { type, data: { ...facts, attempts: attempt } }];
  },
  /** Nothing while it is pending. Throws `WebhookDeliveryGone` when the bytes are no longer kept. */
  Redeliver: (_input, state) => {
    const { facts, status, url, attempts } = present(state);
    if (status === 'pending') return [];
    if (url === REDACTED)
      throw new DomainError(
        'WebhookDeliveryGone',
        'What was sent is not kept any more, and can’t be sent again.',
      );
    return [{ type: 'WebhookRedeliveryRequested', data: { ...facts, attempts, private: { url } } }];
  },
} satisfies Decisions<WebhookDelivery | null, WebhookDeliveryEvent>;

export type WebhookDeliveryCommand = CommandOf<typeof decisions>;

const present = (state: WebhookDelivery | null): WebhookDelivery => {
  if (!state) throw new DomainError('WebhookDeliveryNotFound', 'There is no such delivery.');
  return state;
};

/** A webhook on its way: requested, attempted, then delivered or failed; from there it may be sent again. */
export const webhookDelivery: Decider<WebhookDelivery | null, WebhookDeliveryCommand, WebhookDeliveryEvent> =
  {
    category: 'webhookDelivery-',
    events,
    initial: null,
    evolve,
    decide: decideBy(decisions),
    subject: ({ data }) => data.submissionId ?? data.batchId,
  };
