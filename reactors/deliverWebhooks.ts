import { setTimeout as sleep } from 'node:timers/promises';
import type { Handle } from '../commands/handle.ts';
import { load, loadStream } from '../commands/load.ts';
import { EXTENDED_DELAYS_MS, nextAttemptAt } from '../domain/retrySchedule.ts';
import { type WebhookDelivery, webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import type { Attempt, Heard } from '../domain/webhookDeliveryEvents.ts';
import {
  presentEndpoint,
  webhookEndpoint,
  webhookEndpointStream,
  whyClosed,
} from '../domain/webhookEndpoint.ts';
import type { Clock } from '../kernel/clock.ts';
import { causedBy, type Position, REDACTED } from '../kernel/event.ts';
import { shared } from '../kernel/once.ts';
import type { Lanes } from '../outbound/lanes.ts';
import { notSent, REDACTED_BODY, type Sender, succeeded } from '../outbound/send.ts';
import { deliveryHeaders, type Secrets } from '../outbound/sign.ts';
import type { DeliveryItem } from '../projections/deliveryQueue.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { Credentials } from '../stores/credentials.ts';
import type { Claimed } from '../stores/documents/port.ts';
import type { EndpointSecrets } from '../stores/endpointSecrets.ts';
import type { EventLog, LoadedStream } from '../stores/events/log.ts';

export type DeliverPorts = Readonly<{
  handle: Handle;
  log: EventLog;
  credentials: Credentials;
  endpointSecrets: Pick<EndpointSecrets, 'validAt'>;
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
      const target = await targetOf(ports, state);
      const made = await attemptAt(target, ports, state, stream, signal);
      if (!('notSent' in target)) outcome = succeeded(made.outcome);
      if (underWay > FEW) await gathered();
      return await record(ports, item, state, stream, made);
    } finally {
      underWay -= 1;
      lanes.finished(lane, outcome);
    }
  };
};

/** Where an attempt goes and what signs it, or why nothing can be sent; and the delays of its retries. */
type Target = Readonly<{ delaysMs: readonly number[] }> &
  (Readonly<{ url: string; secrets: Secrets }> | Readonly<{ notSent: string }>);

const targetOf = async (ports: DeliverPorts, { facts, url, body }: WebhookDelivery): Promise<Target> => {
  const { credentials, retryDelaysMs: delaysMs } = ports;
  if (body === REDACTED) return { notSent: REDACTED_BODY, delaysMs: [] };
  if (facts.endpointId !== undefined) return endpointTarget(ports, facts.endpointId);
  const key = await credentials.byId(facts.keyId);
  return key
    ? { url, secrets: [key.hash], delaysMs }
    : { notSent: 'the key that signs is not there', delaysMs };
};

/** The endpoint as it is now: its address and schedule may be others than when the delivery was requested. */
const endpointTarget = async (
  { log, endpointSecrets, clock, retryDelaysMs }: DeliverPorts,
  endpointId: string,
): Promise<Target> => {
  const endpoint = await load(log, webhookEndpoint, webhookEndpointStream(endpointId));
  const closed = whyClosed(endpoint);
  if (closed !== null) return { notSent: closed, delaysMs: [] };
  const { url, retrySchedule } = presentEndpoint(endpoint);
  const delaysMs = retrySchedule === 'extended' ? EXTENDED_DELAYS_MS : retryDelaysMs;
  const [newest, ...former] = await endpointSecrets.validAt(endpointId, clock.now().toISOString());
  if (newest === undefined)
    return { notSent: 'the endpoint has no secret: its rotation makes one', delaysMs };
  return { url, secrets: [newest, ...former], delaysMs };
};

const attemptAt = async (
  target: Target,
  { sender, clock }: DeliverPorts,
  { facts, body }: WebhookDelivery,
  { events }: LoadedStream,
  signal: AbortSignal,
): Promise<Made> => {
  if ('notSent' in target) return { target, outcome: notSent(target.notSent) };
  const { url, secrets } = target;
  const { eventId, eventType } = facts;
  const headers = deliveryHeaders({ eventId, eventType, body, at: clock.now() }, secrets);
  const { answer, ...outcome } = await sender.send({
    url,
    headers,
    body,
    signal,
    cause: events.at(-1)?.metadata ?? {},
  });
  // What follows the path may be a secret of the receiver.
  const { host, pathname } = new URL(url);
  return { target, outcome, heard: { receiver: `${host}${pathname}`, answer } };
};

/** An attempt, where it went, and what was heard from there. */
type Made = Readonly<{ outcome: Attempt; target: Target; heard?: Heard }>;

const record = async (
  { handle, clock }: DeliverPorts,
  item: Claimed<DeliveryItem>,
  { earlierAttempts }: WebhookDelivery,
  loaded: LoadedStream,
  { outcome, target, heard }: Made,
): Promise<Position> => {
  const { attempt } = item.document;
  // A redelivery has the whole schedule before it again.
  const failures = attempt - earlierAttempts;
  const command = {
    type: 'RecordAttempt',
    attempt,
    outcome,
    heard,
    notSent: 'notSent' in target,
    succeeded: succeeded(outcome),
    nextAttemptAt: nextAttemptAt(failures, clock.now().toISOString(), target.delaysMs),
  } as const;
  const last = loaded.events.at(-1);
  if (!last) throw new Error(`the delivery ${item.id} has no events`);
  const context = { actor: { kind: 'system', id: 'webhooks' }, ...causedBy(last) } as const;
  const stream = webhookDeliveryStream(item.id);
  return (await handle(webhookDelivery, stream, command, context, { loaded })).position;
};
