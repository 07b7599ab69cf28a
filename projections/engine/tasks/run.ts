import type { Clock } from '../../../kernel/clock.ts';
import { LeaseLost, StoreUnavailable } from '../../../kernel/errors.ts';
import { pause } from '../../../kernel/signals.ts';
import { type End, type PerformPorts, performTask } from './perform.ts';
import { hasEnded, type Task } from './tasks.ts';

/** The lease of the one process that does tasks. */
export const TASKS_LEASE = 'tasks';

const POLL_MS = 1_000;
/** A task that more processes than this have begun may be what ends them. */
const MAX_STARTS = 10;

type Ports = PerformPorts & Readonly<{ clock: Clock }>;

/**
 * Does the rebuilds and retries that people ask for, one after the other and oldest first, until the signal
 * is aborted. What another process has begun is continued. To be run under `TASKS_LEASE`. Throws `LeaseLost`
 * and `StoreUnavailable`; then the task goes on with the next run.
 */
export const runTasks = async (ports: Ports, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const task = await ports.tasks.next();
    if (task === null) await pause(POLL_MS, signal);
    else await runTask(ports, task.taskId, signal);
  }
};

const runTask = async (ports: Ports, taskId: string, signal: AbortSignal): Promise<void> => {
  const { tasks, clock, owner, report } = ports;
  const now = (): string => clock.now().toISOString();
  const started = await tasks.change(taskId, (task) => begun(task, owner, now()));
  if (started === null || hasEnded(started)) return;
  const end = await endOf(ports, started, signal);
  if (end === null) return;
  await tasks.change(taskId, (task) => ({ ...task, ...end, endedAt: now() }));
  report.info('a rebuild or a retry that was asked for has ended', { taskId, state: end.state });
};

/** A task as this process begins it, or ends it at once. */
const begun = (task: Task, node: string, at: string): Task => {
  if (task.cancelling) return { ...task, state: 'cancelled', endedAt: at };
  // In one process it is begun again after each outage.
  const starts = task.node === node ? task.starts : task.starts + 1;
  if (starts <= MAX_STARTS)
    return { ...task, state: 'running', node, starts, startedAt: task.startedAt ?? at };
  return {
    ...task,
    state: 'failed',
    endedAt: at,
    error: `${MAX_STARTS} processes have begun it, and none ended it`,
  };
};

const endOf = async (ports: Ports, task: Task, signal: AbortSignal): Promise<End> => {
  try {
    return await performTask(ports, task, signal);
  } catch (error) {
    if (error instanceof StoreUnavailable || error instanceof LeaseLost) throw error;
    const { taskId, kind } = task;
    ports.report.error('a rebuild or a retry that was asked for failed', { taskId, kind, err: error });
    return { state: 'failed', error: String(error) };
  }
};
