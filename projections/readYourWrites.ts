import type { SubmissionEvent } from '../domain/submission/state.ts';
import { submissionStream } from '../domain/submission.ts';
import type { Position, Recorded } from '../kernel/event.ts';
import type { EventLog } from '../stores/events/log.ts';
import { foldSubmission } from './asOf.ts';
import { type Progress, SHOW_MS } from './engine/progress.ts';
import type { SubmissionDocument, submissionQueries } from './submissions.ts';

type ShownPorts = Readonly<{
  progress: Pick<Progress, 'reached'>;
  log: Pick<EventLog, 'load'>;
  find: ReturnType<typeof submissionQueries>['find'];
  /** Hears of read models that can't be read. */
  failed(error: unknown): void;
}>;

/** Where a stored command left its submission. */
type Place = Readonly<{ submissionId: string; position: Position; revision: number }>;

/**
 * The submission's document as of a command that is stored. Should the read models be late, or away, it is folded here from the log:
 * the caller must hear that the command succeeded. Throws `StoreUnavailable` when the log is away.
 */
export const readYourWrites =
  ({ progress, log, find, failed }: ShownPorts) =>
  async ({ submissionId, position, revision }: Place): Promise<SubmissionDocument> => {
    const look = async (): Promise<SubmissionDocument | null> => {
      await progress.reached(position, SHOW_MS);
      return find(submissionId);
    };
    const document = await look().catch((error: unknown) => {
      failed(error);
      return null;
    });
    if (document && document.revision >= revision) return document;
    const { events } = await log.load(submissionStream(submissionId));
    const folded = foldSubmission(events as readonly Recorded<SubmissionEvent>[]);
    if (!folded) throw new Error(`the submission ${submissionId} has no events`);
    return folded;
  };
