import { evolveBy } from '../../kernel/byType.ts';
import { reveal, withoutPrivate } from '../../kernel/event.ts';
import type { EventsOf } from '../../kernel/eventDefinition.ts';
import { pick } from '../../kernel/pick.ts';
import { type Echoed, readEcho } from './echoed.ts';
import { entryEvents, entryFolds } from './entry.ts';
import { type Forced, forcedBy } from './forced.ts';
import { type FourEyesState, fourEyesEvents, fourEyesFolds, noFirstDecision } from './fourEyes.ts';
import { type FraudState, fraudEvents, fraudFolds, notChecked } from './fraudMatches.ts';
import { notProcessed, type ProcessingState, processingEvents, processingFolds } from './processing.ts';
import { notRedacted, type RedactionState, redactionEvents, redactionFolds } from './redaction.ts';
import { noResult, type ResultState, resultEvents, resultFolds } from './result.ts';
import { notReviewed, type ReviewState, reviewEvents, reviewFolds } from './review.ts';
import type { Routing } from './routing.ts';
import {
  type SessionCreated,
  type Slot,
  type SubmittedFile,
  sessionEvents,
  sessionFolds,
} from './session.ts';
import { notSynced, type SyncState, syncEvents, syncFolds } from './sync.ts';
import { notShared, type TeamworkState, teamworkEvents, teamworkFolds } from './teamwork.ts';
import type { JobState, Status } from './transitions.ts';

/** The events of a `submission-` stream. */
export const submissionEvents = {
  ...sessionEvents,
  ...processingEvents,
  ...resultEvents,
  ...entryEvents,
  ...fraudEvents,
  ...fourEyesEvents,
  ...reviewEvents,
  ...syncEvents,
  ...redactionEvents,
  ...teamworkEvents,
};

export type SubmissionEvent = EventsOf<typeof submissionEvents>;

/** A submission and its session. Text and objects whose key was destroyed read as `REDACTED`. */
export type Submission = Readonly<{
  routing: Routing;
  workflow: SessionCreated['data']['workflow'];
  status: Status;
  state: JobState;
  processed: boolean;
  expiresAt: string;
  slots: readonly Slot[];
  files: readonly SubmittedFile[];
  fileNames: Readonly<Record<string, string>>;
  webhookUrl: string | null;
  /** What the metadata force; null in live mode. */
  forced: Forced | null;
  batchRef: string | null;
}> &
  Echoed &
  ProcessingState &
  ResultState &
  FraudState &
  FourEyesState &
  ReviewState &
  SyncState &
  RedactionState &
  TeamworkState;

/** The state after one more event; null before the first one. */
export const evolve = (state: Submission | null, event: SubmissionEvent): Submission => {
  if (event.type === 'SessionCreated') return created(event);
  if (state === null) throw new Error(`${event.type} without a SessionCreated before it`);
  return next(state, asRead(state, event));
};

/** An event as it reads in a submission: without its private part once its redaction was requested. */
export const asRead = <E extends SubmissionEvent>(state: Submission | null, event: E): E =>
  state === null || state.redaction === null ? event : withoutPrivate(event);

const next = evolveBy<Submission, Exclude<SubmissionEvent, SessionCreated>>({
  ...sessionFolds,
  ...processingFolds,
  ...resultFolds,
  ...entryFolds,
  ...fraudFolds,
  ...fourEyesFolds,
  ...reviewFolds,
  ...syncFolds,
  ...redactionFolds,
  ...teamworkFolds,
});

const created = ({ data }: SessionCreated): Submission => ({
  routing: {
    ...pick(data, 'submissionId', 'companyId', 'mode', 'keyId'),
    workflow: pick(data.workflow, 'slug', 'version'),
    batchId: data.batchId,
  },
  workflow: data.workflow,
  status: 'created',
  state: 'pending',
  processed: false,
  ...pick(data, 'expiresAt', 'slots'),
  files: [],
  fileNames: 'redacted' in data.private ? {} : data.private.fileNames,
  webhookUrl: data.notifies ? reveal(data.private, 'webhookUrl') : null,
  ...readEcho(data.private),
  forced: forcedBy(data.mode, reveal(data.private, 'metadata')),
  batchRef: reveal(data.private, 'batchRef'),
  ...notProcessed,
  ...noResult,
  ...notChecked,
  ...noFirstDecision,
  ...notReviewed,
  ...notSynced,
  ...notRedacted,
  ...notShared,
});
