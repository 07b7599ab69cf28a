import { useState } from 'preact/hooks';
import type { BatchRow } from '../../../schemas/batches.ts';
import { usePages } from '../../app/pages.ts';
import { encoded, hrefOf, navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { ChoiceFilter, type Controls, FilterBar, filtersIn, TimeFilter } from '../../parts/filters.tsx';
import { Form } from '../../parts/form.tsx';
import { TextField } from '../../parts/formField.tsx';
import { Reload } from '../../parts/reload.tsx';
import { SaveList } from '../../parts/saveList.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { BatchMark, BatchProgress, decidedOf } from './progress.tsx';

const own = texts.batches;
const { columns: names } = own;

const controls: Controls<'/api/v1/batches'> = {
  status: (filter) => <ChoiceFilter label={names.status} words={own.statuses} {...filter} />,
  createdAfter: (filter) => <TimeFilter label={texts.filters.after} {...filter} />,
  createdBefore: (filter) => <TimeFilter label={texts.filters.before} {...filter} />,
};

const columns: readonly Column<BatchRow>[] = [
  {
    text: names.batch,
    share: 4,
    cell: ({ batchRef }) =>
      batchRef === null ? own.unknown : <a href={hrefOfBatch(batchRef)}>{batchRef}</a>,
  },
  { text: names.status, share: 2, cell: (row) => <BatchMark status={row.status} /> },
  { text: names.processed, share: 4, cell: (row) => <BatchProgress batch={row} /> },
  { text: names.review, share: 2, cell: ({ counts }) => counts.review },
  { text: names.failed, share: 2, cell: ({ counts }) => counts.failed },
  { text: names.decided, share: 2, cell: decidedOf },
  { text: names.created, share: 3, cell: ({ createdAt }) => <When at={createdAt} /> },
];

const hrefOfBatch = (batchRef: string): string => hrefOf(encoded`/batches/${batchRef}`);

/** The company's batches, newest first, each with how far it is. */
const Batches = ({ query }: ScreenProps) => {
  const filters = filtersIn(controls, query);
  const pages = usePages('/api/v1/batches', { query: filters });
  const actions = (
    <>
      <SaveList path="/api/v1/batches" query={filters} />
      <Reload text={texts.submissions.refresh} run={pages.reload} />
    </>
  );
  return (
    <Screen title={own.title} actions={actions}>
      <FilterBar {...{ controls, query }}>
        <ByName />
      </FilterBar>
      <Table
        label={own.title}
        columns={columns}
        pages={pages}
        keyOf={({ batchRef, createdAt }) => `${batchRef} ${createdAt}`}
        empty={own.empty}
      />
    </Screen>
  );
};
export default Batches;

/** A batch has one name: it leads there. */
const ByName = () => {
  const [text, setText] = useState('');
  const open = (): void => {
    if (text.trim() !== '') navigate(hrefOfBatch(text.trim()));
  };
  return (
    <Form onSubmit={open}>
      <TextField label={own.open} type="search" value={text} onInput={setText} hint={own.openHint} />
    </Form>
  );
};
