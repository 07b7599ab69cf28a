import type { Fault } from '../../../kernel/fault.ts';
import { pick } from '../../../kernel/pick.ts';
import { publicReason } from '../../../kernel/scrub.ts';
import type { ProjectionStatus } from '../../../projections/engine/status.ts';
import { hasEnded, type Task, type Tasks, type WantedTask } from '../../../projections/engine/tasks/tasks.ts';
import { projection, taskId } from '../../../schemas/operationParameters.ts';
import {
  type ReadModelStatus,
  ReadModelStatuses,
  StartRebuild,
  StartRetry,
  Task as TaskSchema,
  Tasks as TasksSchema,
} from '../../../schemas/operations.ts';
import { NoMembers } from '../../../schemas/sessions.ts';
import { Problem } from '../../engine/problems/problem.ts';
import { wholeList } from '../../engine/request/paging.ts';
import { type Route, route } from '../../engine/route.ts';

/** `names`: the read models of this release. */
export type ProjectionPorts = Readonly<{
  names: readonly string[];
  status(): Promise<readonly ProjectionStatus[]>;
  tasks: Tasks;
  isQuarantined(projection: string, document: string): Promise<boolean>;
}>;

/** The read models, and the rebuilds and retries that people ask for (operations-16, operations-17). */
export const projectionRoutes = ({
  names,
  status,
  tasks,
  isQuarantined,
}: ProjectionPorts): readonly Route[] => {
  const requested = async (wanted: WantedTask) => {
    const task = await tasks.request(wanted);
    if (task.taskId === wanted.taskId) return { status: 202, body: taskOf(task) } as const;
    throw new Problem('task-under-way', `The task ${task.taskId} is to do that first, or instead.`);
  };
  return [
    route({
      name: 'listReadModels',
      summary: 'List the read models: position, lag, rate, version',
      description: 'The first call takes a second, since rates are measured.',
      method: 'GET',
      path: '/api/v1/operations/projections',
      access: 'operations.manage',
      answers: { 200: ReadModelStatuses },
    })({ run: async () => ({ status: 200, body: wholeList((await status()).map(readModelOf)) }) }),
    route({
      name: 'startRebuild',
      summary: 'Have read models rebuilt from the log, beside those that serve',
      description:
        'A process with the role `projections` does it, one rebuild at a time; the answer is the task to watch. GETs are answered throughout.',
      method: 'POST',
      path: '/api/v1/operations/projections/rebuild',
      access: 'operations.manage',
      body: StartRebuild,
      answers: { 202: TaskSchema },
      refusals: ['task-under-way'],
    })({
      check: ({ body }) => unknownNames(names, body.projections ?? []),
      run: ({ caller, body, reserved }) =>
        requested({
          taskId: `tsk_${reserved.ulid}`,
          kind: 'rebuild',
          projections: body.projections,
          document: null,
          anew: body.anew ?? false,
          requestedBy: caller.userId,
        }),
    }),
    route({
      name: 'retryQuarantined',
      summary: 'Have quarantined documents of a read model folded again, after a fix',
      description: 'Starts a task, whose progress is at `GET /operations/tasks/{taskId}`.',
      method: 'POST',
      path: '/api/v1/operations/projections/{projection}/retry',
      access: 'operations.manage',
      parameters: { projection },
      body: StartRetry,
      answers: { 202: TaskSchema },
      refusals: ['task-under-way'],
    })({
      find: async ({ parameters }) => names.find((name) => name === parameters.projection) ?? null,
      check: async ({ found, body: { document } }) =>
        document && !(await isQuarantined(found, document))
          ? [{ pointer: '/document', detail: 'is not quarantined' }]
          : [],
      run: ({ caller, found, body, reserved }) =>
        requested({
          taskId: `tsk_${reserved.ulid}`,
          kind: 'retry',
          projections: [found],
          document: body.document ?? null,
          anew: false,
          requestedBy: caller.userId,
        }),
    }),
    route({
      name: 'listTasks',
      summary: 'List the rebuilds and retries that were asked for, newest first',
      description:
        'Of those that have ended the last 20 are kept. Rebuilds by the command line are not among them.',
      method: 'GET',
      path: '/api/v1/operations/tasks',
      access: 'operations.manage',
      answers: { 200: TasksSchema },
    })({ run: async () => ({ status: 200, body: wholeList((await tasks.list()).map(taskOf)) }) }),
    route({
      name: 'getTask',
      summary: 'Get a rebuild or a retry with its progress',
      description: 'With what it came to, once it has ended.',
      method: 'GET',
      path: '/api/v1/operations/tasks/{taskId}',
      access: 'operations.manage',
      parameters: { taskId },
      answers: { 200: TaskSchema },
    })({
      find: ({ parameters }) => tasks.find(parameters.taskId),
      run: async ({ found }) => ({ status: 200, body: taskOf(found) }),
    }),
    route({
      name: 'cancelTask',
      summary: 'Cancel a rebuild or a retry; what serves stays as it is',
      description:
        'One that runs ends within some seconds, unless it ends by itself first. A later rebuild goes on where this one was cancelled.',
      method: 'POST',
      path: '/api/v1/operations/tasks/{taskId}/cancel',
      access: 'operations.manage',
      parameters: { taskId },
      body: NoMembers,
      answers: { 200: TaskSchema },
      refusals: ['task-ended'],
    })({
      find: ({ parameters }) => tasks.find(parameters.taskId),
      run: async ({ found }) => {
        const task = (await tasks.cancel(found.taskId)) ?? found;
        if (hasEnded(task) && task.state !== 'cancelled') throw new Problem('task-ended');
        return { status: 200, body: taskOf(task) };
      },
    }),
  ];
};

const readModelOf = ({ quarantined, ...status }: ProjectionStatus): ReadModelStatus => ({
  ...pick(status, 'name', 'state', 'version', 'serves', 'position', 'lag', 'rate', 'rebuilding'),
  quarantined: quarantined.count,
});

const taskOf = ({ starts: _, error, ...task }: Task) => ({ ...task, error: error && publicReason(error) });

const unknownNames = (names: readonly string[], given: readonly string[]): readonly Fault[] =>
  given.flatMap((name, n) =>
    names.includes(name)
      ? []
      : [{ pointer: `/projections/${n}`, detail: `must be one of ${names.join(', ')}` }],
  );
