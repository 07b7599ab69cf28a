import { redactor } from '../commands/handle.ts';
import type { redactDeliveries } from '../commands/redactDeliveries.ts';
import { untilShown } from '../commands/untilShown.ts';
import { type BatchEvent, batch, batchStream } from '../domain/batch.ts';
import type { RedactionRequested } from '../domain/submission/redaction.ts';
import { submission } from '../domain/submission/submission.ts';
import { StoreUnavailable } from '../kernel/errors.ts';
import { causedBy, type EventOf, type Position, type Recorded } from '../kernel/event.ts';
import type { BatchDocument } from '../projections/batches.ts';
import type { deliveryQueries } from '../projections/deliveries.ts';
import type { Progress } from '../projections/engine/progress.ts';
import type { DocumentStore } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Reactor } from './engine/reactor.ts';

type Completed = EventOf<BatchEvent, 'BatchCompleted'>;
type Causing = RedactionRequested | Completed;

type Ports = Readonly<{
  log: Pick<EventLog, 'load'>;
  progress: Pick<Progress, 'reached'>;
  documents: Pick<DocumentStore, 'compact'>;
  batches: Readonly<{ find(batchId: string): Promise<BatchDocument | null> }>;
  deliveries: Pick<ReturnType<typeof deliveryQueries>, 'ofEvent'>;
  redactDeliveries: ReturnType<typeof redactDeliveries>;
  /** Whether all webhooks of events up to a position have been requested. */
  hasRequested(position: Position): Promise<boolean>;
  destroyKey(subject: string, eventId: string): Promise<void>;
}>;

/**
 * What a completed batch keeps of its name and of an address is removed once the redaction of each of its
 * sessions was requested (batches-16). Whichever comes last, that request or the completion, finds the other.
 * From the origin: it may be done again.
 */
export const forgetBatches = (ports: Ports): Reactor<Causing> => ({
  name: 'forgetBatches',
  startFrom: 'origin',
  prefixes: [submission.category, batch.category],
  handles: ['SubmissionRedactionRequested', 'BatchCompleted'],
  react: async (event) => {
    const { batchId } = event.data;
    if (batchId === null) return;
    await shown(ports, event.position);
    const found = await ports.batches.find(batchId);
    if (found === null || found.named > 0) return;
    const { events } = await ports.log.load(batchStream(batchId));
    const completed = events.find(({ type }) => type === 'BatchCompleted') as Recorded<Completed> | undefined;
    if (completed) await forget(ports, completed, event);
  },
});

/** After this the read models have the event. */
const shown = ({ progress }: Ports, position: Position): Promise<void> =>
  untilShown(progress, position, 'a batch waits to be forgotten until the read models have caught up');

/** Each step is harmless when it is repeated. */
const forget = async (
  ports: Ports,
  { id, position, data: { batchId } }: Recorded<Completed>,
  cause: Recorded<Causing>,
): Promise<void> => {
  if (!(await ports.hasRequested(position)))
    throw new StoreUnavailable('a batch waits to be forgotten until its webhooks have been requested');
  const context = { actor: redactor, ...causedBy(cause) } as const;
  const ended = await ports.redactDeliveries((...page) => ports.deliveries.ofEvent(id, ...page), context);
  if (ended.position !== null) await shown(ports, ended.position);
  await ports.destroyKey(batchId, cause.id);
  await ports.documents.compact?.();
};
