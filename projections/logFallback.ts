import type { SubmissionEvent } from '../domain/submission/state.ts';
import { submissionStream } from '../domain/submission.ts';
import type { Recorded } from '../kernel/event.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import { foldSubmission } from './asOf.ts';
import { servedReadModels } from './engine/readModels.ts';
import { type SubmissionDocument, type submissionQueries, submissions } from './submissions.ts';

type Find = ReturnType<typeof submissionQueries>['find'];

/**
 * Finds a submission also while another version of its read model serves, which shows nothing that was opened since: then it is folded here from
 * the log, so that what was just answered with 201 is there.
 */
export const findWithLogFallback =
  (find: Find, models: ReadModels, log: Pick<EventLog, 'load'>): Find =>
  async (submissionId): Promise<SubmissionDocument | null> => {
    const found = await find(submissionId);
    if (found) return found;
    const [served] = await servedReadModels([submissions], models);
    if (served?.age !== 'older') return null;
    const { events } = await log.load(submissionStream(submissionId));
    return foldSubmission(events as readonly Recorded<SubmissionEvent>[]);
  };
