import { type Context, type Handle, redactor } from '../commands/handle.ts';
import { load } from '../commands/load.ts';
import type { redactDeliveries } from '../commands/redactDeliveries.ts';
import type { Submission } from '../domain/submission/state.ts';
import { sessionIdOf, submission, submissionStream } from '../domain/submission/submission.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import type { Position } from '../kernel/event.ts';
import { pause } from '../kernel/signals.ts';
import type { deliveryQueries } from '../projections/deliveries.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { RedactionItem } from '../projections/redactionQueue.ts';
import type { Claimed, DocumentStore } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import { evidenceKey, evidenceOf, uploadKey, uploadsOf } from '../stores/objects/keys.ts';
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

/** How long a redaction waits for the read models before it is tried again. */
const BEHIND_MS = 10_000;
const POLL_MS = 50;

/**
 * Removes what is private of a submission whose redaction was requested (redaction-6), and records it. Each
 * step is harmless when it is repeated: whatever ends this in between, the work stays due. Nothing when the
 * log says that it was done. Throws `StoreUnavailable`.
 */
export const redactSubmissions =
  (ports: RedactionPorts) =>
  async (
    { id, position, document }: Claimed<RedactionItem>,
    signal: AbortSignal,
  ): Promise<Position | null> => {
    const { handle, log } = ports;
    const state = await load(log, submission, submissionStream(id));
    if (state?.redaction !== 'requested') return null;
    const context = { actor: redactor, ...document.cause } as const;
    await allRequested(ports, position, signal);
    const objects = await removeObjects(ports, state);
    const deliveries = await endDeliveries(ports, state, context);
    await ports.destroyKey(id, document.cause.causationId);
    await ports.keysForgotten(signal);
    if (signal.aborted) return null;
    await ports.compact?.();
    const command = { type: 'RecordRedaction', objects, deliveries } as const;
    return (await handle(submission, submissionStream(id), command, context)).position;
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
  const { routing, slots, files } = state;
  const { submissionId } = routing;
  const uploads = slots.map(({ fileId }) => uploadKey(submissionId, fileId));
  const copies = files.map((file) => evidenceKey(submissionId, file));
  return (
    (await objects.removeAll(uploadsOf(submissionId), uploads)) +
    (await objects.removeAll(evidenceOf(submissionId), copies))
  );
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
