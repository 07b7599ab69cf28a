import type { SubmissionEvent } from '../domain/submission/state.ts';
import { submissionStream } from '../domain/submission.ts';
import type { Recorded } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import { foldEvent } from './engine/projection.ts';
import { type SubmissionDocument, submissions } from './submissions.ts';

/** A point in a stream's life: a revision, or a time (ISO 8601 in UTC with milliseconds). */
export type Point = Readonly<{ revision: number }> | Readonly<{ time: string }>;

type Events = readonly Recorded<SubmissionEvent>[];

/** A submission's past, as its stream tells it. It goes no further than the document that it belongs to: nothing runs ahead of what GETs show. */
export const submissionAsOf = (log: Pick<EventLog, 'load'>) => {
  const events = async ({ id, revision }: SubmissionDocument): Promise<Events> => {
    const stream = await log.load(submissionStream(id));
    return stream.events.filter((event) => event.revision <= revision) as Events;
  };
  return {
    /** Its events, oldest first. */
    events,
    /** Its document as it was at a point; null before its beginning, and at a revision that it has not come to. */
    at: async (document: SubmissionDocument, point: Point): Promise<SubmissionDocument | null> => {
      const all = await events(document);
      const last =
        'revision' in point
          ? lastAt(all, document, point.revision)
          : all.findLastIndex(({ metadata }) => metadata.at <= point.time);
      return foldSubmission(all.slice(0, last + 1));
    },
  };
};

/** The last event at or before a revision: at that very one there may be an event that this release does not know. */
const lastAt = (all: Events, document: SubmissionDocument, at: number): number =>
  at > document.revision ? -1 : all.findLastIndex(({ revision }) => revision <= at);

/** The document that a submission's events make; null for none. */
export const foldSubmission = (events: Events): SubmissionDocument | null =>
  events.reduce<SubmissionDocument | null>(
    (before, event) => foldEvent(submissions.on, before, event, event.data.submissionId),
    null,
  );
