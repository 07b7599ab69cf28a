import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { type EventOf, REDACTED, reveal } from '../kernel/event.ts';
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
import { redactionSubject } from './streamNames.ts';
import { routing } from './submission/routing.ts';
import { webhookEventTypes } from './webhookEvents.ts';

export { eventIdOf, webhookDeliveryStream } from './streamNames.ts';

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
type DeliveryFacts = Of<typeof Facts>;

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

export type WebhookDeliveryEvent = EventsOf<typeof events>;
type WebhookEnded = EventOf<WebhookDeliveryEvent, 'WebhookDelivered' | 'WebhookFailed'>;

/** `attempts` counts all, `earlierAttempts` those before the present run of the retry schedule. */
export type WebhookDelivery = Readonly<{
  facts: DeliveryFacts;
  status: DeliveryStatus;
  url: string;
  body: string;
  attempts: number;
  earlierAttempts: number;
  /** That its address and bytes are gone has an event, which read models follow; retention has none. */
  isRedacted: boolean;
}>;

/** What a delivery is requested with. */
export type DeliveryRequest = Pick<WebhookDelivery, 'facts' | 'url' | 'body'>;

/**
 * `notSent`: nothing could be sent, which is no fault of the receiver. `nextAttemptAt` is when a failure is
 * tried again, null when it no longer is.
 */
type RecordAttempt = Readonly<{
  attempt: number;
  notSent?: boolean;
  outcome: Attempt;
  /** Absent where nothing was sent. */
  heard?: Heard | undefined;
  succeeded: boolean;
  nextAttemptAt: string | null;
}>;

const evolve = evolveBy<WebhookDelivery | null, WebhookDeliveryEvent>({
  WebhookRequested: (_state, { private: part, ...facts }) => {
    const [url, body] = [reveal(part, 'url'), reveal(part, 'body')];
    return { facts, status: 'pending', url, body, attempts: 0, earlierAttempts: 0, isRedacted: false };
  },
  WebhookAttempted: (state, { attempt }) => state && { ...state, attempts: attempt },
  WebhookDelivered: (state, data) => ({ ...(state ?? cleared(data)), status: 'delivered' }),
  WebhookFailed: (state, data) => ({ ...(state ?? cleared(data)), status: 'failed' }),
  WebhookRedeliveryRequested: (state, { attempts }) =>
    state && { ...state, status: 'pending', earlierAttempts: attempts },
  WebhookRedacted: (state, { outcome: status, ...data }) => ({
    ...(state ?? cleared(data)),
    ...{ status, url: REDACTED, body: REDACTED, isRedacted: true },
  }),
});

/** A delivery whose stream is truncated to its end: body and address are deleted. */
const cleared = ({ attempts, ...facts }: WebhookEnded['data']): WebhookDelivery => ({
  facts,
  status: 'pending',
  url: REDACTED,
  body: REDACTED,
  attempts,
  earlierAttempts: 0,
  isRedacted: false,
});

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

const NOT_SENT = { notSent: true } as const;

const giveUp = (
  { facts, status, attempts }: WebhookDelivery,
  error: string,
): readonly WebhookDeliveryEvent[] => {
  if (status !== 'pending') return [];
  const attempt = attempts + 1;
  const outcome = { statusCode: null, durationMs: 0, error, nextAttemptAt: null };
  return [
    { type: 'WebhookAttempted', data: { ...facts, ...outcome, ...NOT_SENT, attempt } },
    { type: 'WebhookFailed', data: { ...facts, ...NOT_SENT, attempts: attempt } },
  ];
};

const decisions = {
  RequestDelivery: ({ facts, url, body }: DeliveryRequest, state) =>
    state ? [] : [{ type: 'WebhookRequested', data: { ...facts, private: { url, body } } }],
  RecordAttempt: ({ attempt, outcome, heard, notSent, succeeded, nextAttemptAt }: RecordAttempt, state) => {
    const { facts, status, attempts } = present(state);
    if (status !== 'pending' || attempt !== attempts + 1) return [];
    const again = succeeded ? null : nextAttemptAt;
    const cause = notSent ? NOT_SENT : {};
    const sealed = heard ? { private: heard } : {};
    const data = { ...facts, ...outcome, ...cause, attempt, nextAttemptAt: again, ...sealed };
    const attempted = { type: 'WebhookAttempted', data } as const;
    if (again !== null) return [attempted];
    const type = succeeded ? 'WebhookDelivered' : 'WebhookFailed';
    return [attempted, { type, data: { ...facts, ...cause, attempts: attempt } }];
  },
  /**
   * Ends a pending delivery by a last attempt that sends nothing; `error` says why. Nothing when it has
   * ended.
   */
  GiveUpDelivery: ({ error }: Readonly<{ error: string }>, state) => giveUp(present(state), error),
  /** Ends a delivery, and reads its address and its bytes no more. Nothing when it was done before. */
  RedactDelivery: (_input, state) => {
    const { facts, status, attempts, isRedacted } = present(state);
    if (isRedacted) return [];
    const ends = giveUp(present(state), 'its submission is redacted');
    const outcome = status === 'pending' ? 'failed' : status;
    const made = status === 'pending' ? attempts + 1 : attempts;
    return [...ends, { type: 'WebhookRedacted', data: { ...facts, attempts: made, outcome } }];
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
    subject: ({ data: { eventType, submissionId, batchId, endpointId } }) => {
      if (submissionId === null) return batchId;
      // The submission's own key is gone when its last webhook is requested.
      return eventType === 'submission.redacted'
        ? (endpointId ?? redactionSubject(submissionId))
        : submissionId;
    },
  };
