import { isDeepStrictEqual } from 'node:util';
import { echoOf } from '../domain/submission/echoed.ts';
import type { JudgedMatch } from '../domain/submission/fraud.ts';
import type { Submission } from '../domain/submission/state.ts';
import { sessionIdOf } from '../domain/submission/submission.ts';
import { type Actor, actorText, unlessRedacted } from '../kernel/event.ts';
import { pick } from '../kernel/pick.ts';
import type { FraudMatch } from '../schemas/fraud.ts';
import type { Job } from '../schemas/sessions.ts';
import type { SubmissionDetail, SubmissionSummary } from '../schemas/submissions.ts';
import { figureFacts } from './figureFacts.ts';
import { labelled } from './label.ts';
import type { SubmissionDocument } from './submissions.ts';
import { firstDecisionOf, sharedOf, waitingRow } from './waitingRow.ts';

/** A session as a job (jobs-1), and how its newest delivery stands. */
export const jobOf = (document: SubmissionDocument, status: Job['webhookDeliveryStatus']): Job => ({
  ...beforeDelivery(document),
  webhookDeliveryStatus: status,
});

const beforeDelivery = ({
  submission,
  processedAt,
}: SubmissionDocument): Omit<Job, 'webhookDeliveryStatus'> => ({
  sessionId: sessionIdOf(submission.routing.submissionId),
  ...pick(submission.routing, 'submissionId', 'workflow', 'companyId'),
  state: submission.state,
  submissionStatus: submission.status,
  result: unlessRedacted(submission.result),
  failedReason: submission.failedReason,
  ...echoOf(submission),
  processedAt,
});

/** The states in which a job still works on behalf of its key. */
export const UNFINISHED: readonly Submission['state'][] = ['pending', 'queued', 'processing'];

/** A row of GET /submissions (submissions-1). */
const submissionSummary = ({ id, createdAt, submission }: SubmissionDocument): SubmissionSummary => ({
  id,
  ...labelled(submission),
  submissionStatus: submission.status,
  ...pick(submission, 'fraudStatus', 'fraudScore'),
  workflow: pick(submission.workflow, 'slug', 'name', 'version'),
  extractedData: unlessRedacted(submission.extractedData),
  confidence: submission.confidence,
  createdAt,
  clientSubmissionId: submission.clientSubmissionId,
  // A document of an older release has neither.
  redaction: submission.redaction ?? null,
});

/** GET /submissions/{submissionId}, around the files with their download addresses. */
const beforeFiles = (document: SubmissionDocument): Partial<SubmissionDetail> => ({
  ...submissionSummary(document),
  workflow: pick(document.submission.workflow, 'id', 'slug', 'name', 'version'),
  fieldConfidences: unlessRedacted(document.submission.fieldConfidences),
  ...pick(document.submission, 'certainty', 'aiSummary'),
  ...pick(document.submission, 'failedReason', 'rejectReason', 'cancelReason'),
});

const behindMatches = (document: SubmissionDocument): Partial<SubmissionDetail> => ({
  events: document.history,
  ...besideName(echoOf(document.submission)),
  reviewReasons: document.submission.reviewReasons,
  firstDecision: firstDecisionDetail(document),
  corrections: correctionsOf(document),
  batchRef: document.submission.batchRef,
  updatedAt: document.updatedAt,
  sync: syncOf(document),
  legalHold: legalHoldOf(document.submission),
  ...sharedOf(document),
  notes: document.notes ?? [],
});

/** What a detail echoes beside what its row does. */
const besideName = ({ clientSubmissionId: _, ...others }: ReturnType<typeof echoOf>) => others;

/** A legal hold as answers have it. */
export const legalHoldOf = ({ legalHold = null }: Submission): SubmissionDetail['legalHold'] =>
  legalHold && { since: legalHold.since, actor: actorText(legalHold.by) };

type File = Submission['files'][number];

/** What the download address of a file is made of. */
export type Downloadable = Readonly<{ submissionId: string; fileName: string | null }> &
  Pick<File, 'fileId' | 'etag' | 'label' | 'mimeType'>;

/** A file of a submission up to its download address, and what that is made of. */
const fileOf = ({ fileNames, routing }: Submission, { fileIndex, etag, fileSize, ...file }: File): string => {
  const { fileId, label, mimeType } = file;
  const { [fileId]: fileName = null } = fileNames;
  const shown = { id: fileId, fileIndex, label, fileName, mimeType, fileSize };
  const { submissionId } = routing;
  const own: Downloadable = { submissionId, fileId, etag, label, fileName, mimeType };
  return lines(`${JSON.stringify(shown).slice(0, -1)},"downloadUrl":`, JSON.stringify(own), '');
};

/** The label of a submission; null where there is none of it. */
export type LabelOf = (submissionId: string | null) => string | null;

/** An item of GET …/fraud-matches, and the answer of resolving one (fraud-13, labels-4). */
export const fraudMatchItem = (match: JudgedMatch, labelOf: LabelOf): FraudMatch => ({
  ...judgedItem(match),
  label: labelOf(match.matchedSubmissionId),
});

const judgedItem = (match: JudgedMatch) =>
  ({ ...match, status: match.resolution === null ? 'open' : 'resolved' }) as const;

/** A fraud match up to its label, and whose that is. */
const matchOf = (match: JudgedMatch): string =>
  lines(
    `${JSON.stringify(judgedItem(match)).slice(0, -1)},"label":`,
    JSON.stringify(match.matchedSubmissionId),
    '',
  );

/** The event of a document's newest webhook, which version 3 had together with its status. */
export const webhookEventOf = (document: SubmissionDocument): string | null =>
  document.webhookEventId ??
  (document as Readonly<{ webhook?: Readonly<{ eventId: string }> | null }>).webhook?.eventId ??
  null;

/** A document of an older release has no sync. */
const syncOf = ({ submission: { sync }, sync: times }: SubmissionDocument): SubmissionDetail['sync'] =>
  sync && times ? { ...pick(sync, 'status', 'attempts'), ...times, lastError: sync.lastError } : null;

const firstDecisionDetail = (document: SubmissionDocument): SubmissionDetail['firstDecision'] => {
  const made = firstDecisionOf(document);
  const { firstDecision } = document.submission;
  return (
    made &&
    firstDecision && {
      ...made,
      ...pick(firstDecision, 'actor', 'comment', 'reason'),
      corrections: firstDecision.corrections.map(withPlace),
    }
  );
};

/**
 * Who decided, as corrections tell it: a person by identifier, a key by its own and whom its client named.
 */
export const statedBy = (
  by: Actor,
  stated: string | null,
): Readonly<{ actor: string | null; keyId: string | null }> =>
  by.kind === 'user' ? { actor: actorText(by), keyId: null } : { actor: stated, keyId: by.id };

/** A correction with its place; null where it has none. */
const withPlace = <C extends Submission['corrections'][number]>(correction: C) => ({
  ...correction,
  place: correction.place ?? null,
});

/**
 * Each correction with who gave it: of two people the one whose value it is, the first where both gave it.
 */
const correctionsOf = (document: SubmissionDocument): SubmissionDetail['corrections'] => {
  const { submission, approval, firstDecisionAt: at } = document;
  if (approval === null) return [];
  const { firstDecision: first = null } = submission;
  const ofFirst = first && at ? { ...statedBy(first.by, first.actor), at } : null;
  const isOfFirst = ({ field, humanValue }: Submission['corrections'][number]): boolean =>
    first?.corrections.some((one) => one.field === field && isDeepStrictEqual(one.humanValue, humanValue)) ??
    false;
  return submission.corrections.map((correction) => ({
    ...withPlace(correction),
    ...(ofFirst && isOfFirst(correction) ? ofFirst : approval),
  }));
};

/**
 * What is stored to be sent. `waiting`: the row of the review queue, `null` where it is not in review.
 * `figures`: its facts (`FigureFacts`). `job`: its key, whether it is unfinished, the event of its newest
 * webhook, the job but for how that stands. `detail`: its company and mode, its revision, then the detail in
 * parts, between them the files (`Downloadable`) whose addresses are missing, and the identifiers of
 * submissions whose labels are.
 */
export const submissionAnswers = {
  row: (document: SubmissionDocument): string => JSON.stringify(submissionSummary(document)),
  waiting: (document: SubmissionDocument): string => JSON.stringify(waitingRow(document)),
  figures: (document: SubmissionDocument): string => JSON.stringify(figureFacts(document)),
  job: (document: SubmissionDocument): string =>
    lines(
      document.submission.routing.keyId,
      `${UNFINISHED.includes(document.submission.state)}`,
      webhookEventOf(document) ?? '',
      JSON.stringify(beforeDelivery(document)).slice(0, -1),
    ),
  detail: (document: SubmissionDocument): string => {
    const { files, fraudMatches, routing } = document.submission;
    const before = JSON.stringify(beforeFiles(document)).slice(0, -1);
    const behind = JSON.stringify(behindMatches(document)).slice(1);
    const items = files.map((file) => `${fileOf(document.submission, file)}}`);
    const matches = fraudMatches.map((match) => `${matchOf(match)}}`);
    const detail = `${before},"files":[${items.join()}],"fraudMatches":[${matches.join()}],${behind}`;
    return lines(`${routing.companyId} ${routing.mode}`, `${document.revision}`, detail);
  },
};

/** JSON has no line feeds, and neither have identifiers. */
const lines = (...texts: readonly string[]): string => texts.join('\n');
