import { type Decider, DomainError, never } from '../kernel/decider.ts';
import { type Event, REDACTED } from '../kernel/event.ts';
import type { Private, Routing } from './submission/events.ts';
import { reveal } from './submission/private.ts';
import type { WebhookEventType } from './webhookEvents.ts';

/** The stream of a delivery: `webhookDelivery-<eventId>`, so that one event has one delivery, whatever crashes. */
export const webhookDeliveryStream = (eventId: string): string => `webhookDelivery-${eventId}`;

/**
 * `occurredAt`: when the event that is told of happened; on every event, since only the last one of a stream is kept for ever. A batch's
 * webhook is of no submission: it has its `batchId`, and the key of the session whose address it goes to.
 */
export type DeliveryFacts = (Routing | BatchRouting) &
  Readonly<{ eventId: string; eventType: WebhookEventType; occurredAt: string }>;
type BatchRouting = Omit<Routing, 'submissionId' | 'workflow' | 'batchId'> &
  Readonly<{ submissionId: null; workflow: null; batchId: string }>;
/** One try: `statusCode` null when none came, `error` null on success; `durationMs` in milliseconds. */
export type Attempt = Readonly<{ statusCode: number | null; durationMs: number; error: string | null }>;

/** The body is made once; each attempt sends the same bytes. */
export type WebhookRequested = Event<
  'WebhookRequested',
  DeliveryFacts & { private: Private<{ url: string; body: string }> }
>;
/** `nextAttemptAt` is null after the last one. */
export type WebhookAttempted = Event<
  'WebhookAttempted',
  DeliveryFacts & Attempt & { attempt: number; nextAttemptAt: string | null }
>;
export type WebhookDelivered = Event<'WebhookDelivered', DeliveryFacts & { attempts: number }>;
export type WebhookFailed = Event<'WebhookFailed', DeliveryFacts & { attempts: number }>;
/** The same bytes are to be sent again, with a new run of the retry schedule; `attempts` have been made before it. */
export type WebhookRedeliveryRequested = Event<
  'WebhookRedeliveryRequested',
  DeliveryFacts & { attempts: number; private: Private<{ url: string }> }
>;
export type WebhookDeliveryEvent =
  | WebhookRequested
  | WebhookAttempted
  | WebhookDelivered
  | WebhookFailed
  | WebhookRedeliveryRequested;

/** `attempts` counts all that were ever made, `earlierAttempts` those before the present run of the retry schedule. */
export type WebhookDelivery = Readonly<{
  facts: DeliveryFacts;
  status: 'pending' | 'delivered' | 'failed';
  url: string;
  body: string;
  attempts: number;
  earlierAttempts: number;
}>;

export type RequestDelivery = Readonly<{
  type: 'RequestDelivery';
  facts: DeliveryFacts;
  url: string;
  body: string;
}>;
/** `nextAttemptAt` is when a failure is tried again, null when it no longer is. */
export type RecordAttempt = Readonly<{
  type: 'RecordAttempt';
  attempt: number;
  outcome: Attempt;
  succeeded: boolean;
  nextAttemptAt: string | null;
}>;
export type Redeliver = Readonly<{ type: 'Redeliver' }>;
export type WebhookDeliveryCommand = RequestDelivery | RecordAttempt | Redeliver;

const evolve = (state: WebhookDelivery | null, event: WebhookDeliveryEvent): WebhookDelivery | null => {
  switch (event.type) {
    case 'WebhookRequested': {
      const { private: part, ...facts } = event.data;
      const [url, body] = [reveal(part, 'url'), reveal(part, 'body')];
      return { facts, status: 'pending', url, body, attempts: 0, earlierAttempts: 0 };
    }
    case 'WebhookAttempted':
      return state && { ...state, attempts: event.data.attempt };
    case 'WebhookDelivered':
      return { ...(state ?? cleared(event)), status: 'delivered' };
    case 'WebhookFailed':
      return { ...(state ?? cleared(event)), status: 'failed' };
    case 'WebhookRedeliveryRequested':
      return state && { ...state, status: 'pending', earlierAttempts: event.data.attempts };
    default:
      return never(event);
  }
};

/** A delivery of whose stream only the end was kept: what was sent, and where to, is gone. */
const cleared = ({ data }: WebhookDelivered | WebhookFailed): WebhookDelivery => {
  const { attempts, ...facts } = data;
  return { facts, status: 'pending', url: REDACTED, body: REDACTED, attempts, earlierAttempts: 0 };
};

/** Whether a delivery ends with this event, unless it is sent again. */
export const endsDelivery = (type: string): boolean =>
  type === 'WebhookDelivered' || type === 'WebhookFailed';

const decide = (
  command: WebhookDeliveryCommand,
  state: WebhookDelivery | null,
): readonly WebhookDeliveryEvent[] => {
  switch (command.type) {
    case 'RequestDelivery': {
      if (state) return [];
      const { facts, url, body } = command;
      return [{ type: 'WebhookRequested', data: { ...facts, private: { url, body } } }];
    }
    case 'RecordAttempt':
      return recordAttempt(command, state);
    case 'Redeliver':
      return redeliver(state);
    default:
      return never(command);
  }
};

const present = (state: WebhookDelivery | null): WebhookDelivery => {
  if (!state) throw new DomainError('WebhookDeliveryNotFound', 'There is no such delivery.');
  return state;
};

/** One that is under way is sent anyway: nothing. Throws `WebhookDeliveryGone` when the bytes are not kept any more. */
const redeliver = (current: WebhookDelivery | null): readonly WebhookDeliveryEvent[] => {
  const { facts, status, url, attempts } = present(current);
  if (status === 'pending') return [];
  if (url === REDACTED) {
    throw new DomainError(
      'WebhookDeliveryGone',
      'What was sent is not kept any more, and can’t be sent again.',
    );
  }
  return [{ type: 'WebhookRedeliveryRequested', data: { ...facts, attempts, private: { url } } }];
};

const recordAttempt = (
  { attempt, outcome, succeeded, nextAttemptAt }: RecordAttempt,
  current: WebhookDelivery | null,
): readonly WebhookDeliveryEvent[] => {
  const state = present(current);
  if (state.status !== 'pending' || attempt !== state.attempts + 1) return [];
  const { facts } = state;
  const again = succeeded ? null : nextAttemptAt;
  const attempted: WebhookDeliveryEvent = {
    type: 'WebhookAttempted',
    data: { ...facts, ...outcome, attempt, nextAttemptAt: again },
  };
  if (succeeded) return [attempted, { type: 'WebhookDelivered', data: { ...facts, attempts: attempt } }];
  if (again !== null) return [attempted];
  return [attempted, { type: 'WebhookFailed', data: { ...facts, attempts: attempt } }];
};

/** A webhook on its way: requested, attempted, then delivered or failed; from there it may be sent again. */
export const webhookDelivery: Decider<WebhookDelivery | null, WebhookDeliveryCommand, WebhookDeliveryEvent> =
  {
    category: 'webhookDelivery-',
    initial: null,
    evolve,
    decide,
    subject: ({ data }) => data.submissionId ?? data.batchId,
  };
