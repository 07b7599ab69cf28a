import type { Position } from '../../../kernel/event.ts';
import type { DocumentStore, Fence, Write } from '../../../stores/documents/port.ts';
import type { suite } from '../../harness.ts';

/** How a suite gets at one driver's data. */
export type Driver = Readonly<{
  /** Opens one more store on the same data, as another process would. */
  open(): Promise<DocumentStore>;
  /** The driver and where the data is, for a process of its own (process.ts); its clock is the machine's. */
  elsewhere: readonly string[];
  /** Lets the store's clock go on by at least so many milliseconds: by moving it, or by waiting. */
  pass(ms: number): Promise<void>;
  /** The store's clock, in milliseconds since 1970. */
  now(): number;
  /** Removes what the suite has made; all stores are closed by then. */
  end(): Promise<void>;
}>;

/** Two stores on the same data. */
export type Stage = Readonly<{ one: DocumentStore; two: DocumentStore }> &
  Pick<Driver, 'pass' | 'now' | 'elsewhere'>;

export type Declare = (test: ReturnType<typeof suite>, stage: () => Stage) => void;

let names = 0;

/** A name that no other test has. */
export const fresh = (name: string): string => `${name}_${++names}`;

/** The nth position of a log. */
export const position = (n: number): Position => String(n).padStart(20, '0') as Position;

/** A fence that stands for a minute. */
export const fence = async (store: DocumentStore): Promise<Fence> => {
  const held = await store.leases.acquire(fresh('writer'), 'test', 60_000);
  if (!held) throw new Error('a new lease was refused');
  return held;
};

/** One document to write at the nth position. */
export const write = (collection: string, id: string, n: number, document: object | null): Write => ({
  collection,
  id,
  position: position(n),
  document,
});

/** Writes documents under their ids, all at the first position. */
export const put = async (
  store: DocumentStore,
  collection: string,
  documents: Readonly<Record<string, object>>,
): Promise<void> => {
  const writes = Object.entries(documents).map(([id, document]) => write(collection, id, 1, document));
  await store.models.commit(writes, {}, await fence(store));
};

/** The error that `body` fails with; fails itself when there is none. */
export const failure = async (body: Promise<unknown>): Promise<Error> => {
  const outcome = await body.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error)) throw new Error('it was expected to fail');
  return outcome;
};
