import type {
  SubmissionDetail,
  SubmissionEventItem,
  SubmissionEventPage,
} from '../../../schemas/submissions.ts';
import type { WorkflowContract } from '../../../schemas/workflows.ts';
import { ApiProblem, call } from '../../app/api.ts';
import { encoded } from '../../app/router.ts';
import { type Field, fieldsOf, type Result } from './fields.ts';

/** A submission as of a revision, or now; `tag` is sent with a decision on it. */
export type Read = Readonly<{
  detail: SubmissionDetail;
  fields: readonly Field[];
  /** What two people must decide of it. */
  fourEyes: WorkflowContract['fourEyes'];
  tag: string | null;
}>;

const path = (id: string): string => encoded`/api/v1/submissions/${id}`;

const contracts = new Map<string, WorkflowContract>();

/** What the version says of its fields and decisions, which never changes; null where the company has the workflow no more. */
const contractOf = async ({ slug, version }: SubmissionDetail['workflow'], signal: AbortSignal) => {
  const key = `${slug} ${version}`;
  const known = contracts.get(key);
  if (known) return known;
  try {
    const { body } = await call<WorkflowContract>(`/api/v1/workflows/${slug}/versions/${version}`, {
      signal,
    });
    contracts.set(key, body);
    return body;
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.status === 404) return null;
    throw error;
  }
};

/** Reads a submission with its fields. Throws `ApiProblem`. */
export const readSubmission = async (id: string, at: string | null, signal: AbortSignal): Promise<Read> => {
  const options = { query: { at }, signal };
  const [{ body: detail, tag }, { body: read }] = await Promise.all([
    call<SubmissionDetail>(path(id), options),
    call<Readonly<{ result: Result }>>(`${path(id)}/result`, options),
  ]);
  const contract = await contractOf(detail.workflow, signal);
  const fields = fieldsOf(detail, read.result, contract?.outputSchema ?? null);
  return { detail, fields, fourEyes: contract?.fourEyes ?? [], tag };
};

/** What a submission is, without its fields. Throws `ApiProblem`. */
export const readDetail = async (id: string, signal: AbortSignal): Promise<SubmissionDetail> =>
  (await call<SubmissionDetail>(path(id), { signal })).body;

/** All events of a submission, oldest first. Throws `ApiProblem`. */
export const readEvents = async (
  id: string,
  signal: AbortSignal,
): Promise<readonly SubmissionEventItem[]> => {
  const found: SubmissionEventItem[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: { limit: number; cursor: string } = { limit: 100, cursor };
    const { body }: { body: SubmissionEventPage } = await call(`${path(id)}/events`, { query, signal });
    found.push(...body.data);
    cursor = body.pagination.nextCursor;
  }
  return found;
};

/** Decides, on what was read: a 412 where it has changed since. */
export const decide = async (
  { detail, tag }: Read,
  decision: 'approve' | 'reject' | 'cancel',
  body: object,
): Promise<SubmissionDetail['submissionStatus']> => {
  const { body: answer } = await call<Pick<SubmissionDetail, 'submissionStatus'>>(
    `${path(detail.id)}/${decision}`,
    {
      body,
      ifMatch: tag,
    },
  );
  return answer.submissionStatus;
};

/** Judges a fraud match, on what was read: a 412 where it has changed since. */
export const resolveMatch = ({ detail, tag }: Read, matchId: string, body: object): Promise<unknown> =>
  call(`${path(detail.id)}/fraud-matches/${matchId}/resolve`, { body, ifMatch: tag });

/** Refusals of a decision because others have changed the submission since it was read. */
const STALE = ['precondition-failed', 'submission-not-in-review', 'submission-not-cancellable'];

/** Does `work`; calls `stale` if it is refused because others were there before, and throws what it throws. */
export const orStale = async (work: () => Promise<void>, stale: () => void): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof ApiProblem && STALE.includes(error.problem.code)) stale();
    throw error;
  }
};
