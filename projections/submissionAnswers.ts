import type { JudgedMatch } from '../domain/submission/fraud.ts';
import type { Submission } from '../domain/submission/state.ts';
import { sessionIdOf } from '../domain/submission/submission.ts';
import { pick } from '../kernel/pick.ts';
import type { FraudMatch } from '../schemas/fraud.ts';
import type { Job } from '../schemas/sessions.ts';
import type { SubmissionDetail, SubmissionSummary } from '../schemas/submissions.ts';
import type { SubmissionDocument } from './submissions.ts';

/** A session as a job (jobs-1), and how its newest delivery stands. */
export const jobOf = (
  document: SubmissionDocument,
  webhookDeliveryStatus: Job['webhookDeliveryStatus'],
): Job => ({ ...beforeDelivery(document), webhookDeliveryStatus });

const beforeDelivery = ({ submission, processedAt }: SubmissionDocument) => ({
  sessionId: sessionIdOf(submission.routing.submissionId),
  ...pick(submission.routing, 'submissionId', 'workflow', 'companyId'),
  state: submission.state,
  submissionStatus: submission.status,
  ...pick(submission, 'result', 'failedReason', 'clientSubmissionId', 'metadata'),
  processedAt,
});

/** Whether a job works on behalf of its key: pending, queued or processing. */
export const isUnfinished = ({ state }: Submission): boolean =>
  ['pending', 'queued', 'processing'].includes(state);

/** A row of GET /submissions (submissions-1). */
export const submissionSummary = ({ id, createdAt, submission }: SubmissionDocument): SubmissionSummary => ({
  id,
  submissionStatus: submission.status,
  ...pick(submission, 'fraudStatus', 'fraudScore'),
  workflow: pick(submission.workflow, 'slug', 'name', 'version'),
  ...pick(submission, 'extractedData', 'confidence'),
  createdAt,
  clientSubmissionId: submission.clientSubmissionId,
});

/** GET /submissions/{submissionId}; `files` come with their download addresses. */
export const submissionDetail = (
  document: SubmissionDocument,
  files: SubmissionDetail['files'],
): SubmissionDetail => ({ ...beforeFiles(document), files, ...behindFiles(document) });

const beforeFiles = (document: SubmissionDocument) => ({
  ...submissionSummary(document),
  workflow: pick(document.submission.workflow, 'id', 'slug', 'name', 'version'),
  ...pick(document.submission, 'fieldConfidences', 'certainty', 'aiSummary'),
  ...pick(document.submission, 'failedReason', 'rejectReason', 'cancelReason'),
});

const behindFiles = (document: SubmissionDocument) => ({
  fraudMatches: document.submission.fraudMatches.map(fraudMatchItem),
  events: document.history,
  ...pick(document.submission, 'metadata', 'reviewReasons'),
  corrections: correctionsOf(document),
  batchRef: document.submission.batchRef,
  updatedAt: document.updatedAt,
  sync: syncOf(document),
});

type File = Submission['files'][number];

/** A file of a submission, without its download address. */
export const fileOf = (
  { fileNames }: Submission,
  file: File,
): Omit<SubmissionDetail['files'][number], 'downloadUrl'> => {
  const { fileId: id, fileIndex, label, mimeType, fileSize } = file;
  return { id, fileIndex, label, fileName: fileNames[id] ?? null, mimeType, fileSize };
};

/** An item of GET …/fraud-matches, and the answer of resolving one (fraud-13). */
export const fraudMatchItem = (match: JudgedMatch): FraudMatch => ({
  ...match,
  status: match.resolution === null ? 'open' : 'resolved',
});

/** A document of an older release has no sync. */
const syncOf = ({ submission: { sync }, sync: times }: SubmissionDocument): SubmissionDetail['sync'] =>
  sync && times ? { ...pick(sync, 'status', 'attempts'), ...times, lastError: sync.lastError } : null;

const correctionsOf = ({ submission, approval }: SubmissionDocument): SubmissionDetail['corrections'] =>
  approval === null ? [] : submission.corrections.map((correction) => ({ ...correction, ...approval }));

/**
 * What is stored to be sent. `job`: its key, whether it is unfinished, the event of its newest webhook, the
 * job but for how that stands. `detail`: its company and
 * mode, its revision, then the detail in parts, between them the files whose download addresses are missing.
 */
export const submissionAnswers = {
  row: (document: SubmissionDocument): string => JSON.stringify(submissionSummary(document)),
  job: (document: SubmissionDocument): string =>
    lines(
      document.submission.routing.keyId,
      `${isUnfinished(document.submission)}`,
      document.webhookEventId ?? '',
      JSON.stringify(beforeDelivery(document)).slice(0, -1),
    ),
  detail: (document: SubmissionDocument): string => {
    const { files, routing } = document.submission;
    const before = JSON.stringify(beforeFiles(document)).slice(0, -1);
    const behind = JSON.stringify(behindFiles(document)).slice(1);
    const parts = files.map((file, n) => {
      const item = JSON.stringify(fileOf(document.submission, file)).slice(0, -1);
      return `${n > 0 ? '},' : ''}${item},"downloadUrl":\n${file.fileId}\n`;
    });
    const detail = `${before},"files":[${parts.join('')}${files.length > 0 ? '}' : ''}],${behind}`;
    return lines(`${routing.companyId} ${routing.mode}`, `${document.revision}`, detail);
  },
};

/** JSON has no line feeds, and neither have identifiers. */
const lines = (...texts: readonly string[]): string => texts.join('\n');
