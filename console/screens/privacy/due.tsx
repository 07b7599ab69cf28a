import type { CompanyRetention, DueByRetention } from '../../../client/api.ts';
import { api } from '../../app/api.ts';
import { usePages } from '../../app/pages.ts';
import { useResource } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { Mark } from '../../parts/marks.tsx';
import { Reading } from '../../parts/notice.tsx';
import { number } from '../../parts/quantity.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.privacy;
const PATH = '/api/v1/companies/{companyId}/retention/due';

type Row = DueByRetention;

const columns: readonly Column<Row>[] = [
  {
    text: texts.submissions.columns.submission,
    share: 5,
    cell: ({ submissionId, mode }) => (
      <a href={hrefOf(`/submissions/${submissionId}`, { mode })}>{submissionId}</a>
    ),
  },
  { text: own.kind, share: 2, cell: ({ kind }) => own.kinds[kind] },
  { text: own.mode, share: 2, cell: ({ mode }) => mode === 'test' && texts.mode.test },
  { text: texts.submissions.columns.workflow, share: 3, cell: ({ workflow }) => workflow },
  { text: own.ended, share: 3, cell: ({ endedAt }) => <When at={endedAt} /> },
  { text: own.dueSince, share: 3, cell: ({ dueSince }) => <When at={dueSince} /> },
  { text: own.kept, share: 2, cell: ({ isHeld }) => isHeld && <Mark tone="warning">{own.held}</Mark> },
];

type DueProps = Readonly<{ companyId: string; retention: CompanyRetention; version: number }>;

/** What is due by the retention of a company, as it is saved: counted and listed, and nothing is done. */
export const Due = ({ companyId, retention: { isEnforced, perDay }, version }: DueProps) => {
  const path = { companyId };
  const counted = useResource(`${companyId} ${version}`, (signal) =>
    api.get(PATH, { path, query: { limit: 1 }, signal }),
  );
  const pages = usePages(PATH, { path }, version);
  const counts = counted.value?.counts;
  return (
    <section>
      <h2>{own.dueTitle}</h2>
      <Reading resource={counted} lines={1} />
      {counts && (
        <p>
          {say(own.dueCount, { count: counts.due })} {say(own.heldCount, { count: counts.held })}{' '}
          {isEnforced ? say(own.enforced, { count: number(perDay) }) : own.notEnforced}
        </p>
      )}
      <Table
        label={own.dueTitle}
        columns={columns}
        pages={pages}
        keyOf={({ submissionId }) => submissionId}
        empty={own.nothingDue}
      />
    </section>
  );
};
