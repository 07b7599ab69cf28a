import { join } from 'node:path';
import type { ExportPorts } from '../export.ts';
import { linesOf, PLAN, writeWhole } from './folder.ts';
import type { CollectionFilter, Index, Listed } from './format.ts';

export type PlanPorts = Pick<ExportPorts, 'now'> &
  Readonly<{
    /** The position of the log's last event. */
    head(): Promise<string | null>;
    /** The submissions of the filter, as the read models have them. */
    list(filter: CollectionFilter): AsyncIterable<Listed>;
  }>;

/** A collection is there for another filter. */
export class OtherFilter extends Error {
  override readonly name = 'OtherFilter';
}

/** What a collection is of, and since when: its submissions do not change any more. */
export type Plan = Pick<Index, 'filter' | 'startedAt' | 'head'>;

/** Lists the submissions of a filter into the folder. */
export const writePlan = (
  ports: PlanPorts,
  folder: string,
  filter: CollectionFilter,
  signal: AbortSignal,
): Promise<void> => writeWhole(join(folder, PLAN), planLines(ports, filter, signal));

const planLines = async function* (
  { head, list, now }: PlanPorts,
  filter: CollectionFilter,
  signal: AbortSignal,
) {
  const plan: Plan = { filter, startedAt: now().toISOString(), head: await head() };
  yield `${JSON.stringify(plan)}\n`;
  for await (const { submissionId, status } of list(filter)) {
    signal.throwIfAborted();
    yield `${JSON.stringify({ submissionId, status })}\n`;
  }
};

/** The plan in a folder, and how many submissions it has. Throws `OtherFilter`. */
export const readPlan = async (
  folder: string,
  filter: CollectionFilter,
): Promise<Plan & { count: number }> => {
  let plan: Plan | null = null;
  let count = -1;
  for await (const line of linesOf<Plan>(join(folder, PLAN))) {
    plan ??= line;
    count += 1;
  }
  if (plan && JSON.stringify(plan.filter) === JSON.stringify(filter)) return { ...plan, count };
  throw new OtherFilter(`${folder} is that of an export of another filter: ${JSON.stringify(plan?.filter)}.`);
};

/** The submissions of the plan in a folder. */
export const plannedIn = async function* (folder: string): AsyncGenerator<Listed> {
  let isFirst = true;
  for await (const line of linesOf<Listed>(join(folder, PLAN))) {
    if (!isFirst) yield line;
    isFirst = false;
  }
};
