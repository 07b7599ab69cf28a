import { pause } from '../../kernel/signals.ts';
import { createEgress } from '../../outbound/egress.ts';
import { createSender, type Sender, succeeded } from '../../outbound/send.ts';
import { deliveryHeaders } from '../../outbound/sign.ts';
import type { FeedEvent } from './listenFeed.ts';

type Attempt = Awaited<ReturnType<Sender['send']>>;

/** How the last attempt for an event ended, and how many there were. */
export type Forwarded = Attempt & Readonly<{ attempts: number; delivered: boolean }>;

/** Milliseconds from each failed attempt to the next one: time for somebody to restart a receiver. */
const RETRY_DELAYS_MS = [1_000, 5_000, 15_000];

type Forwarding = Readonly<{
  url: string;
  /** What the service signs the key's webhooks with. */
  secret: string;
  retryDelaysMs?: readonly number[];
}>;

/** Sends events to one address, with the bytes, headers and limits of a delivery by the service. */
export const createForward = ({ url, secret, retryDelaysMs = RETRY_DELAYS_MS }: Forwarding) => {
  const egress = createEgress({ egress: 'any' });
  const sender = createSender(egress);
  const attempt = (event: FeedEvent, signal: AbortSignal): Promise<Attempt> => {
    const body = JSON.stringify(event);
    const { eventId, eventType } = event;
    const headers = deliveryHeaders({ eventId, eventType, body, at: new Date() }, [secret]);
    return sender.send({ url, headers, body, signal });
  };
  return {
    /**
     * Sends an event until it gets a 2xx or has no retries left; each failure that is followed by another
     * attempt is told in `notice`. Throws the signal's reason when it is aborted.
     */
    send: async (
      event: FeedEvent,
      notice: (text: string) => void,
      signal: AbortSignal,
    ): Promise<Forwarded> => {
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await attempt(event, signal);
        const delivered = succeeded(outcome);
        const delayMs = retryDelaysMs[attempts - 1];
        if (delivered || delayMs === undefined) return { ...outcome, attempts, delivered };
        notice(`${event.eventType} ${event.eventId}: ${outcome.error}. Again in ${delayMs / 1_000} s.`);
        await pause(delayMs, signal);
      }
    },
    close: egress.close,
  };
};
