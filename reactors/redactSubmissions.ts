import { type Context, type Handle, redactor } from '../commands/handle.ts';
import { load } from '../commands/load.ts';
import type { redactDeliveries } from '../commands/redactDeliveries.ts';
import { objectsOf } from '../commands/redactSubmission.ts';
import type { Submission } from '../domain/submission/state.ts';
import { sessionIdOf, submission, submissionStream } from '../domain/submission/submission.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import type { Position } from '../kernel/event.ts';
import { createSemaphore } from '../kernel/semaphore.ts';
import { pause } from '../kernel/signals.ts';
import type { deliveryQueries } from '../projections/deliveries.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { RedactionItem } from '../projections/redactionQueue.ts';
import type { Claimed, DocumentStore } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { ObjectStore } from '../stores/objects/port.ts';

type RedactionPorts = Readonly<{
  handle: Handle;
  log: EventLog;
  progress: Pick<Progress, 'reached'>;
  objects: Pick<ObjectStore, 'removeAll'>;
  deliveries: Pick<ReturnType<typeof deliveryQueries>, 'list'>;
  redactDeliveries: ReturnType<typeof redactDeliveries>;
  /** Whether all webhooks of events up to a position have been requested. */
  hasRequested(position: Position): Promise<boolean>;
  destroyKey(subject: string, eventId: string): Promise<void>;
  /** Resolves once no process has the key in its memory. */
  keysForgotten(signal: AbortSignal): Promise<void>;
  compact?: DocumentStore['compact'] | undefined;
}>;

/** So many remove, and so many record it, at once: what is asked of the service meanwhile comes between. */
const AT_ONCE = 4;
/** How long a redaction waits for the read models before it is tried again. */
const BEHIND_MS = 10_000;
const POLL_MS = 50;

/**
 * Removes what is private of a submission whose redaction was requested (redaction-6), and records it. Each
 * step is harmless when it is repeated: whatever ends this in between, the work stays due. Nothing when the
 * log says that it was done. Throws `StoreUnavailable`.
 */
export const redactSubmissions = (ports: RedactionPorts) => {
  const [removing, recording] = [createSemaphore(AT_ONCE), createSemaphore(AT_ONCE)];
  return async (item: Claimed<RedactionItem>, signal: AbortSignal): Promise<Position | null> => {
    const { id, document } = item;
    const context = { actor: redactor, ...document.cause } as const;
    const removed = await removing.run(() => removePrivate(ports, item, context, signal));
    if (removed === null) return null;
    await ports.keysForgotten(signal);
    if (signal.aborted) return null;
    await ports.compact?.();
    const command = { type: 'RecordRedaction', ...removed } as const;
    return recording.run(
      async () => (await ports.handle(submission, submissionStream(id), command, context)).position,
    );
  };
};

type Removed = Readonly<{ objects: number; deliveries: number }>;

/** Removes it all, the key at the end; gives how much, null where the log says that it was done. */
const removePrivate = async (
  ports: RedactionPorts,
  { id, position, document }: Claimed<RedactionItem>,
  context: Context,
  signal: AbortSignal,
): Promise<Removed | null> => {
  if (signal.aborted) return null;
  const state = await load(ports.log, submission, submissionStream(id));
  if (state?.redaction !== 'requested') return null;
  await allRequested(ports, position, signal);
  const objects = await removeObjects(ports, state);
  const deliveries = await endDeliveries(ports, state, context);
  await ports.destroyKey(id, document.cause.causationId);
  return { objects, deliveries };
};

/**
 * After this nobody requests a webhook of the submission, and the read models have all that were requested.
 */
const allRequested = async (
  { log, progress, hasRequested }: RedactionPorts,
  request: Position,
  signal: AbortSignal,
): Promise<void> => {
  let isRequested = await hasRequested(request);
  for (let waitedMs = 0; !isRequested && waitedMs < BEHIND_MS && !signal.aborted; waitedMs += POLL_MS) {
    await pause(POLL_MS, signal);
    isRequested = await hasRequested(request);
  }
  if (isRequested && (await progress.reached((await log.head()) ?? request, BEHIND_MS))) return;
  throw new StoreUnavailable('a redaction waits until the read models have the webhooks requested before it');
};

const removeObjects = async ({ objects }: RedactionPorts, state: Submission): Promise<number> => {
  let removed = 0;
  for (const [prefix, keys] of objectsOf(state.routing.submissionId, state))
    removed += await objects.removeAll(prefix, keys);
  return removed;
};

/**
 * Their addresses are gone from the read models too when this resolves: what these held is removed with them.
 */
const endDeliveries = async (
  { redactDeliveries, deliveries, progress }: RedactionPorts,
  { routing }: Submission,
  context: Context,
): Promise<number> => {
  const { submissionId, companyId, mode } = routing;
  const session = { companyId, mode, sessionId: sessionIdOf(submissionId) };
  const { count, position } = await redactDeliveries((...page) => deliveries.list(session, ...page), context);
  if (position === null || (await progress.reached(position, BEHIND_MS))) return count;
  throw new StoreUnavailable('a redaction waits until the read models show that its webhooks ended');
};
