import { closed, nullable, type Of, oneOf, record, share, Type } from '../kernel/schema.ts';
import type { Processing, WorkflowVersion } from './workflow.ts';

/** What a company has set of a workflow for itself (workflows-20), as its event carries it. */
export const WorkflowSettings = closed({
  labels: record(Type.String(), 'what the company’s people see a field called, by its name', {
    total: 'Amount due',
  }),
  reviewBelow: nullable(share('the confidence below which a person must look; null: that of the version')),
  fieldsBelow: record(
    share('of a field, in place of that of the whole'),
    'the same of fields, by their names',
    {
      total: 0.95,
    },
  ),
  review: nullable(oneOf(['auto', 'always'])),
});
export type WorkflowSettings = Of<typeof WorkflowSettings>;

/** Those of a company that has set none: all is as the version says. */
export const noWorkflowSettings: WorkflowSettings = {
  labels: {},
  reviewBelow: null,
  fieldsBelow: {},
  review: null,
};

/** What a company has set of a workflow, of all that it has set by slug. */
export const settingsOf = (
  all: Readonly<Record<string, WorkflowSettings>> | undefined,
  slug: string,
): WorkflowSettings => (all && Object.hasOwn(all, slug) ? all[slug] : undefined) ?? noWorkflowSettings;

/** Whether two say the same. */
export const isSameWorkflowSettings = (one: WorkflowSettings, other: WorkflowSettings): boolean =>
  membersOf(one) === membersOf(other);

const membersOf = ({ labels, fieldsBelow, reviewBelow, review }: WorkflowSettings): string =>
  JSON.stringify([reviewBelow, review, Object.entries(labels).sort(), Object.entries(fieldsBelow).sort()]);

/** Who must look at what was read: by a version, or as a company has it. */
export type Reviewing = Pick<Processing, 'review' | 'reviewBelow'> &
  Readonly<{ fieldsBelow?: Readonly<Record<string, number>> }>;

/** A version as it is processed for a company (workflows-20). Its labels find values: they stay. */
export const withSettings = <V extends Pick<WorkflowVersion, 'processing'>>(
  version: V,
  { reviewBelow, review, fieldsBelow }: WorkflowSettings,
): V & Readonly<{ processing: Reviewing }> => {
  const { processing } = version;
  return {
    ...version,
    processing: {
      ...processing,
      reviewBelow: reviewBelow ?? processing.reviewBelow,
      review: review ?? processing.review,
      fieldsBelow,
    },
  };
};
