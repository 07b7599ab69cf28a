import { useEffect } from 'preact/hooks';
import type { Batch as BatchState } from '../../../schemas/batches.ts';
import { usePages } from '../../app/pages.ts';
import { useRead } from '../../app/resource.ts';
import { encoded, hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { ChoiceFilter } from '../../parts/filters.tsx';
import { Reading } from '../../parts/notice.tsx';
import { Reload } from '../../parts/reload.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { columns } from '../submissions/columns.tsx';
import { rememberList } from '../submissions/list.ts';
import { BatchMark, BatchProgress, decidedOf } from './progress.tsx';

const own = texts.batches;

/** A batch: how far it is, and its submissions. */
const Batch = ({ parameters: { id = '' }, query }: ScreenProps) => {
  const batch = useRead('/api/v1/batches/{batchRef}', { path: { batchRef: id } });
  const status = query.get('status');
  const pages = usePages('/api/v1/submissions', { query: { batchRef: id, status } });
  useEffect(() => {
    rememberList(pages, hrefOf(encoded`/batches/${id}`, { status }));
  }, [pages.rows, pages.hasMore]);
  const reload = (): void => {
    batch.reload();
    pages.reload();
  };
  const { value } = batch;
  const refresh = <Reload run={reload} />;
  return (
    <Screen title={say(own.of, { name: id })} actions={refresh}>
      <Reading resource={batch} />
      {value && (
        <>
          <Counts batch={value} />
          <search class="filters">
            <ChoiceFilter
              label={texts.submissions.columns.status}
              name="status"
              query={query}
              words={texts.statuses}
            />
          </search>
          <Table
            label={texts.submissions.title}
            columns={columns}
            pages={pages}
            keyOf={(row) => row.id}
            empty={texts.submissions.empty}
          />
        </>
      )}
    </Screen>
  );
};
export default Batch;

const Counts = ({ batch }: Readonly<{ batch: BatchState }>) => {
  const { counts, status, createdAt, completedAt } = batch;
  return (
    <p class="summary">
      <BatchMark status={status} /> <BatchProgress batch={batch} /> ·{' '}
      {say(own.outcomes, { review: counts.review, failed: counts.failed, decided: decidedOf(batch) })} ·{' '}
      {own.columns.created} <When at={createdAt} />
      {completedAt !== null && (
        <>
          {' '}
          · {own.completed} <When at={completedAt} />
        </>
      )}
    </p>
  );
};
