import type { SubmissionSummary } from '../../../schemas/submissions.ts';
import { usePages } from '../../app/pages.ts';
import { useRead } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { Mark, StatusMark } from '../../parts/marks.tsx';
import { Named } from '../../parts/named.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { ExportPerson } from './exportPerson.tsx';
import { RedactPerson } from './redactPerson.tsx';
import { namesIn, type Subject } from './subject.ts';

const own = texts.privacy;
const { columns: names } = texts.submissions;

/** Whether it is being redacted, and whether a legal hold keeps it: its row says neither. */
const Kept = ({ id }: Readonly<{ id: string }>) => {
  const { value } = useRead('/api/v1/submissions/{submissionId}', { path: { submissionId: id } });
  if (!value) return null;
  return (
    <>
      {value.redaction && <Mark>{own.states[value.redaction]}</Mark>}
      {value.legalHold && <Mark tone="warning">{own.held}</Mark>}
    </>
  );
};

const columns: readonly Column<SubmissionSummary>[] = [
  {
    text: names.submission,
    share: 5,
    cell: (row) => <Named row={row} href={hrefOf(`/submissions/${row.id}`)} />,
  },
  { text: names.workflow, share: 3, cell: ({ workflow }) => workflow.name },
  { text: names.status, share: 2, cell: (row) => <StatusMark status={row.submissionStatus} /> },
  { text: own.kept, share: 3, cell: ({ id }) => <Kept id={id} /> },
  { text: names.created, share: 3, cell: ({ createdAt }) => <When at={createdAt} /> },
];

/** The submissions of a person, with what can be done to all of them. */
export const PersonSubmissions = ({ subject }: Readonly<{ subject: Subject }>) => {
  const pages = usePages('/api/v1/submissions', { query: namesIn(subject) });
  return (
    <section>
      <h2>{own.found}</h2>
      <Table label={own.found} columns={columns} pages={pages} keyOf={({ id }) => id} empty={own.none} />
      {pages.rows.length > 0 && (
        <>
          <ExportPerson subject={subject} />
          <RedactPerson subject={subject} />
        </>
      )}
    </section>
  );
};
