import type { submissionFilters } from '../schemas/listFilters.ts';
import type { Where } from '../stores/documents/port.ts';

/** The filters of the API that are told apart by time, or by another name here. */
type Renamed = 'workflow' | 'batchRef' | 'createdAfter' | 'createdBefore';

/** Where a submission's document has what lists are restricted by. */
export const filterPaths = {
  slug: 'submission.routing.workflow.slug',
  status: 'submission.status',
  fraudStatus: 'submission.fraudStatus',
  clientSubmissionId: 'submission.clientSubmissionId',
  batchId: 'submission.routing.batchId',
} as const satisfies Record<Exclude<keyof typeof submissionFilters, Renamed> | 'slug' | 'batchId', string>;

/** Conditions of a list; all members given must hold. `fraudStatus: null` means never checked. */
export type SubmissionFilters = Readonly<{
  companyId: string;
  mode: string;
  slug?: string;
  status?: string;
  fraudStatus?: string | null;
  clientSubmissionId?: string;
  batchId?: string;
  /** ISO 8601; from this time on. */
  createdAfter?: string;
  /** ISO 8601; before this time. */
  createdBefore?: string;
}>;

/** The same conditions on the documents. */
export const whereOf = (conditions: SubmissionFilters): Where => {
  const where: Record<string, Where[string]> = {
    'submission.routing.companyId': conditions.companyId,
    'submission.routing.mode': conditions.mode,
  };
  for (const [name, path] of Object.entries(filterPaths)) {
    const value = conditions[name as keyof typeof filterPaths];
    if (value !== undefined) where[path] = value;
  }
  const { createdAfter: from, createdBefore: before } = conditions;
  if (from !== undefined || before !== undefined)
    where.createdAt = {
      ...(from === undefined ? {} : { from }),
      ...(before === undefined ? {} : { before }),
    };
  return where;
};
