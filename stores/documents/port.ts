import type { Position } from '../../domain/kernel.ts';

/** A read model's document and the position it was last written at; `document` is null for a deletion marker. */
export type Stored<D> = Readonly<{ id: string; position: Position; document: D | null }>;

/** One document to write (null: leave a deletion marker), as of `position`. */
export type Write = Readonly<{ collection: string; id: string; position: Position; document: object | null }>;

/** Proof that the writer holds a lease: each new holder gets a greater token. */
export type Fence = Readonly<{ lease: string; owner: string; token: number }>;

export type Scalar = string | number | boolean | null;

/** Conditions on members (dotted paths): a value to equal, or a range of text or numbers. All must hold. */
export type Where = Readonly<
  Record<string, Scalar | Readonly<{ from?: string | number; before?: string | number }>>
>;

/** Newest or lowest first; the last path must be unique, or pages could skip. */
export type Sort = readonly Readonly<{ path: string; direction: 'ascending' | 'descending' }>[];

/** An index: equality paths first, then the sort. `unique` only serves look-ups. */
export type Index = Readonly<{ name: string; sort: Sort; unique?: boolean }>;

export type Query = Readonly<{
  where: Where;
  sort: Sort;
  limit: number;
  /** The sort values of the last item of the page before; null for the first page. */
  after: readonly Scalar[] | null;
}>;

/** `next` holds the sort values to go on after, null when there is no more. */
export type ResultPage<D> = Readonly<{ items: readonly D[]; next: readonly Scalar[] | null }>;

/**
 * Read models: documents that projections make from the log, droppable at any time. A `collection` is a logical name; if `alias`
 * has pointed it at another one, that one is meant.
 *
 * `commit` writes documents first, each only where the stored position is older than the given one, and then moves the
 * checkpoints; a crash in between leaves documents ahead of their checkpoint, never behind it. It throws `LeaseLost` and moves no checkpoint when the
 * fence is stale. Checkpoints never move back.
 * `alias(name, target)` points a name at a collection and returns what it now points at; without a target it only looks.
 */
export interface ReadModels {
  get<D>(collection: string, id: string): Promise<D | null>;
  getMany<D>(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Stored<D>>>;
  page<D>(collection: string, query: Query): Promise<ResultPage<D>>;
  ensure(collection: string, indexes: readonly Index[]): Promise<void>;
  alias(name: string, target?: string): Promise<string>;
  commit(
    writes: readonly Write[],
    checkpoints: Readonly<Record<string, Position>>,
    fence: Fence,
  ): Promise<void>;
  checkpoint(name: string): Promise<Position | null>;
  count(collection: string): Promise<number>;
  drop(collection: string): Promise<void>;
}

/** A row and its version, which each change raises by one. */
export type Row<R> = Readonly<{ row: R; version: number }>;

/**
 * Tables: small durable records that no rebuild can make again (credentials, keys, idempotency, quarantine). Back them up.
 *
 * `insert` says whether the key was free; `replace` and `remove` whether the version still held. `list` goes by key.
 */
export interface Tables {
  read<R>(table: string, key: string): Promise<Row<R> | null>;
  insert(table: string, key: string, row: object): Promise<boolean>;
  replace(table: string, key: string, version: number, row: object): Promise<boolean>;
  remove(table: string, key: string, version: number): Promise<boolean>;
  list<R>(
    table: string,
    options?: Readonly<{ after?: string; limit?: number }>,
  ): Promise<readonly Readonly<{ key: string; row: R; version: number }>[]>;
}

/** A claimed document of a queue, held under its own lease. */
export type Claimed<D> = Readonly<{ id: string; position: Position; document: D; fence: Fence }>;

/**
 * A queue is a read model whose documents carry `dueAt` (ISO 8601) and `lane` (text). A claim takes due documents that
 * nobody holds, in turns over the lanes, earliest first within a lane; at most `perLane` of one lane, none of `skip`.
 */
export type Claim = Readonly<{
  collection: string;
  owner: string;
  leaseMs: number;
  limit: number;
  perLane: number;
  skip: readonly string[];
}>;

/**
 * Leases, judged by the store's own clock. `acquire` gives null while somebody else's lease lives; the holder itself may
 * acquire again (same token). `renew` says whether the lease was still held. `breakAll` ends every lease: only for the one process that owns
 * an embedded store. `now` is the store's clock in ISO 8601.
 */
export interface Leases {
  acquire(lease: string, owner: string, leaseMs: number): Promise<Fence | null>;
  renew(fence: Fence, leaseMs: number): Promise<boolean>;
  release(fence: Fence): Promise<void>;
  breakAll(): Promise<void>;
  claim<D>(claim: Claim): Promise<readonly Claimed<D>[]>;
  now(): Promise<string>;
}

/** The document store: one driver gives all three. Every driver passes test/contract/documents.ts. */
export interface DocumentStore {
  readonly models: ReadModels;
  readonly tables: Tables;
  readonly leases: Leases;
  close(): Promise<void>;
}
