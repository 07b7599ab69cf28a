import { pick } from '../../../kernel/pick.ts';
import type { Report } from '../../../kernel/report.ts';
import { linkTo, pause } from '../../../kernel/signals.ts';
import type { FoldPorts } from '../foldLog.ts';
import type { Projection } from '../projection.ts';
import type { Comparison } from '../rebuild/compare.ts';
import { runRebuild, runRetry } from '../rebuild/leased.ts';
import { GRACE_MS, PAGE, reporting } from '../rebuild/outdated.ts';
import type { RebuildEvent } from '../rebuild/rebuild.ts';
import type { Task, TaskComparison, Tasks } from './tasks.ts';

export type PerformPorts = FoldPorts &
  Readonly<{
    tasks: Tasks;
    projections: readonly Projection[];
    owner: string;
    report: Report;
    /** How long old collections stay after a swap, in milliseconds (5 s, unless given). */
    graceMs?: number;
  }>;

/** What is known of a task while it is done. */
type Found = Pick<Task, 'progress' | 'compared' | 'retried'>;

/** The members that a task gets when it ends; null when it is to be continued, here or elsewhere. */
export type End = Partial<Task> | null;

/** How often the progress is written down, and whether the task was cancelled is looked at. */
const WATCH_MS = 1_000;
/** Why the work of a task was aborted. */
const CANCELLED = new Error('the task was cancelled');

/**
 * Does a task until it is done, somebody cancels it, or the signal is aborted; writes down each second how
 * far it is. Throws what a rebuild throws, and `StoreUnavailable`.
 */
export const performTask = async (ports: PerformPorts, task: Task, signal: AbortSignal): Promise<End> => {
  let found: Found = pick(task, 'progress', 'compared', 'retried');
  const work = linkTo(signal);
  const ended = new AbortController();
  const watching = cancelled(ports.tasks, task, () => found, ended.signal).then(
    (isCancelled) => (isCancelled ? work.abort(CANCELLED) : undefined),
    (error: unknown) => work.abort(error),
  );
  const learn = (next: (found: Found) => Found): void => {
    found = next(found);
  };
  try {
    if (await DO[task.kind](ports, task, learn, work.signal)) return { ...found, state: 'done' };
  } finally {
    ended.abort();
    await watching;
    work.unlink();
  }
  if (signal.aborted) return null;
  if (work.signal.reason !== CANCELLED) throw work.signal.reason;
  return { ...found, state: 'cancelled' };
};

/** Resolves with true when the task is to be cancelled, with false when the signal is aborted first. */
const cancelled = async (
  tasks: Tasks,
  { taskId }: Task,
  found: () => Found,
  signal: AbortSignal,
): Promise<boolean> => {
  for (let written = found(); ; ) {
    await pause(WATCH_MS, signal);
    if (signal.aborted) return false;
    const current = found();
    const { progress, compared } = current;
    const task = await tasks.change(taskId, (one) =>
      current === written ? null : { ...one, progress, compared },
    );
    written = current;
    if (task?.cancelling) return true;
  }
};

/** Does the work of a task; gives false when the signal has cut it short. */
type Work = (
  ports: PerformPorts,
  task: Task,
  learn: (next: (found: Found) => Found) => void,
  signal: AbortSignal,
) => Promise<boolean>;

const leasedBy = ({ log, documents, owner }: PerformPorts, signal: AbortSignal) => ({
  ...{ log, documents, owner, signal, page: PAGE },
  // For as long as another process rebuilds: this one can be cancelled.
  patienceMs: Number.POSITIVE_INFINITY,
});

const rebuildThem: Work = (ports, task, learn, signal) => {
  const log = reporting(ports.report);
  const onEvent = (event: RebuildEvent): void => {
    log(event);
    learn((found) => after(found, event));
  };
  // One that was begun is continued: else it would start again with each process that dies.
  const anew = task.anew && task.progress === null;
  const { graceMs = GRACE_MS } = ports;
  return runRebuild({ ...leasedBy(ports, signal), onEvent, graceMs, anew }, chosenOf(ports, task));
};

const retryThem: Work = async (ports, task, learn, signal) => {
  let [released, held] = [0, 0];
  for (const projection of chosenOf(ports, task)) {
    const retried = await runRetry(leasedBy(ports, signal), projection, task.document);
    if (retried === null) return false;
    released += retried.released;
    held += retried.held.length;
  }
  learn((found) => ({ ...found, retried: { released, held } }));
  return true;
};

const DO: Readonly<Record<Task['kind'], Work>> = { rebuild: rebuildThem, retry: retryThem };

/** The projections of a task. Throws when this release lacks one, which another release was asked for. */
const chosenOf = ({ projections }: PerformPorts, task: Task): readonly Projection[] =>
  task.projections.map((name) => {
    const found = projections.find((one) => one.name === name);
    if (!found) throw new Error(`the release of the process has no read model ${name}`);
    return found;
  });

const START = { events: 0, total: 0, share: 0 } as const;

/** What is known after one more step of a rebuild. */
const after = (found: Found, event: RebuildEvent): Found => {
  switch (event.event) {
    case 'waiting':
      return { ...found, progress: { ...START, ...found.progress, step: 'waiting' } };
    case 'begun':
      return { ...found, progress: { ...START, events: event.events, step: 'reading' } };
    case 'progress': {
      const { events, total, share } = event;
      return { ...found, progress: { events, total, share, step: 'reading' } };
    }
    case 'holding':
      return { ...found, progress: { ...START, ...found.progress, step: 'swapping' } };
    case 'serves':
      return { ...found, progress: { ...START, ...found.progress, step: 'dropping' } };
    case 'compared':
      return { ...found, compared: [...found.compared, comparisonOf(event)] };
    case 'quarantined':
    case 'dropped':
      return found;
  }
};

const comparisonOf = ({ projection, documents, sampled, differences }: Comparison): TaskComparison => ({
  ...{ projection, ...documents, sampled, differing: differences.length },
});
