import type { Evaluation } from '../../../client/api.ts';
import { usePages } from '../../app/pages.ts';
import { useNames } from '../../app/people.ts';
import { encoded, hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { useWorkflowNames } from '../../app/workflows.ts';
import { Mark } from '../../parts/marks.tsx';
import { number } from '../../parts/quantity.ts';
import { Reload } from '../../parts/reload.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { OneEvaluation } from './evaluation.tsx';
import { candidateOf, progressOf, shadowOf } from './words.ts';

export { RequestDialog } from './request.tsx';

const own = texts.evaluations;

const StatusOf = ({ status }: Pick<Evaluation, 'status'>) => (
  <Mark tone={status === 'completed' ? 'good' : ''}>{own.statuses[status]}</Mark>
);

const doneOf = (evaluation: Evaluation): string => {
  const { done, total } = progressOf(evaluation);
  return say(own.readOf, { done: number(done), total: number(total) });
};

/** The evaluations of the company, newest first; one of them where the path names it. */
const Evaluations = ({ parameters: { id }, query }: ScreenProps) =>
  id === undefined ? <List /> : <OneEvaluation key={id} id={id} wrong={query.get('wrong')} />;
export default Evaluations;

const List = () => {
  const pages = usePages('/api/v1/evaluations', {});
  const names = useWorkflowNames();
  const kind = (actor: string): string => actor.split(':')[0] ?? '';
  const idOf = (actor: string): string => actor.split(':')[1] ?? actor;
  const nameOf = useNames(pages.rows.flatMap(({ actor }) => (kind(actor) === 'user' ? idOf(actor) : [])));
  const columns: readonly Column<Evaluation>[] = [
    {
      text: own.columns.requested,
      share: 4,
      cell: ({ evaluationId, createdAt }) => (
        <a href={hrefOf(encoded`/evaluations/${evaluationId}`)}>
          <When at={createdAt} exact />
        </a>
      ),
    },
    {
      text: texts.submissions.columns.workflow,
      share: 3,
      cell: ({ workflow: { slug } }) => names[slug] ?? slug,
    },
    { text: own.columns.candidate, share: 2, cell: candidateOf },
    { text: texts.submissions.columns.status, share: 2, cell: StatusOf },
    { text: own.columns.read, share: 2, cell: doneOf },
    { text: own.columns.set, share: 3, cell: shadowOf },
    { text: own.columns.by, share: 3, cell: ({ actor }) => nameOf(idOf(actor)) },
  ];
  return (
    <Screen title={own.title} actions={<Reload text={own.reload} run={pages.reload} />}>
      <Table
        label={own.title}
        columns={columns}
        pages={pages}
        keyOf={({ evaluationId }) => evaluationId}
        empty={own.empty}
      />
    </Screen>
  );
};
