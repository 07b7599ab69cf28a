import { submission, submissionStream } from '../domain/submission/submission.ts';
import { webhookDelivery, webhookDeliveryStream } from '../domain/webhookDelivery.ts';
import type { WebhookDeliveryEvent } from '../domain/webhookDeliveryEvents.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { ResultPage, Scalar } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Context, Handle, Handled } from './handle.ts';
import { load, loadStream } from './load.ts';

/** How many deliveries were queued again, and the position of the last event (null without one). */
type Queued = Readonly<{ count: number; position: Position | null }>;

/** The deliveries to send again, from the read models. */
type Chosen = Readonly<{
  count(limit: number): Promise<number>;
  page(limit: number, after: readonly Scalar[] | null): Promise<ResultPage<Readonly<{ id: string }>>>;
}>;

/** Deliveries from the read models, oldest first. */
type ReadOldest = (
  limit: number,
  after: readonly Scalar[] | null,
) => Promise<ResultPage<Readonly<{ id: string; createdAt: string }>>>;

/** Deliveries that one call queues at most: as many as are done while a client waits for the answer. */
const MAX_REDELIVERED = 1_000;
const PAGE = 100;

/** What decides, and where it looks up whether a submission is redacted. */
type Ports = Readonly<{ handle: Handle; log: EventLog }>;

/**
 * Sends a delivery again: the same bytes under the same id, with a new run of the retry schedule. A pending
 * one stays as it is and counts 0. Throws `WebhookDeliveryNotFound`, `WebhookDeliveryGone`.
 */
export const redeliver =
  ({ handle, log }: Ports) =>
  async (eventId: string, context: Context): Promise<Queued> => {
    const name = webhookDeliveryStream(eventId);
    const { state, stream } = await loadStream(log, webhookDelivery, name);
    const submissionId = state?.facts.submissionId ?? null;
    const told = submissionId === null ? null : await load(log, submission, submissionStream(submissionId));
    const command = { type: 'Redeliver', isRedacted: Boolean(told?.redaction) } as const;
    return queuedBy(await handle(webhookDelivery, name, command, context, { loaded: stream }));
  };

/**
 * Sends many again, without pending ones and those whose bytes are truncated, so that repeating the call
 * while they are pending queues nothing twice. Throws `TooManyDeliveries`, before it has queued any.
 */
export const redeliverAll =
  (ports: Ports) =>
  async (chosen: Chosen, context: Context): Promise<Queued> => {
    if ((await chosen.count(MAX_REDELIVERED + 1)) > MAX_REDELIVERED) throw tooMany();
    const positions: Position[] = [];
    let after: readonly Scalar[] | null = null;
    do {
      const { items, next }: Awaited<ReturnType<Chosen['page']>> = await chosen.page(PAGE, after);
      positions.push(...(await queueEach(ports, items, context)));
      after = next;
    } while (after !== null);
    return all(positions);
  };

/**
 * Sends up to 1,000 deliveries again, likewise, however many there are: `next` is when the first one after
 * them was created, from where another call continues; null when there is none.
 */
export const recover =
  (ports: Ports) =>
  async (page: ReadOldest, context: Context): Promise<Queued & Readonly<{ next: string | null }>> => {
    const positions: Position[] = [];
    let after: readonly Scalar[] | null = null;
    for (let read = 0; read < MAX_REDELIVERED; read += PAGE) {
      const { items, next }: Awaited<ReturnType<ReadOldest>> = await page(PAGE, after);
      positions.push(...(await queueEach(ports, items, context)));
      after = next;
      if (after === null) return { ...all(positions), next: null };
    }
    const [first] = (await page(1, after)).items;
    return { ...all(positions), next: first?.createdAt ?? null };
  };

/** The positions of what was queued. */
const queueEach = async (
  ports: Ports,
  items: readonly Readonly<{ id: string }>[],
  context: Context,
): Promise<readonly Position[]> => {
  const one = redeliver(ports);
  const queued = await Promise.all(items.map(({ id }) => one(id, context).catch(skipGone)));
  return queued.flatMap(({ position }) => position ?? []);
};

const all = (positions: readonly Position[]): Queued => ({
  count: positions.length,
  position: [...positions].sort().at(-1) ?? null,
});

const NOTHING: Queued = { count: 0, position: null };

const queuedBy = ({ events, position }: Handled<unknown, WebhookDeliveryEvent>): Queued =>
  events.length === 0 ? NOTHING : { count: 1, position };

const skipGone = (error: Error): Queued => {
  if (error.name === 'WebhookDeliveryGone') return NOTHING;
  throw error;
};

const tooMany = (): DomainError => {
  const detail = `must enclose at most ${MAX_REDELIVERED} deliveries: take a shorter time`;
  return new DomainError('TooManyDeliveries', `The time encloses more than ${MAX_REDELIVERED} deliveries.`, {
    errors: [{ pointer: '/to', detail }],
  });
};
