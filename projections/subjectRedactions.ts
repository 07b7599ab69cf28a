import type { LegalBasis } from '../domain/redactionBasis.ts';
import type { SubjectRedactionEvent, SubjectRedactionRequested } from '../domain/subjectRedaction.ts';
import type { SubmissionEvent } from '../domain/submission/state.ts';
import type { Actor, EventOf } from '../kernel/event.ts';
import type { Mode } from '../kernel/scope.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { After } from './engine/pages.ts';
import { type Fold, indexOn, newestBy, type SelectiveProjection } from './engine/projection.ts';

/**
 * The redaction of all submissions of a person: of `total` submissions `requested` are requested to be
 * redacted, of which `done` have nothing private left; `left` were not looked at yet. Times in ISO 8601.
 */
export type SubjectRedactionDocument = Readonly<{
  id: string;
  companyId: string;
  mode: Mode;
  actor: Actor;
  reason: string;
  legalBasis: LegalBasis;
  requestedBy: string | null;
  total: number;
  requested: number;
  done: number;
  held: readonly string[];
  failed: readonly string[];
  left: number;
  createdAt: string;
  endedAt: string | null;
}>;

type OfSubmission = EventOf<SubmissionEvent, 'SubmissionRedactionRequested' | 'SubmissionRedacted'>;

const newestFirst = newestBy('createdAt');

/** It ends once all were looked at, and what was requested is done. */
const endedAt = (document: SubjectRedactionDocument, at: string): SubjectRedactionDocument =>
  document.endedAt === null && document.left === 0 && document.done >= document.requested
    ? { ...document, endedAt: at }
    : document;

/** One that was requested just now, at a time (ISO 8601). */
export const begun = (
  data: SubjectRedactionRequested['data'],
  actor: Actor,
  at: string,
): SubjectRedactionDocument => {
  const { redactionId: id, companyId, mode, reason, legalBasis, requestedBy, submissionIds } = data;
  const total = submissionIds.length;
  const facts = { id, companyId, mode, actor, reason, legalBasis, requestedBy, total, left: total };
  const none = { requested: 0, done: 0, held: [], failed: [], createdAt: at, endedAt: null };
  return endedAt({ ...facts, ...none }, at);
};

const counted =
  (name: 'requested' | 'done'): Fold<SubjectRedactionDocument, OfSubmission> =>
  (before, { metadata }) =>
    before && endedAt({ ...before, [name]: before[name] + 1 }, metadata.at);

/** Redactions of several, with how far they are. */
export const subjectRedactions: SelectiveProjection<
  SubjectRedactionDocument,
  SubjectRedactionEvent | SubmissionEvent
> = {
  name: 'subjectRedactions',
  version: 1,
  prefixes: ['subjectRedaction-', 'submission-'],
  indexes: [indexOn('company', ['companyId', 'mode'], newestFirst)],
  keys: ({ data }) => ('redactionId' in data && data.redactionId !== undefined ? [data.redactionId] : []),
  on: {
    SubjectRedactionRequested: (_before, { data, metadata: { actor, at } }) => begun(data, actor, at),
    SubjectRedactionAdvanced: (before, { data: { others, held, failed, left }, metadata }) => {
      if (before === null) return null;
      // What somebody else requested is that one's to end.
      const [requested, done] = [before.requested + others, before.done + others];
      const kept = { held: [...before.held, ...held], failed: [...before.failed, ...failed] };
      return endedAt({ ...before, ...kept, requested, done, left }, metadata.at);
    },
    SubmissionRedactionRequested: counted('requested'),
    SubmissionRedacted: counted('done'),
  },
};

/** Redactions of several: one, or those of a company and mode, newest first. */
export const subjectRedactionQueries = (models: ReadModels) => ({
  find: (redactionId: string): Promise<SubjectRedactionDocument | null> =>
    models.get('subjectRedactions', redactionId),
  listOf: (
    companyId: string,
    mode: Mode,
    limit: number,
    after: After,
  ): Promise<ResultPage<SubjectRedactionDocument>> =>
    models.page('subjectRedactions', { where: { companyId, mode }, sort: newestFirst, limit, after }),
});
