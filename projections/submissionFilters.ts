import type { submissionFilters } from '../schemas/listFilters.ts';
import { type Conditions, conditionsOn, type FilterPaths } from './engine/listFilters.ts';
import type { SubmissionDocument } from './submissions.ts';

/** Whose a submission is. */
export const scopePaths = {
  companyId: 'submission.routing.companyId',
  mode: 'submission.routing.mode',
} as const;

/** Where a submission's document has what lists are restricted by. */
export const filterPaths = {
  slug: 'submission.routing.workflow.slug',
  status: 'submission.status',
  fraudStatus: 'submission.fraudStatus',
  clientSubmissionId: 'submission.clientSubmissionId',
  batchId: 'submission.routing.batchId',
} as const satisfies FilterPaths<
  SubmissionDocument,
  typeof submissionFilters,
  { workflow: 'slug'; batchRef: 'batchId'; q: never; metadata: never }
>;

const paths = { ...scopePaths, ...filterPaths };

/** Conditions of a list. `fraudStatus: null` means never checked. */
export type SubmissionFilters = Conditions<typeof paths> & Readonly<Record<keyof typeof scopePaths, string>>;

/** The same conditions on the documents. */
export const whereOf = conditionsOn(paths);
