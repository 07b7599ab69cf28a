import { type EvidenceExportEvent, evidenceExport, evidenceExportStream } from '../domain/evidenceExport.ts';
import type { Routing } from '../domain/submission/routing.ts';
import type { Recorded } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { Context, Handle } from './handle.ts';

/** Exports that are listed. */
const MAX_LISTED = 100;

/** The record of who was given the evidence of a submission, which has a stream of its own. */
export const evidenceExports = ({
  handle,
  log,
}: Readonly<{ handle: Handle; log: Pick<EventLog, 'load'> }>) => ({
  /** Records that the actor is given it, signed with the key of this identifier. */
  record: async (routing: Routing, key: string, context: Context): Promise<void> => {
    const stream = evidenceExportStream(routing.submissionId);
    await handle(evidenceExport, stream, { type: 'RecordExport', routing, key }, context);
  },

  /** The newest 100 of a submission, newest first, and how many there are in all. */
  newest: async (submissionId: string) => {
    const { events } = await log.load(evidenceExportStream(submissionId));
    // A stream of a category holds the events of its decider only.
    const newest = (events as readonly Recorded<EvidenceExportEvent>[]).slice(-MAX_LISTED);
    return { exports: newest.toReversed(), total: events.length };
  },
});
