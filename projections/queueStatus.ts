import type { Leases, ReadModels } from '../stores/documents/port.ts';
import { queues } from './all.ts';
import { secondsSince } from './engine/lag.ts';
import { earliestDue } from './engine/projection.ts';

/** A queue: its items, those that are due, also what is under way, and the oldest of these. */
export type QueueStatus = Readonly<{
  items: number;
  due: number;
  oldestDueAt: string | null;
  oldestDueSeconds: number;
}>;

/** Nothing is counted without a limit: what is more than that needs a person either way. */
const MAX_ITEMS = 10_000;
const MAX_WORK = 1_000;

/** How many items each queue has, by its name in metrics, counted up to 10,000. Throws `StoreUnavailable`. */
export const queueItems = async (models: ReadModels): Promise<Readonly<Record<string, number>>> => {
  const counted = Object.entries(queues).map(
    async ([queue, { name }]) => [queue, await models.count(name, {}, MAX_ITEMS)] as const,
  );
  return Object.fromEntries(await Promise.all(counted));
};

/** Every queue by its name in metrics. Items are counted up to 10,000. Throws `StoreUnavailable`. */
export const queueStatus = async (
  models: ReadModels,
  now: Date,
): Promise<Readonly<Record<string, QueueStatus>>> => {
  const where = { dueAt: { before: new Date(now.getTime() + 1).toISOString() } };
  const found: Record<string, QueueStatus> = {};
  for (const [queue, { name }] of Object.entries(queues)) {
    const page = { where, sort: earliestDue.sort, limit: 1, after: null };
    const [oldest] = (await models.page<{ dueAt: string }>(name, page)).items;
    found[queue] = {
      items: await models.count(name, {}, MAX_ITEMS),
      due: await models.count(name, where, MAX_ITEMS),
      oldestDueAt: oldest?.dueAt ?? null,
      oldestDueSeconds: oldest ? secondsSince(oldest.dueAt, now) : 0,
    };
  }
  return found;
};

/** The names of leases of work under way in a queue begin with this. */
export const workLeases = (queue: keyof typeof queues): string => `${queues[queue].name}/`;

/** How many items of a queue are under way on all nodes, counted up to 1,000. Throws `StoreUnavailable`. */
export const workUnderWay = async (leases: Leases, queue: keyof typeof queues): Promise<number> =>
  (await leases.held(workLeases(queue), { limit: MAX_WORK })).length;
