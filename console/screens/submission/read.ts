import type { ResolveRequest } from '../../../client/api.ts';
import { IntakeError } from '../../../client/error.ts';
import type { SubmissionDetail, SubmissionEventItem } from '../../../schemas/submissions.ts';
import type { WorkflowContract } from '../../../schemas/workflows.ts';
import { api } from '../../app/api.ts';
import { member } from '../../app/members.ts';
import { labelsOf } from '../../app/workflowLabels.ts';
import { type Field, fieldsOf } from './fields.ts';

/** A submission as of a revision, or now; `tag` is sent with a decision on it. */
export type Read = Readonly<{
  detail: SubmissionDetail;
  fields: readonly Field[];
  /** What two people must decide of it. */
  fourEyes: WorkflowContract['fourEyes'];
  tag: string | null;
}>;

/** Where the API has a submission. */
export const PATH = '/api/v1/submissions/{submissionId}';

const contracts = new Map<string, WorkflowContract>();

/**
 * What the version says of its fields and decisions, which never changes; null where the company has the
 * workflow no more.
 */
const contractOf = async ({ slug, version }: SubmissionDetail['workflow'], signal: AbortSignal) => {
  const key = `${slug} ${version}`;
  const known = contracts.get(key);
  if (known) return known;
  try {
    const path = { slug, version };
    const contract = await api.get('/api/v1/workflows/{slug}/versions/{version}', { path, signal });
    contracts.set(key, contract);
    return contract;
  } catch (error) {
    if (error instanceof IntakeError && error.status === 404) return null;
    throw error;
  }
};

/** Reads a submission with its fields. Throws `IntakeError`. */
export const readSubmission = async (id: string, at: string | null, signal: AbortSignal): Promise<Read> => {
  const options = { path: { submissionId: id }, query: at === null ? {} : { at }, signal };
  const [{ body: detail, etag: tag }, read] = await Promise.all([
    api.request('get', PATH, options),
    api.get(`${PATH}/result`, options),
  ]);
  const [contract, labels] = await Promise.all([
    contractOf(detail.workflow, signal),
    labelsOf(detail.workflow.slug, signal),
  ]);
  const called = contract?.outputSchema.map((field) => ({
    ...field,
    label: member(labels, field.name) ?? field.label,
  }));
  const fields = fieldsOf(detail, read.result, called ?? null);
  return { detail, fields, fourEyes: contract?.fourEyes ?? [], tag };
};

/** What a submission is, without its fields. Throws `IntakeError`. */
export const readDetail = (id: string, signal: AbortSignal): Promise<SubmissionDetail> =>
  api.get(PATH, { path: { submissionId: id }, signal });

/** All events of a submission, oldest first. Throws `IntakeError`. */
export const readEvents = async (
  id: string,
  signal: AbortSignal,
): Promise<readonly SubmissionEventItem[]> => {
  const found: SubmissionEventItem[] = [];
  const call = { path: { submissionId: id }, query: { limit: 100 }, signal };
  for await (const event of api.list(`${PATH}/events`, call)) found.push(event);
  return found;
};

/** Decides, on what was read: a 412 where it has changed since. */
export const decide = async (
  { detail, tag }: Read,
  decision: 'approve' | 'reject' | 'cancel' | 'reprocess' | 'enter',
  body: object,
): Promise<SubmissionDetail['submissionStatus']> => {
  const call = { path: { submissionId: detail.id }, body, ifMatch: tag };
  return (await api.post(`${PATH}/${decision}`, call)).submissionStatus;
};

/**
 * Judges a fraud match, on what was read: a 412 where it has changed since. Gives the tag of what it is then.
 */
export const resolveMatch = async (
  submissionId: string,
  matchId: string,
  body: ResolveRequest,
  ifMatch: string | null,
): Promise<string | null> => {
  const call = { path: { submissionId, matchId }, body, ifMatch };
  return (await api.request('post', `${PATH}/fraud-matches/{matchId}/resolve`, call)).etag;
};

/** Refusals of a decision because others have changed the submission since it was read. */
const STALE: readonly string[] = [
  'precondition-failed',
  'submission-not-in-review',
  'submission-not-cancellable',
  'submission-not-reprocessable',
  'submission-not-enterable',
];

/** Whether a refusal says so. */
export const isStale = (code: string): boolean => STALE.includes(code);

/**
 * Does `work`; calls `stale` if it is refused because others were there before, and throws what it throws.
 */
export const orStale = async (work: () => Promise<void>, stale: () => void): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof IntakeError && isStale(error.code)) stale();
    throw error;
  }
};
