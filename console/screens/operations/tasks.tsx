import type { Task } from '../../../schemas/operations.ts';
import { api } from '../../app/api.ts';
import { useNames } from '../../app/people.ts';
import { type Action, type Resource, useAction } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { Mark } from '../../parts/marks.tsx';
import { number } from '../../parts/quantity.ts';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { type List, PATH } from './read.ts';
import { ListSection } from './section.tsx';

const own = texts.operations.tasks;
const { columns } = own;

const TONES = { waiting: '', running: 'warning', done: 'good', failed: 'bad', cancelled: '' } as const;

/** How far a task is. */
export const TaskProgress = ({ task: { progress, state, cancelling } }: Readonly<{ task: Task }>) => {
  if (cancelling) return <>{own.cancelling}</>;
  if (progress === null) return <>{own.states[state]}</>;
  const { step, share, events, total } = progress;
  return (
    <>
      <progress max={1} value={step === 'waiting' ? 0 : share} aria-label={own.progress} />{' '}
      <small>
        {step === 'reading'
          ? say(own.read, { events: number(events), total: number(total) })
          : own.steps[step]}
      </small>
    </>
  );
};

/** The rebuilds and retries that people have asked for, newest first. */
export const TaskList = ({ tasks }: Readonly<{ tasks: Resource<List<Task>> }>) => {
  const names = useNames(tasks.value?.data.map(({ requestedBy }) => requestedBy) ?? []);
  const action = useAction();
  const cancel = async ({ taskId }: Task): Promise<void> => {
    await api.post(`${PATH}/tasks/{taskId}/cancel`, { path: { taskId } });
    tasks.reload();
  };
  return (
    <ListSection
      title={own.title}
      resource={tasks}
      action={action}
      empty={own.empty}
      keyOf={({ taskId }) => taskId}
      names={columns}
      cells={{
        kind: (task) => say(own.of, { kind: own.kinds[task.kind], what: whatOf(task) }),
        state: (task) => <State task={task} />,
        by: ({ requestedBy }) => names(requestedBy),
        at: ({ requestedAt }) => <When at={requestedAt} />,
        action: (task) => <CancelButton {...{ task, action }} work={() => cancel(task)} />,
      }}
    />
  );
};

type CancelProps = Readonly<{ task: Task; action: Action; work(): Promise<void> }>;

const CancelButton = ({ task, action, work }: CancelProps) =>
  task.endedAt === null ? (
    <Button disabled={task.cancelling || action.isRunning} onClick={() => void action.start(work)}>
      {own.cancel}
    </Button>
  ) : null;

const whatOf = ({ projections, document }: Task): string =>
  document ??
  (projections.length > 3 ? say(own.many, { count: projections.length }) : projections.join(', '));

const State = ({ task }: Readonly<{ task: Task }>) => {
  const { state, error, retried, compared } = task;
  const differing = compared.reduce((sum, one) => sum + one.differing, 0);
  return (
    <>
      <Mark tone={TONES[state]}>{own.states[state]}</Mark>{' '}
      {state === 'running' && <TaskProgress task={task} />}
      {error && <small>{error}</small>}
      {retried && <small>{say(own.retried, { released: retried.released, held: retried.held })}</small>}
      {compared.length > 0 && (
        <small>{differing === 0 ? own.same : say(own.differ, { count: differing })}</small>
      )}
    </>
  );
};
