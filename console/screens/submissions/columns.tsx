import type { SubmissionSummary } from '../../../schemas/submissions.ts';
import { hrefOf } from '../../app/router.ts';
import { ConfidenceMark, certaintyOf, FraudMark, StatusMark } from '../../parts/marks.tsx';
import type { Column } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';

const own = texts.submissions;

/** What a list of submissions shows of each. */
export const columns: readonly Column<SubmissionSummary>[] = [
  {
    text: own.columns.submission,
    share: 5,
    cell: ({ id, clientSubmissionId }) => (
      <a href={hrefOf(`/submissions/${id}`)}>{clientSubmissionId ?? id}</a>
    ),
  },
  { text: own.columns.workflow, share: 3, cell: ({ workflow }) => workflow.name },
  { text: own.columns.status, share: 2, cell: (row) => <StatusMark status={row.submissionStatus} /> },
  { text: own.columns.fraud, share: 2, cell: ({ fraudStatus }) => <FraudMark status={fraudStatus} /> },
  {
    text: own.columns.confidence,
    share: 2,
    cell: (row) => <ConfidenceMark certainty={certaintyOf(row.confidence)} />,
  },
  { text: own.columns.created, share: 3, cell: ({ createdAt }) => <When at={createdAt} /> },
];
