import type { Recorded } from '../../kernel/event.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { type RowPage, removeRow, rowPage, tableRows } from '../../stores/documents/rows.ts';
import { handledBy, type Projection } from './projection.ts';

/** The table of parked events (docs/decisions/0028-unknown-events-are-parked.md). */
export const PARKED = 'parkedEvents';

/** An event whose type or version was unknown to the release that read it. */
export type Parked = Readonly<ReturnType<typeof parked>>;

const parked = ({ position, stream, revision, id, type, metadata: { schema } }: Recorded) => ({
  ...{ position, stream, revision, id, type, schema },
});

/** Stores unknown events. One that is parked already stays as it is. */
export const park = async (tables: Tables, unknown: readonly Recorded[]): Promise<void> => {
  await Promise.all(unknown.map((event) => tables.insert(PARKED, event.position, parked(event))));
};

/** All parked events, in the order of the log. */
export const parkedEvents = async (tables: Tables): Promise<readonly Parked[]> => {
  const all: Parked[] = [];
  for await (const row of tableRows<Parked>(tables, PARKED)) all.push(row);
  return all;
};

/** A page of the parked events, in the order of the log. */
export const parkedPage = (tables: Tables, limit: number, after: string | null): Promise<RowPage<Parked>> =>
  rowPage(tables, PARKED, '', limit, after);

/** The parked events that are known by now, and the projections that handle some of them. */
export const parkedFor = async (
  tables: Tables,
  projections: readonly Projection[],
  isKnown: (type: string, schema: number) => boolean,
): Promise<Readonly<{ rows: readonly Parked[]; projections: readonly Projection[] }>> => {
  const rows = (await parkedEvents(tables)).filter(({ type, schema }) => isKnown(type, schema));
  const isAffected = (projection: Projection): boolean => {
    const handled = handledBy(projection);
    const reads = (stream: string) => projection.prefixes.some((prefix) => stream.startsWith(prefix));
    return rows.some(({ type, stream }) => handled.includes(type) && reads(stream));
  };
  return { rows, projections: projections.filter(isAffected) };
};

/** Removes parked events, once the projections that handle them have been rebuilt. */
export const forgetParked = async (tables: Tables, rows: readonly Parked[]): Promise<void> => {
  for (const { position } of rows) await removeRow(tables, PARKED, position);
};
