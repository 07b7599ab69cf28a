import { useEffect } from 'preact/hooks';
import { useKeys } from '../../app/keys.ts';
import { usePages } from '../../app/pages.ts';
import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { useWorkflowNames } from '../../app/workflows.ts';
import {
  ChoiceFilter,
  type Controls,
  FilterBar,
  filtersIn,
  searchKey,
  TypedFilter,
} from '../../parts/filters.tsx';
import { Reload } from '../../parts/reload.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts.ts';
import { columns } from './columns.tsx';
import { rememberList } from './list.ts';

const own = texts.submissions;
const { columns: names } = own;

const controls: Controls<'/api/v1/submissions'> = {
  q: (filter) => <TypedFilter label={own.search} {...filter} />,
  status: (filter) => <ChoiceFilter label={names.status} words={texts.statuses} {...filter} />,
  fraudStatus: (filter) => <ChoiceFilter label={names.fraud} words={texts.fraudStatuses} {...filter} />,
  workflow: (filter) => <ChoiceFilter label={names.workflow} words={useWorkflowNames()} {...filter} />,
  clientSubmissionId: (filter) => <TypedFilter label={own.clientSubmissionId} {...filter} />,
  batchRef: (filter) => <TypedFilter label={own.batchRef} {...filter} />,
  metadata: null,
  createdAfter: null,
  createdBefore: null,
};

/** The company's submissions, newest first. */
const Submissions = ({ query }: ScreenProps) => {
  const filters = filtersIn(controls, query);
  const pages = usePages('/api/v1/submissions', { query: filters });
  useEffect(() => {
    rememberList(pages, hrefOf('/submissions', filters));
  }, [pages.rows, pages.hasMore]);
  useKeys([searchKey]);
  const refresh = <Reload text={own.refresh} run={pages.reload} />;
  return (
    <Screen title={own.title} actions={refresh}>
      <FilterBar {...{ controls, query }} />
      <Table label={own.title} columns={columns} pages={pages} keyOf={({ id }) => id} empty={own.empty} />
    </Screen>
  );
};
export default Submissions;
