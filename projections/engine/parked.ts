import type { Recorded } from '../../kernel/event.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { handledBy, type Projection } from './projection.ts';

/** The table of events that the read models have passed without knowing them (docs/decisions/0028-unknown-events-are-parked.md). */
export const PARKED = 'parkedEvents';

/** An event of a type, or of a version of its data, that was not known to the release that came past it. */
export type Parked = Readonly<{
  position: string;
  stream: string;
  revision: number;
  id: string;
  type: string;
  schema: number;
}>;

/** Notes events that are passed over. One that is parked already stays as it is. */
export const park = async (tables: Tables, unknown: readonly Recorded[]): Promise<void> => {
  const insert = ({ position, stream, revision, id, type, metadata: { schema } }: Recorded) =>
    tables.insert(PARKED, position, { position, stream, revision, id, type, schema } satisfies Parked);
  await Promise.all(unknown.map(insert));
};

/** All of them, in the order of the log. */
export const parkedEvents = async (tables: Tables): Promise<readonly Parked[]> => {
  const all: Parked[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: Awaited<ReturnType<typeof tables.list<Parked>>> = await tables.list<Parked>(PARKED, {
      after,
      limit: AT_ONCE,
    });
    all.push(...rows.map(({ row }) => row));
    after = rows.at(-1)?.key;
  }
  return all;
};

const AT_ONCE = 500;

/** Those that this release knows by now, and the projections that must be filled anew since they have passed some of them. */
export const parkedFor = async (
  tables: Tables,
  projections: readonly Projection[],
  isKnown: (type: string, schema: number) => boolean,
): Promise<Readonly<{ rows: readonly Parked[]; projections: readonly Projection[] }>> => {
  const rows = (await parkedEvents(tables)).filter(({ type, schema }) => isKnown(type, schema));
  const passed = (projection: Projection): boolean => {
    const handled = handledBy(projection);
    const reads = (stream: string) => projection.prefixes.some((prefix) => stream.startsWith(prefix));
    return rows.some(({ type, stream }) => handled.includes(type) && reads(stream));
  };
  return { rows, projections: projections.filter(passed) };
};

/** Forgets parked events, once the projections that handle them have been filled anew. */
export const forgetParked = async (tables: Tables, rows: readonly Parked[]): Promise<void> => {
  for (const { position } of rows) {
    const found = await tables.read(PARKED, position);
    if (found) await tables.remove(PARKED, position, found.version);
  }
};
