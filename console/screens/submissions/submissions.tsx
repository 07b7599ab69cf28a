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
import { SaveList } from '../../parts/saveList.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useSelection } from '../../parts/selection.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts.ts';
import { columns } from './columns.tsx';
import { rememberList } from './list.ts';
import { SelectionBar } from './selectionBar.tsx';

const own = texts.submissions;
const { columns: names } = own;

const controls: Controls<'/api/v1/submissions'> = {
  q: (filter) => <TypedFilter label={own.search} hint={own.searchHint} {...filter} />,
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
const Submissions = ({ query, me }: ScreenProps) => {
  const filters = filtersIn(controls, query);
  const pages = usePages('/api/v1/submissions', { query: filters });
  useEffect(() => {
    rememberList(pages, hrefOf('/submissions', filters));
  }, [pages.rows, pages.hasMore]);
  useKeys([searchKey]);
  const selection = useSelection(pages);
  const mayDecide = me.permissions.includes('submissions.decide');
  const actions = (
    <>
      <SaveList path="/api/v1/submissions" query={filters} />
      <Reload text={own.refresh} run={pages.reload} />
    </>
  );
  return (
    <Screen title={own.title} actions={actions}>
      <FilterBar {...{ controls, query }} />
      <Table
        label={own.title}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={own.empty}
        selection={mayDecide ? selection : undefined}
      />
      {mayDecide && <SelectionBar selection={selection} reload={pages.reload} />}
    </Screen>
  );
};
export default Submissions;
