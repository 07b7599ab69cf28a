import type { Event, Recorded } from '../domain/kernel.ts';
import type { Index } from '../stores/documents/port.ts';

/**
 * A read model as a pure fold. `keys` names the documents that an event touches; `evolve` gives a document after one more event
 * (null: there is none). It needs no other event and no clock, so that a rebuild gives the same documents.
 */
export type Projection<D = unknown, E extends Event = Event> = Readonly<{
  name: string;
  version: number;
  /** The streams it reads, by the beginning of their names. */
  prefixes: readonly string[];
  handles: readonly E['type'][];
  indexes: readonly Index[];
  keys(event: Recorded<E>): readonly string[];
  evolve(document: D | null, event: Recorded<E>, key: string): D | null;
}>;

/** A projection as the runner takes it, whatever it reads and makes. */
export type AnyProjection = Readonly<
  Omit<Projection, 'keys' | 'evolve'> & {
    keys(event: Recorded): readonly string[];
    evolve(document: unknown, event: Recorded, key: string): unknown;
  }
>;

/** Gives a projection to the runner, which only passes it the events that it handles and the documents that it made. */
export const erase = <D, E extends Event>(projection: Projection<D, E>): AnyProjection => ({
  ...projection,
  keys: (event) => projection.keys(event as Recorded<E>),
  evolve: (document, event, key) => projection.evolve(document as D | null, event as Recorded<E>, key),
});

/** The collection that one version of a projection fills; readers use the projection's name, an alias of it. */
export const collectionOf = (projection: AnyProjection): string =>
  `${projection.name}_v${projection.version}`;
