import type { EvaluationReport } from '../../../client/api.ts';
import { encoded, hrefOf } from '../../app/router.ts';
import { Empty } from '../../parts/notice.tsx';
import { number } from '../../parts/quantity.ts';
import { ShortTable } from '../../parts/shortTable.tsx';
import { say, texts } from '../../texts.ts';
import { decimal } from './words.ts';

const own = texts.evaluations;
/** More rows than these are in the CSV alone. */
const MAX_ROWS = 200;

type ChangesProps = Readonly<{ report: EvaluationReport }>;

/** What the two read or approve differently, each with a way to the page on which it stands. */
export const Changes = ({ report: { differences, approvals } }: ChangesProps) => (
  <section>
    <h2>{own.changes}</h2>
    {differences.length + approvals.length === 0 && <Empty>{own.noChanges}</Empty>}
    {approvals.length > 0 && (
      <>
        <h3>{own.approvedByOne}</h3>
        <ShortTable
          label={own.approvedByOne}
          columns={[
            {
              text: texts.submissions.columns.submission,
              cell: ({ submissionId }) => <Submission id={submissionId} />,
            },
            {
              text: own.columns.candidate,
              cell: ({ isApproved }) => (isApproved ? own.nowApproved : own.nowSeen),
            },
          ]}
          rows={approvals.slice(0, MAX_ROWS)}
          keyOf={({ submissionId }) => submissionId}
        />
        <Cut count={approvals.length} />
      </>
    )}
    {differences.length > 0 && (
      <>
        <h3>{own.differences}</h3>
        <ShortTable
          label={own.differences}
          columns={[
            {
              text: texts.submissions.columns.submission,
              cell: ({ submissionId, name }) => <Submission id={submissionId} field={name} />,
            },
            { text: own.field, cell: ({ name }) => name },
            { text: own.then, cell: ({ before }) => verdictOf(before) },
            { text: own.columns.candidate, cell: ({ after }) => verdictOf(after) },
          ]}
          rows={differences.slice(0, MAX_ROWS)}
          keyOf={({ submissionId, name }) => `${submissionId} ${name}`}
        />
        <Cut count={differences.length} />
      </>
    )}
  </section>
);

/** Its screen shows the page, with the field focused. */
const Submission = ({ id, field }: Readonly<{ id: string; field?: string }>) => (
  <a href={hrefOf(encoded`/submissions/${id}`, { field })}>{id}</a>
);

const Cut = ({ count }: Readonly<{ count: number }>) =>
  count > MAX_ROWS && <p>{say(own.isCut, { count: number(MAX_ROWS), all: number(count) })}</p>;

type Judged = EvaluationReport['differences'][number]['after'];

const verdictOf = (judged: Judged): string => {
  if (judged === null) return own.notRead;
  const { verdict, isFound, confidence } = judged;
  const word = own.verdicts[verdict];
  return isFound ? say(own.sure, { verdict: word, confidence: decimal(confidence) }) : word;
};
