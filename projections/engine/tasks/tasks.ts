import type { Clock } from '../../../kernel/clock.ts';
import type { Tables } from '../../../stores/documents/port.ts';
import { changeRow } from '../../../stores/documents/rows.ts';

/** How far a task is: `events` of about `total` have been read, `share` of the log from 0 to 1. */
export type TaskProgress = Readonly<{
  step: 'waiting' | 'reading' | 'swapping' | 'dropping';
  events: number;
  total: number;
  share: number;
}>;

/** A rebuilt read model beside the old one: how many documents both have, and how many of a sample differ. */
export type TaskComparison = Readonly<{
  projection: string;
  before: number | null;
  after: number;
  sampled: number;
  differing: number;
}>;

/**
 * What a person asks for: `document` is of a retry alone (null: all that are quarantined), `anew` of a
 * rebuild.
 */
export type WantedTask = Readonly<{
  taskId: string;
  kind: 'rebuild' | 'retry';
  projections: readonly string[];
  document: string | null;
  anew: boolean;
  requestedBy: string;
}>;

/**
 * A rebuild or a retry that a person asked for. `node` does it, or did last; `starts` counts the processes
 * that began or continued it. Times in ISO 8601.
 */
export type Task = WantedTask &
  Readonly<{
    state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
    cancelling: boolean;
    requestedAt: string;
    startedAt: string | null;
    endedAt: string | null;
    node: string | null;
    starts: number;
    progress: TaskProgress | null;
    compared: readonly TaskComparison[];
    retried: Readonly<{ released: number; held: number }> | null;
    error: string | null;
  }>;

export type Tasks = Readonly<ReturnType<typeof createTasks>>;

const TABLE = 'projectionTasks';
/** One row holds all of them: so two requests at once can't both begin a task of one projection. */
const KEY = 'all';
/** How many tasks are kept that have ended. */
const KEPT = 20;

type Row = Readonly<{ tasks: readonly Task[] }>;
type Ports = Readonly<{ tables: Tables; clock: Clock }>;

/** Whether nothing of a task is left to be done. */
export const hasEnded = ({ state }: Task): boolean => state !== 'waiting' && state !== 'running';

/** The rebuilds and retries that people ask for, newest first. Throws `StoreUnavailable`. */
export const createTasks = ({ tables, clock }: Ports) => {
  const list = async (): Promise<readonly Task[]> => (await tables.read<Row>(TABLE, KEY))?.row.tasks ?? [];
  const find = async (taskId: string): Promise<Task | null> => ofId(await list(), taskId);
  /** Changes a task, unless it has ended; `next` gives null to leave it. Gives the task as it is then. */
  const change = async (taskId: string, next: (task: Task) => Task | null): Promise<Task | null> => {
    const row = await changeRow<Row>(tables, TABLE, KEY, (found) => {
      const task = ofId(found?.tasks ?? [], taskId);
      const changed = task && !hasEnded(task) ? next(task) : null;
      return found && changed ? { tasks: found.tasks.map((one) => (one === task ? changed : one)) } : null;
    });
    return ofId(row?.tasks ?? [], taskId);
  };
  return {
    list,
    find,
    change,
    /**
     * Adds a task. One that is there is given as it is; so is one that is to do the same projection, instead.
     */
    request: async (wanted: WantedTask): Promise<Task> => {
      const added = waiting(wanted, clock.now().toISOString());
      const row = await changeRow<Row>(tables, TABLE, KEY, (found) => {
        const tasks = found?.tasks ?? [];
        return inTheWay(tasks, wanted) ? null : { tasks: bounded([added, ...tasks]) };
      });
      const tasks = row?.tasks ?? [];
      return ofId(tasks, wanted.taskId) ?? inTheWay(tasks, wanted) ?? added;
    },
    /** Cancels a task that waits; has one that runs cancelled, unless it ends first. Null: there is none. */
    cancel: (taskId: string): Promise<Task | null> =>
      change(taskId, (task) =>
        task.state === 'waiting'
          ? { ...task, state: 'cancelled', endedAt: clock.now().toISOString() }
          : { ...task, cancelling: true },
      ),
    /** The task that is to be done next: the oldest that has not ended. */
    next: async (): Promise<Task | null> => (await list()).findLast((task) => !hasEnded(task)) ?? null,
  };
};

const ofId = (tasks: readonly Task[], taskId: string): Task | null =>
  tasks.find((task) => task.taskId === taskId) ?? null;

/** The task that is this one, or is still to do one of its projections. */
const inTheWay = (tasks: readonly Task[], { taskId, projections }: WantedTask): Task | null =>
  ofId(tasks, taskId) ??
  tasks.find((task) => !hasEnded(task) && task.projections.some((name) => projections.includes(name))) ??
  null;

const waiting = (wanted: WantedTask, requestedAt: string): Task => ({
  ...wanted,
  ...{ state: 'waiting', cancelling: false, requestedAt, startedAt: null, endedAt: null, node: null },
  ...{ starts: 0, progress: null, compared: [], retried: null, error: null },
});

/** Without the oldest of those that have ended. */
const bounded = (tasks: readonly Task[]): readonly Task[] => {
  const kept = new Set(tasks.filter(hasEnded).slice(0, KEPT));
  return tasks.filter((task) => !hasEnded(task) || kept.has(task));
};
