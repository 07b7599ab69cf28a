import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { REDACTED, reveal } from '../kernel/event.ts';
import { redactionSubject } from './streamNames.ts';
import {
  type Attempt,
  type DeliveryFacts,
  type DeliveryStatus,
  deliveryEvents,
  type Heard,
  type WebhookDeliveryEvent,
  type WebhookEnded,
} from './webhookDeliveryEvents.ts';

export { eventIdOf, webhookDeliveryStream } from './streamNames.ts';

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
  /**
   * Nothing while it is pending. Throws `WebhookDeliveryGone` when the bytes are no longer kept, or about to
   * go with the submission (redaction-11).
   */
  Redeliver: ({ isRedacted = false }: Readonly<{ isRedacted?: boolean }>, state) => {
    const { facts, status, url, attempts } = present(state);
    if (status === 'pending') return [];
    if (url === REDACTED || (isRedacted && facts.eventType !== 'submission.redacted'))
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
    events: deliveryEvents,
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
