import { useEffect, useRef } from 'preact/hooks';
import type { Task } from '../../../schemas/operations.ts';
import { announce } from '../../app/announce.tsx';
import { usePolled } from '../../app/polled.ts';
import { Screen } from '../../parts/screen.tsx';
import { say, texts } from '../../texts.ts';
import { FailingReceivers } from './failingReceivers.tsx';
import { LastHour } from './lastHour.tsx';
import { Leases, Nodes, Outages, Parts, Queues } from './processes.tsx';
import { OFTEN_MS, PATH, SOON_MS, useServiceLists } from './read.ts';
import { ReadModels } from './readModels.tsx';
import { Parked, Quarantined, Reactions } from './setAside.tsx';
import { TaskList } from './tasks.tsx';
import { Verdict } from './verdict.tsx';

const own = texts.operations;

/** How the service runs, for its operators: what is asked for by a button is followed to its end. */
const Operations = () => {
  const isWatched = useRef(false);
  const found = usePolled(`${PATH}/tasks`, isWatched.current ? SOON_MS : OFTEN_MS, {});
  const tasks = found.value?.data ?? [];
  isWatched.current = tasks.some(isUnderWay);
  useEnds(tasks);
  const lists = useServiceLists();
  return (
    <Screen title={own.title}>
      <div class="stack">
        <Verdict lists={lists} />
        <LastHour />
        <Parts parts={lists.parts} />
        <Queues queues={lists.queues} />
        <FailingReceivers />
        <Quarantined
          documents={lists.quarantined}
          ended={tasks.filter((task) => !isUnderWay(task)).length}
          onAsked={found.reload}
        />
        <Reactions reactions={lists.reactions} />
        <Parked
          events={lists.parked}
          models={lists.projections}
          tasks={tasks.filter(isUnderWay)}
          onAsked={found.reload}
        />
        <ReadModels models={lists.projections} tasks={tasks.filter(isUnderWay)} onAsked={found.reload} />
        <TaskList tasks={found} />
        <Nodes nodes={lists.nodes} />
        <Leases />
        <Outages />
      </div>
    </Screen>
  );
};
export default Operations;

const isUnderWay = ({ endedAt }: Task): boolean => endedAt === null;

/** Says of each task that was under way how it ended. */
const useEnds = (tasks: readonly Task[]): void => {
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    for (const { taskId, kind, state } of tasks.filter((task) => !isUnderWay(task)))
      if (before.current.includes(taskId))
        announce(say(own.tasks.ended, { kind: own.tasks.kinds[kind], state: own.tasks.states[state] }));
    before.current = tasks.filter(isUnderWay).map(({ taskId }) => taskId);
  }, [tasks]);
};
