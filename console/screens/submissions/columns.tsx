import type { SubmissionSummary } from '../../../schemas/submissions.ts';
import { hrefOf } from '../../app/router.ts';
import { ConfidenceMark, certaintyOf, FraudMark, StatusMark } from '../../parts/marks.tsx';
import { amountColumn, Named } from '../../parts/named.tsx';
import type { Column } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';

const own = texts.submissions;

/** What a list of submissions shows of each. */
export const columns: readonly Column<SubmissionSummary>[] = [
  {
    text: own.columns.submission,
    share: 7,
    cell: (row) => <Named row={row} href={hrefOf(`/submissions/${row.id}`)} />,
  },
  amountColumn,
  { text: own.columns.workflow, share: 3, cell: ({ workflow }) => workflow.name },
  { text: own.columns.status, share: 2, cell: (row) => <StatusMark status={row.submissionStatus} /> },
  { text: own.columns.fraud, share: 2, cell: ({ fraudStatus: status }) => FraudMark({ status }) },
  {
    text: own.columns.confidence,
    share: 2,
    cell: (row) => <ConfidenceMark certainty={certaintyOf(row.confidence)} />,
  },
  { text: own.columns.created, share: 3, cell: ({ createdAt }) => <When at={createdAt} /> },
];
