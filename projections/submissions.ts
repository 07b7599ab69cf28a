import type { Subject } from '../domain/subjectRedaction.ts';
import {
  asRead,
  evolve,
  type Submission,
  type SubmissionEvent,
  submissionEvents,
} from '../domain/submission/state.ts';
import { webhookTypeOf } from '../domain/webhookEvents.ts';
import { actorText, REDACTED, reveal } from '../kernel/event.ts';
import type { Labelled } from '../schemas/submissions.ts';
import type { Query, ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, collect } from './engine/pages.ts';
import {
  type Fold,
  type Folds,
  foldAlike,
  foldEvent,
  indexOn,
  newestBy,
  type Projection,
  remove,
} from './engine/projection.ts';
import { type HistoryItem, historyItem, redactedItem } from './history.ts';
import { outsideReview, statusFolds } from './statusFolds.ts';
import { type LabelOf, statedBy, submissionAnswers, UNFINISHED } from './submissionAnswers.ts';
import { filterPaths, type SubmissionFilters, scopePaths, whereOf } from './submissionFilters.ts';
import { memberWord, submissionWords } from './submissionWords.ts';
import { type SyncTimes, syncTimes } from './syncTimes.ts';

/** A submission with its job and history: one document, so that its parts agree. */
export type SubmissionDocument = Readonly<{
  id: string;
  createdAt: string;
  updatedAt: string;
  /** When processing ended (lifecycle-13); null until then, and again while a new round is under way. */
  processedAt: string | null;
  revision: number;
  /** The newest event that caused a webhook: how its delivery stands is in `deliveries`. */
  webhookEventId: string | null;
  /** Null unless a reviewer approved. */
  approval: Approval | null;
  /** Since when it has been in review, and until when it was: null while it is. Null where it never was. */
  reviewed: Readonly<{ since: string; until: string | null }> | null;
  /** When the first of two people decided; null before that, or where one decides. */
  firstDecisionAt: string | null;
  /** What people wrote on it, oldest first. */
  notes: readonly Note[];
  /** Null unless its review was put off, also to a time that has passed. */
  postponed: Postponed | null;
  /** When its approved data are sent on; null where they are not. */
  sync: SyncTimes | null;
  submission: Submission;
  history: readonly HistoryItem[];
}>;

type Reviewed = NonNullable<SubmissionDocument['reviewed']>;

/** Who approved, and when. */
type Approval = Readonly<{ actor: string | null; keyId: string | null; at: string }>;

/** What somebody wrote, and when. */
export type Note = Readonly<{ actor: string; at: string; text: string }>;

/** Until when a review is put off, and who says so. */
export type Postponed = Readonly<{ until: string; actor: string; reason: string }>;

/** Newest first. */
export const newestFirst = newestBy('createdAt');
const scope = Object.values(scopePaths);
const index = (name: string, paths: readonly string[]) => indexOn(name, paths, newestFirst);

const processedAt = statusFolds<string>({
  ...outsideReview,
  ...foldAlike(['SubmissionApproved', 'SubmissionRejected', 'SubmissionCancelled'], null),
  ...foldAlike(
    ['SubmissionProcessed', 'SubmissionProcessingFailed', 'SubmissionOpenedForEntry'],
    ((_before, { metadata }) => metadata.at) satisfies Fold<string, SubmissionEvent>,
  ),
  SubmissionReprocessingRequested: remove,
});

const approval = statusFolds<Approval>({
  SubmissionApproved: (_before, { data, metadata: { actor, at } }) => ({
    ...statedBy(actor, reveal(data.private, 'actor')),
    at,
  }),
  ...foldAlike(
    ['SubmissionProcessed', 'SubmissionOpenedForEntry', 'SubmissionRejected', 'SubmissionCancelled'],
    null,
  ),
  ...outsideReview,
});

const left: Fold<Reviewed, SubmissionEvent> = (before, { metadata }) =>
  before && { ...before, until: metadata.at };
const reviewed = statusFolds<Reviewed>({
  SubmissionProcessed: (before, { data, metadata }) =>
    data.to === 'review' ? { since: metadata.at, until: null } : before,
  SubmissionOpenedForEntry: (_before, { metadata }) => ({ since: metadata.at, until: null }),
  SubmissionApproved: left,
  SubmissionRejected: left,
  SubmissionCancelled: left,
  ...outsideReview,
});

const firstDecisionAt: Partial<Folds<string, SubmissionEvent>> = {
  SubmissionFirstDecisionMade: (_before, { metadata }) => metadata.at,
};

const notes: Partial<Folds<readonly Note[], SubmissionEvent>> = {
  SubmissionNoteAdded: (before, { data, metadata: { actor, at } }) => [
    ...(before ?? []),
    { actor: actorText(actor), at, text: reveal(data.private, 'text') },
  ],
};

const postponed: Partial<Folds<Postponed, SubmissionEvent>> = {
  SubmissionPostponed: (_before, { data, metadata }) => ({
    until: data.until,
    actor: actorText(metadata.actor),
    reason: reveal(data.private, 'reason'),
  }),
  SubmissionResumed: remove,
};

const afterEvent: Fold<SubmissionDocument, SubmissionEvent> = (before, stored, id) => {
  const event = asRead(before?.submission ?? null, stored);
  const document = event.type === 'SubmissionRedactionRequested' ? before && redacted(before) : before;
  const submission = evolve(document?.submission ?? null, event);
  if (submission === null) throw new Error(`${event.type} gives no submission`);
  const { at } = event.metadata;
  const isNotified =
    submission.webhookUrl !== null && submission.redaction !== 'requested' && webhookTypeOf(event) !== null;
  return {
    id,
    createdAt: document?.createdAt ?? at,
    updatedAt: at,
    processedAt: foldEvent(processedAt, document?.processedAt ?? null, event, id),
    revision: event.revision,
    webhookEventId: isNotified ? event.id : (document?.webhookEventId ?? null),
    approval: foldEvent(approval, document?.approval ?? null, event, id),
    reviewed: foldEvent(reviewed, document?.reviewed ?? null, event, id),
    firstDecisionAt: foldEvent(firstDecisionAt, document?.firstDecisionAt ?? null, event, id),
    notes: foldEvent(notes, document?.notes ?? null, event, id) ?? [],
    postponed: foldEvent(postponed, document?.postponed ?? null, event, id),
    sync: foldEvent(syncTimes, document?.sync ?? null, event, id),
    submission,
    history: [...(document?.history ?? []), historyItem(event)],
  };
};

/** What a document has beside its submission, as it would be if the keys of its events were destroyed. */
const redacted = (document: SubmissionDocument): SubmissionDocument => ({
  ...document,
  webhookEventId: null,
  approval:
    document.approval &&
    (document.approval.keyId === null ? document.approval : { ...document.approval, actor: REDACTED }),
  notes: (document.notes ?? []).map((note) => ({ ...note, text: REDACTED })),
  postponed: document.postponed && { ...document.postponed, reason: REDACTED },
  history: document.history.map(redactedItem),
});

/** Submissions with their jobs and histories. */
export const submissions: Projection<SubmissionDocument, SubmissionEvent> = {
  name: 'submissions',
  version: 13,
  prefixes: ['submission-'],
  indexes: [
    index('newest', scope),
    ...Object.entries(filterPaths).map(([name, path]) => index(name, [...scope, path])),
    index('open', ['submission.routing.keyId', 'submission.state']),
  ],
  keys: ({ data }) => [data.submissionId],
  on: foldAlike(Object.keys(submissionEvents) as SubmissionEvent['type'][], afterEvent),
  answers: submissionAnswers,
  words: submissionWords,
};

/** Gives a submission's document, null when there is none. */
export type Find = (submissionId: string) => Promise<SubmissionDocument | null>;

/** The queries behind GET /submissions, /submissions/{id} and /jobs/{sessionId}. */
export const submissionQueries = (models: ReadModels, find: Find = findIn(models)) => ({
  find,

  /** What is sent of the submission, null when there is none. That of an older release is made now. */
  answer: async (which: 'job' | 'detail', submissionId: string): Promise<string | null> => {
    const [made] = await models.answers('submissions', [submissionId], which);
    if (made) return made;
    const document = await find(submissionId);
    return document && submissionAnswers[which](document);
  },

  /**
   * A page of the rows of a company's submissions, newest first; those with words that begin so (search-1).
   */
  rows: async (
    conditions: SubmissionFilters,
    limit: number,
    after: After,
    words: Query['words'] = [],
  ): Promise<ResultPage<string>> => {
    const query = { where: whereOf(conditions), sort: newestFirst, limit, after, words };
    const made = await models.answerPage('submissions', 'row', query);
    if (made) return made;
    // Those of an older release have none.
    const { items, next } = await models.page<SubmissionDocument>('submissions', query);
    return { items: items.map(submissionAnswers.row), next };
  },

  /** The identifiers of the submissions of a person, newest first, of at most so many (subjects-1). */
  ofSubject: async (
    scope: Readonly<Record<keyof typeof scopePaths, string>>,
    { clientSubmissionId, metadata }: Subject,
    max: number,
  ): Promise<readonly string[]> => {
    const where = whereOf({ ...scope, ...(clientSubmissionId === null ? {} : { clientSubmissionId }) });
    const words = metadata === null ? [] : [[memberWord(metadata)]];
    const { items } = await collect<SubmissionDocument>(
      (limit, after) => models.page('submissions', { where, sort: newestFirst, limit, after, words }),
      max,
    );
    return items.map(({ id }) => id);
  },

  /** The rows of the review queue of these submissions, each in JSON; those not in review are left out. */
  waiting: async (ids: readonly string[]): Promise<readonly Readonly<{ id: string; row: string }>[]> => {
    const made = await models.answers('submissions', ids, 'waiting');
    const rows = await Promise.all(
      ids.map(async (id, n) => {
        // Those of an older release have none.
        const document = made[n] ? null : await find(id);
        return { id, row: made[n] ?? (document && submissionAnswers.waiting(document)) ?? NOT_WAITING };
      }),
    );
    return rows.filter(({ row }) => row !== NOT_WAITING);
  },

  /** The labels of submissions, to be asked for by identifier. */
  labels: async (ids: readonly (string | null)[]): Promise<LabelOf> => {
    const wanted = [...new Set(ids)].flatMap((id) => id ?? []);
    const made = wanted.length > 0 ? await models.answers('submissions', wanted, 'row') : [];
    const rows = await Promise.all(
      wanted.map(async (id, n) => {
        // Those of an older release have none.
        const document = made[n] ? null : await find(id);
        const row = made[n] ?? (document && submissionAnswers.row(document));
        return [id, row ? (JSON.parse(row) as Partial<Labelled>).label : null] as const;
      }),
    );
    const labels = new Map(rows);
    return (id) => labels.get(id ?? '') ?? null;
  },

  /** The number of a key's sessions that are pending, queued or processing, up to `max`. */
  countOpen: async (keyId: string, max: number): Promise<number> => {
    const counts = await Promise.all(
      UNFINISHED.map((state) =>
        models.count('submissions', { 'submission.routing.keyId': keyId, 'submission.state': state }, max),
      ),
    );
    return Math.min(
      max,
      counts.reduce((sum, count) => sum + count, 0),
    );
  },
});

/** The row of what is not in review. */
const NOT_WAITING = 'null';

/** Finds a submission's document in the read models. */
export const findIn =
  (models: ReadModels): Find =>
  (submissionId) =>
    models.get('submissions', submissionId);
