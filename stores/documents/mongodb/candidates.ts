import { groupBy } from '../../../kernel/groupBy.ts';
import { tenantOf } from '../../../kernel/lane.ts';
import type { Candidate } from '../candidates.ts';
import type { Claim } from '../port.ts';
import type { Document, Named } from './client.ts';
import type { StoredDocument } from './documents.ts';

/** `due`: the filter of what is due. `leased`: documents under a lease. `after`: the lane served last. */
type Search = Readonly<{
  due: Document;
  claim: Claim;
  leased: ReadonlySet<string>;
  after: string | null;
}>;

/** How many documents are read together: many lanes of a few, or a part of a long one. */
const WINDOW = 64;

/**
 * The candidates of a claim by lane: first the lanes after the one that was served last, then those from the
 * start; of each the earliest. Of a long lane no more is read than a claim may have, and a tenant that is to
 * be skipped is passed in one step.
 */
export const candidatesIn = async (
  queue: Named<StoredDocument>,
  search: Search,
): Promise<readonly (readonly Candidate[])[]> => {
  const ahead = search.after === null ? [] : await lanesBehind(queue, search, search.after);
  if (ahead.length >= search.claim.limit) return ahead;
  const names = new Set(ahead.map((lane) => lane[0]?.lane));
  const others = await lanesBehind(queue, search, null);
  return [...ahead, ...others.filter((lane) => !names.has(lane[0]?.lane))];
};

const lanesBehind = async (
  queue: Named<StoredDocument>,
  search: Search,
  after: string | null,
): Promise<readonly (readonly Candidate[])[]> => {
  const { limit, perLane, skip, skipTenants = [] } = search.claim;
  const enough = Math.min(limit, perLane);
  const lanes: (readonly Candidate[])[] = [];
  for (let last = after; lanes.length < limit; ) {
    const behind = last === null ? {} : { $gt: last };
    const found = await read(queue, search, { ...behind, $nin: [...skip] }, WINDOW);
    const grouped = [...groupBy(found, ({ lane }) => lane).values()];
    const cut = found.length === WINDOW ? grouped.at(-1) : undefined;
    for (const lane of grouped) {
      const [{ lane: name } = { lane: '' }] = lane;
      if (skipTenants.includes(tenantOf(name))) continue;
      const more = lane === cut && lane.length < enough;
      lanes.push(more ? await read(queue, search, name, enough) : lane);
    }
    if (!cut) break;
    const name = cut[0]?.lane ?? '';
    last = skipTenants.includes(tenantOf(name)) ? `${tenantOf(name)} \u{10ffff}` : name;
  }
  return lanes;
};

const read = async (
  queue: Named<StoredDocument>,
  { due, leased }: Search,
  lane: string | Document,
  limit: number,
): Promise<readonly Candidate[]> => {
  const filter = { ...due, 'values.lane': lane, _id: { $nin: [...leased] } };
  const sort = { 'values.lane': 1, 'values.dueAt': 1, _id: 1 } as const;
  const options = { projection: { 'values.lane': 1 }, sort, limit };
  const found = await queue.find<Found>(filter, options).toArray();
  return found.map(({ _id, values }) => ({ id: _id, lane: values.lane }));
};

type Found = Readonly<{ _id: string; values: Readonly<{ lane: string }> }>;
