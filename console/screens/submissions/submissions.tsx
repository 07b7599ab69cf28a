import { useEffect } from 'preact/hooks';
import { usePages } from '../../app/pages.ts';
import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { useWorkflowNames } from '../../app/workflows.ts';
import { ChoiceFilter, TypedFilter } from '../../parts/filters.tsx';
import { Reload } from '../../parts/reload.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts.ts';
import { columns } from './columns.tsx';
import { rememberList } from './list.ts';

/** The filters, each a value of the address by the name that the API has for it. */
const FILTERS = ['status', 'fraudStatus', 'workflow', 'clientSubmissionId', 'batchRef'] as const;
type Filters = Readonly<Record<(typeof FILTERS)[number], string>>;

const own = texts.submissions;

/** The company's submissions, newest first. */
const Submissions = ({ query }: ScreenProps) => {
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])) as Filters;
  const pages = usePages('/api/v1/submissions', { query: filters });
  useEffect(() => {
    rememberList(pages.rows, hrefOf('/submissions', filters));
  }, [pages.rows]);
  const refresh = <Reload text={own.refresh} run={pages.reload} />;
  return (
    <Screen title={own.title} actions={refresh}>
      <FilterBar query={query} />
      <Table label={own.title} columns={columns} pages={pages} keyOf={({ id }) => id} empty={own.empty} />
    </Screen>
  );
};
export default Submissions;

const FilterBar = ({ query }: Readonly<{ query: URLSearchParams }>) => {
  const slugs = useWorkflowNames();
  const { columns: names } = own;
  return (
    <search class="filters">
      <ChoiceFilter label={names.status} name="status" query={query} words={texts.statuses} />
      <ChoiceFilter label={names.fraud} name="fraudStatus" query={query} words={texts.fraudStatuses} />
      <ChoiceFilter label={names.workflow} name="workflow" query={query} words={slugs} />
      <TypedFilter label={own.clientSubmissionId} name="clientSubmissionId" query={query} />
      <TypedFilter label={own.batchRef} name="batchRef" query={query} />
    </search>
  );
};
