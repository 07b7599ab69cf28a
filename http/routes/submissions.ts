import type { Mode } from '../../domain/kernel.ts';
import type { submissionQueries } from '../../projections/submissions.ts';
import {
  batchRefFilter,
  clientSubmissionId,
  createdAfter,
  createdBefore,
  cursor,
  fraudStatus,
  limit,
  status,
  submissionId,
  workflow,
} from '../../schemas/parameters.ts';
import { SubmissionDetail, SubmissionPage } from '../../schemas/submission.ts';
import { readCursor } from '../cursor.ts';
import { envelope } from '../paging.ts';
import { entityTag } from '../preconditions.ts';
import { type Route, route } from '../route.ts';
import type { Downloads } from './downloads.ts';
import { submissionDetail, submissionSummary } from './present.ts';
import { visible } from './visible.ts';

type SubmissionPorts = Readonly<{
  submissions: ReturnType<typeof submissionQueries>;
  downloads: Downloads;
  batchIdOf(companyId: string, mode: Mode, batchRef: string): string;
}>;

/** Submissions of the company and mode, whichever of its keys made them (contract, section 4, "Submission review"). */
export const submissionRoutes = ({
  submissions,
  downloads,
  batchIdOf,
}: SubmissionPorts): readonly Route[] => [
  route({
    name: 'listSubmissions',
    summary: "The company's submissions, newest first",
    method: 'GET',
    path: '/api/v1/submissions',
    access: 'company',
    query: {
      workflow,
      status,
      fraudStatus,
      clientSubmissionId,
      batchRef: batchRefFilter,
      createdAfter,
      createdBefore,
      cursor,
      limit,
    },
    answers: { 200: SubmissionPage },
  })({
    run: async ({ caller, query }) => {
      const { cursor: given, limit: most, ...filters } = query;
      const scope = { list: 'submissions', companyId: caller.companyId, mode: caller.mode, ...filters };
      const after = readCursor(given, scope, 2);
      const conditions = {
        companyId: caller.companyId,
        mode: caller.mode,
        ...present('slug', filters.workflow),
        ...present('status', filters.status),
        ...(filters.fraudStatus === null ? {} : { fraudStatus: unlessNull(filters.fraudStatus) }),
        ...present('clientSubmissionId', filters.clientSubmissionId),
        ...present('batchId', filters.batchRef && batchIdOf(caller.companyId, caller.mode, filters.batchRef)),
        ...present('createdAfter', filters.createdAfter),
        ...present('createdBefore', filters.createdBefore),
      };
      const { items, next } = await submissions.list(conditions, most, after);
      return { status: 200, body: envelope(items.map(submissionSummary), next, scope) };
    },
  }),
  route({
    name: 'getSubmission',
    summary: 'A submission with its files, fraud matches and history',
    method: 'GET',
    path: '/api/v1/submissions/{submissionId}',
    access: 'company',
    parameters: { submissionId },
    answers: { 200: SubmissionDetail },
    headers: ['ETag'],
  })({
    find: async ({ caller, parameters }) => {
      const found = await submissions.find(parameters.submissionId);
      return found && visible(found.submission.routing, caller) ? found : null;
    },
    run: async ({ found }) => ({
      status: 200,
      headers: entityTag(found.revision),
      body: submissionDetail(found, await downloads(found.submission)),
    }),
  }),
];

const present = <K extends string>(name: K, value: string | null): { readonly [N in K]?: string } =>
  value === null ? {} : ({ [name]: value } as { readonly [N in K]?: string });

/** The query says `null` for a submission that has no fraud status (contract, section 4). */
const unlessNull = (value: string): string | null => (value === 'null' ? null : value);
