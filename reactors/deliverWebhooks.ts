import { setTimeout as sleep } from 'node:timers/promises';
import type { Handle } from '../commands/handle.ts';
import { loadStream } from '../commands/load.ts';
import { nextAttemptAt } from '../domain/retrySchedule.ts';
import {
  type Attempt,
  type WebhookDelivery,
  webhookDelivery,
  webhookDeliveryStream,
} from '../domain/webhookDelivery.ts';
import type { Clock } from '../kernel/clock.ts';
import { causedBy, type Position, REDACTED } from '../kernel/event.ts';
import { shared } from '../kernel/once.ts';
import type { Lanes } from '../outbound/lanes.ts';
import { notSent, REDACTED_BODY, type Sender, succeeded } from '../outbound/send.ts';
import { deliveryHeaders } from '../outbound/sign.ts';
import type { DeliveryItem } from '../projections/deliveryQueue.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { Credentials } from '../stores/credentials.ts';
import type { Claimed } from '../stores/documents/port.ts';
import type { EventLog, LoadedStream } from '../stores/events/log.ts';

export type DeliverPorts = Readonly<{
  handle: Handle;
  log: EventLog;
  credentials: Credentials;
  sender: Sender;
  lanes: Lanes;
  progress: Progress;
  clock: Clock;
  retryDelaysMs: readonly number[];
  /** Counts first attempts that were sent before the read models included their event. */
  onUnseen(): void;
}>;

/**
 * How long a first attempt waits for the read models, so that a receiver that refetches gets the new state
 * (reads-4).
 */
const VISIBLE_MS = 5_000;

/**
 * While more than so many attempts are under way, an answered one waits, so that it shares the commits of
 * those that are answered in the same time.
 */
const FEW = 4;
const GATHER_MS = 10;

/**
 * One attempt of a webhook, recorded as an event. Nothing when the log says that this attempt was made (the
 * queue is a read model and may be behind). A crash between the POST and its record sends the same bytes
 * again under the same id.
 */
export const deliverWebhook = (ports: DeliverPorts) => {
  const { lanes } = ports;
  const gathered = shared(() => sleep(GATHER_MS));
  let underWay = 0;
  return async (item: Claimed<DeliveryItem>, signal: AbortSignal): Promise<Position | null> => {
    const { lane } = item.document;
    let outcome: boolean | null = null;
    lanes.started(lane);
    underWay += 1;
    try {
      const { state, stream } = await loadStream(ports.log, webhookDelivery, webhookDeliveryStream(item.id));
      if (state?.status !== 'pending' || state.attempts + 1 !== item.document.attempt) return null;
      if (state.attempts === 0 && !(await ports.progress.reached(item.position, VISIBLE_MS)))
        ports.onUnseen();
      const attempt = await attemptOf(ports, state, signal);
      outcome = succeeded(attempt);
      if (underWay > FEW) await gathered();
      return await record(ports, item, state, stream, attempt);
    } finally {
      underWay -= 1;
      lanes.finished(lane, outcome);
    }
  };
};

const attemptOf = async (
  { credentials, sender, clock }: DeliverPorts,
  { facts, url, body }: WebhookDelivery,
  signal: AbortSignal,
): Promise<Attempt> => {
  if (url === REDACTED) return notSent(REDACTED_BODY);
  const key = await credentials.byId(facts.keyId);
  if (!key) return notSent('the key that signs is not there');
  const { eventId, eventType } = facts;
  const headers = deliveryHeaders({ eventId, eventType, body, at: clock.now() }, key.hash);
  return sender.send({ url, headers, body, signal });
};

const record = async (
  { handle, clock, retryDelaysMs }: DeliverPorts,
  item: Claimed<DeliveryItem>,
  { earlierAttempts }: WebhookDelivery,
  loaded: LoadedStream,
  outcome: Attempt,
): Promise<Position> => {
  const { attempt } = item.document;
  // A redelivery has the whole schedule before it again.
  const failures = attempt - earlierAttempts;
  const command = {
    type: 'RecordAttempt',
    attempt,
    outcome,
    succeeded: succeeded(outcome),
    nextAttemptAt: nextAttemptAt(failures, clock.now().toISOString(), retryDelaysMs),
  } as const;
  const last = loaded.events.at(-1);
  if (!last) throw new Error(`the delivery ${item.id} has no events`);
  const context = { actor: { kind: 'system', id: 'webhooks' }, ...causedBy(last) } as const;
  const stream = webhookDeliveryStream(item.id);
  return (await handle(webhookDelivery, stream, command, context, { loaded })).position;
};
