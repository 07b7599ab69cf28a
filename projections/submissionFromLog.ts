import type { SubmissionEvent } from '../domain/submission/state.ts';
import { submissionStream } from '../domain/submission/submission.ts';
import type { Position, Recorded } from '../kernel/event.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import { MAX_VISIBILITY_WAIT_MS, type Progress } from './engine/progress.ts';
import { foldEvent } from './engine/projection.ts';
import { servedReadModels } from './engine/readModels.ts';
import { type Find, findIn, type SubmissionDocument, submissions } from './submissions.ts';

/** A point in a stream: a revision, or a time (ISO 8601 in UTC with milliseconds). */
type Point = Readonly<{ revision: number }> | Readonly<{ time: string }>;

type Events = readonly Recorded<SubmissionEvent>[];
type Log = Pick<EventLog, 'load'>;

/** A submission as of a point, folded from its stream up to the revision that its document has. */
export const submissionAsOf = (log: Log) => {
  const events = async ({ id, revision }: SubmissionDocument): Promise<Events> =>
    (await eventsOf(log, id)).filter((event) => event.revision <= revision);
  return {
    /** Its events, oldest first. */
    events,
    /** Its document at a point; null before its first event, and at a revision that it has not reached. */
    at: async (document: SubmissionDocument, point: Point): Promise<SubmissionDocument | null> => {
      if ('revision' in point && point.revision > document.revision) return null;
      const isAfter = ({ revision, metadata }: Recorded): boolean =>
        'revision' in point ? revision > point.revision : metadata.at > point.time;
      const all = await events(document);
      return foldSubmission(all.slice(0, all.findLastIndex((event) => !isAfter(event)) + 1));
    },
  };
};

/**
 * `findIn` with the log as fallback: an outdated read model lacks the submissions that were opened since;
 * they are folded from the log.
 */
export const findWithLogFallback =
  (models: ReadModels, log: Log): Find =>
  async (submissionId) => {
    const found = await findIn(models)(submissionId);
    if (found) return found;
    const [served] = await servedReadModels([submissions], models);
    return served?.state === 'outdated' ? foldSubmission(await eventsOf(log, submissionId)) : null;
  };

/** A submission's document as the log has it now; null when there is none. */
export const submissionNow =
  (log: Log): Find =>
  async (submissionId) =>
    foldSubmission(await eventsOf(log, submissionId));

type ReadPorts = Readonly<{
  progress: Pick<Progress, 'reached'>;
  log: Log;
  find: Find;
  /** Gets the error when the read models can't be read. */
  failed(error: unknown): void;
}>;

/** Where a stored command left its submission. */
type Stored = Readonly<{ submissionId: string; position: Position; revision: number }>;

/**
 * The submission's document after a stored command. It is folded from the log when the read models are late
 * or unavailable: the answer must say that the command succeeded. Throws `StoreUnavailable`.
 */
export const readYourWrites =
  ({ progress, log, find, failed }: ReadPorts) =>
  async ({ submissionId, position, revision }: Stored): Promise<SubmissionDocument> => {
    try {
      await progress.reached(position, MAX_VISIBILITY_WAIT_MS);
      const document = await find(submissionId);
      if (document && document.revision >= revision) return document;
    } catch (error) {
      failed(error);
    }
    const folded = foldSubmission(await eventsOf(log, submissionId));
    if (!folded) throw new Error(`the submission ${submissionId} has no events`);
    return folded;
  };

/** A submission's stream holds its events only. */
const eventsOf = async (log: Log, submissionId: string): Promise<Events> =>
  (await log.load(submissionStream(submissionId))).events as Events;

const foldSubmission = (events: Events): SubmissionDocument | null =>
  events.reduce<SubmissionDocument | null>(
    (before, event) => foldEvent(submissions.on, before, event, event.data.submissionId),
    null,
  );
