import { redactDeliveries } from '../commands/redactDeliveries.ts';
import { redactSubmission } from '../commands/redactSubmission.ts';
import { pause } from '../kernel/signals.ts';
import type { RedactionItem } from '../projections/redactionQueue.ts';
import type { SubjectRedactionItem } from '../projections/subjectRedactionQueue.ts';
import { redactSubjects } from '../reactors/redactSubjects.ts';
import { redactSubmissions } from '../reactors/redactSubmissions.ts';
import type { ObjectStore } from '../stores/objects/port.ts';
import { hasRequested } from './hasRequested.ts';
import type { Core } from './wire.ts';
import { type WorkerCore, workerLoop } from './workerLoop.ts';

/** Claims redactions of several submissions, and requests that of each. */
export const subjectRedactionLoop = (core: RedactionCore, signal: AbortSignal): Promise<void> =>
  workerLoop<SubjectRedactionItem>(core, {
    name: 'subjectRedactions',
    queue: 'subjectRedactionQueue',
    needs: ['events'],
    capacity: (running) => ({ limit: MAX_SEVERAL - running, perLane: 1, skip: [] }),
    work: redactSubjects({ ...core, redact: redactSubmission(core.handle) }),
    signal,
  });

/** Redactions of several under way in this process. */
const MAX_SEVERAL = 4;
/**
 * Redactions under way in this process, and of one company. Nearly all of them wait, for what they share:
 * that processes forget keys, and that a store is compacted, which takes the longer the larger it is.
 */
const MAX_REDACTIONS = 256;
const PER_COMPANY = 128;

/** What the loop takes of the core. */
export type RedactionCore = WorkerCore &
  Pick<Core, 'handle' | 'log' | 'deliveries' | 'keptKeyMs' | 'destroyKey'>;

/** Claims submissions whose redaction was requested, and removes what is private of them. */
export const redactionLoop = (
  core: RedactionCore,
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<void> => {
  const { handle, documents } = core;
  return workerLoop<RedactionItem>(core, {
    name: 'redactions',
    queue: 'redactionQueue',
    needs: ['events', 'objects'],
    capacity: (running) => ({ limit: MAX_REDACTIONS - running, perLane: PER_COMPANY, skip: [] }),
    work: redactSubmissions({
      ...core,
      objects,
      redactDeliveries: redactDeliveries(handle),
      hasRequested: hasRequested(documents),
      keysForgotten: (inner) => pause(core.keptKeyMs, inner),
      compact: documents.compact,
    }),
    signal,
  });
};
