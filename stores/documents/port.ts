import type { Position } from '../../kernel/event.ts';

/** A document and the position it was last written at; `document` is null for a deletion marker. */
export type Stored<D> = Readonly<{ id: string; position: Position; document: D | null }>;

/** Answers to be made of a document, by name: texts that HTTP sends, in JSON or in lines of it. */
export type Answers = Readonly<Record<string, (document: object) => string>>;

/**
 * What documents are found by: the words, letters and digits alone, of their `text`. A query for `words`
 * (each lists beginnings, one of which begins a word of the document) fixes the values at `within`; its
 * order, `newest`, is that of the first writes.
 */
export type Words = Readonly<{ text(document: object): string; wordsIn(text: string): readonly string[] }> &
  Readonly<{ within: readonly string[]; newest: Sort }>;

export type Made = Readonly<{ answers?: Answers; words?: Words }>;

/**
 * One document to write (null: leave a deletion marker), as of `position`. `before`: what the writer read and
 * made it from; a driver may then write only what has changed.
 */
export type Write = Readonly<{
  collection: string;
  id: string;
  position: Position;
  document: object | null;
  before?: Stored<object> | undefined;
}> &
  Made;

/** Proof that the writer holds a lease: each new holder gets a greater token. */
export type Fence = Readonly<{ lease: string; owner: string; token: number }>;

export type Checkpoints = Readonly<Record<string, Position>>;

export type Scalar = string | number | boolean | null;

/** Values from `from` (inclusive) to `before` (exclusive), of the type of the bounds. */
export type Range =
  | Readonly<{ from?: string; before?: string }>
  | Readonly<{ from?: number; before?: number }>;

/**
 * Conditions on members (dotted paths into objects, not lists): a value to equal, or a range. All must hold.
 * `null` also means a member that is not there. At one path all documents hold values of one type, or null.
 */
export type Where = Readonly<Record<string, Scalar | Range>>;

/**
 * Newest or lowest first; text by its code points; null is lowest. The last path must be unique and never
 * null, or pages could skip.
 */
export type Sort = readonly Readonly<{ path: string; direction: 'ascending' | 'descending' }>[];

/**
 * An index: equality paths first, then the sort. None refuses a write, which would stop a projection. Where
 * one names the path `id`, every document has that member.
 */
export type Index = Readonly<{ name: string; sort: Sort }>;

export type Query = Readonly<{
  where: Where;
  sort: Sort;
  limit: number;
  /** The sort values of the last item of the page before; null for the first page. */
  after: readonly Scalar[] | null;
  words?: readonly (readonly string[])[];
}>;

/** `next` holds the sort values to continue after, null when there is no more. */
export type ResultPage<D> = Readonly<{ items: readonly D[]; next: readonly Scalar[] | null }>;

/**
 * Read models: documents that projections make from the log, droppable at any time. Readers give a logical
 * `name`: the collection that `alias` has pointed it at, else the one of that name. Writers name the
 * `collection` itself, whatever points at it. One that nothing was ever written to reads as empty.
 *
 * `get`, `getMany`, `page` and `count` skip deletion markers; `count` stops at `max` (to the end by default).
 * `page` repeats and skips nothing while others write: a document that stays as it is is on one page.
 * `answers` and `answerPage` give what was stored beside documents, null where one has no such answer; those
 * of a page are JSON with the members that the query sorts by. A page by words throws `ReadModelNotBuilt` for
 * a collection that was made without them. `stored` is for folding on: it gives markers too, leaves out what
 * was never there, and is never behind a commit that was acknowledged. `commit` writes documents first, each
 * only where the stored position is older than the given one, and then moves the checkpoints; a crash in
 * between leaves documents ahead of their checkpoint, never behind it. It throws `LeaseLost` and moves no
 * checkpoint when the fence is stale: its lease has expired, was released or broken, or has passed on.
 * Checkpoints never move back. `alias(name, target)` points a name at a collection and returns what it now
 * points at (at first: itself); without a target it only reads, and with a `fence` that is stale it throws
 * `LeaseLost`. The target is always a collection, never another alias. `ensure` makes indexes that are
 * missing, and makes anew those whose definition has changed; it makes room for what is `made`, of words from
 * the first document on. `drop` also forgets the positions.
 */
export interface ReadModels {
  get<D>(name: string, id: string): Promise<D | null>;
  getMany<D>(name: string, ids: readonly string[]): Promise<ReadonlyMap<string, D>>;
  page<D>(name: string, query: Query): Promise<ResultPage<D>>;
  answers(name: string, ids: readonly string[], which: string): Promise<readonly (string | null)[]>;
  answerPage(name: string, which: string, query: Query): Promise<ResultPage<string> | null>;
  count(name: string, where?: Where, max?: number): Promise<number>;
  stored<D>(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Stored<D>>>;
  ensure(collection: string, indexes: readonly Index[], made?: Made): Promise<void>;
  alias(name: string, target?: string, fence?: Fence): Promise<string>;
  /** What several names point at, in one read and in their order. */
  aliases(names: readonly string[]): Promise<readonly string[]>;
  commit(writes: readonly Write[], checkpoints: Checkpoints, fence: Fence): Promise<void>;
  checkpoint(name: string): Promise<Position | null>;
  checkpoints(names: readonly string[]): Promise<readonly (Position | null)[]>;
  drop(collection: string): Promise<void>;
}

/** A row and its version, which each change raises by one. */
export type Row<R> = Readonly<{ row: R; version: number }>;

export type KeyedRow<R> = Row<R> & Readonly<{ key: string }>;
/** Which rows, or leases, to list: those after a key, at most so many. */
export type RowOptions = Readonly<{ after?: string; limit?: number }>;

/**
 * Tables: small durable records that no rebuild can make again (credentials, keys, idempotency, quarantine).
 * Back them up.
 *
 * `insert` gives whether the key was free; `replace` and `remove` whether the version still held. All three
 * are durable when they resolve. A row starts at version 1, also where one was removed: hold no version
 * across a removal. `otherCommits` differs from what it was in an earlier turn of the event loop once another
 * process has committed to any table but those of sealing keys, and may differ after commits of this one;
 * null where the store can't tell. `list` is ordered by key, those after `after`, at most `limit` rows (all
 * by default).
 */
export interface Tables {
  read<R>(table: string, key: string): Promise<Row<R> | null>;
  /** Those of many keys that have a row, in one read. */
  readMany<R>(table: string, keys: readonly string[]): Promise<ReadonlyMap<string, Row<R>>>;
  insert(table: string, key: string, row: object): Promise<boolean>;
  replace(table: string, key: string, version: number, row: object): Promise<boolean>;
  remove(table: string, key: string, version: number): Promise<boolean>;
  list<R>(table: string, options?: RowOptions): Promise<readonly KeyedRow<R>[]>;
  otherCommits(): number | null;
}

/** A claimed document of a queue, under a lease of its own. */
export type Claimed<D> = Readonly<{ id: string; position: Position; document: D; fence: Fence }>;

/**
 * A queue is a read model whose documents carry `dueAt` (ISO 8601 in UTC with milliseconds; null: not in the
 * queue) and `lane` (text). A claim takes due documents without a lease, even of the claimer's own, in turns
 * over the lanes (the next claim continues with the next lane), earliest first within a lane; at most
 * `perLane` of one lane at once, none of `skip`. A lane's tenant is its text up to the first space: at most
 * `perTenant` of one at once (all by default), none of `skipTenants`. Each is claimed under the lease
 * `<collection>/<id>`. The collection is named as readers name it; that it is another one by now may go
 * unseen for a second, while nothing was due in the one before.
 */
export type Claim = Readonly<{
  collection: string;
  owner: string;
  leaseMs: number;
  limit: number;
  perLane: number;
  skip: readonly string[];
  perTenant?: number;
  skipTenants?: readonly string[];
}>;

/** What may be claimed now, beside the work in progress. */
export type Capacity = Pick<Claim, 'limit' | 'perLane' | 'skip' | 'perTenant' | 'skipTenants'>;

/** A lease that lives, and for how many milliseconds still. */
export type Held = Pick<Fence, 'lease' | 'owner'> & Readonly<{ remainingMs: number }>;

/**
 * Leases, judged by the store's own clock. `acquire` gives null while another owner's lease lives; the holder
 * itself may acquire again (same token). Any other grant of a lease has a greater token than all grants of it
 * before, for ever. `renew` gives whether the lease was still held, and if so lets it live `leaseMs` from
 * now. `release` ends it only for its holder. `take` ends any holder's lease, the taker's own too, and
 * grants it anew. `held` lists the leases that live and whose names begin with a prefix, by name. `breakAll`
 * ends every lease: only for the one process that owns an embedded store.
 */
export interface Leases {
  acquire(lease: string, owner: string, leaseMs: number): Promise<Fence | null>;
  renew(fence: Fence, leaseMs: number): Promise<boolean>;
  release(fence: Fence): Promise<void>;
  take(lease: string, owner: string, leaseMs: number): Promise<Fence>;
  held(prefix: string, options?: RowOptions): Promise<readonly Held[]>;
  breakAll(): Promise<void>;
  claim<D>(claim: Claim): Promise<readonly Claimed<D>[]>;
}

/**
 * The document store: one driver gives all three. Every driver passes test/contract/documents.ts. `inspect`
 * checks all that is stored, where no server does so itself: throws `StoreDamaged`. It may take minutes.
 * `compact` ends once what was deleted or overwritten before is in no file of an embedded store; it takes
 * longer the more is stored, and others write meanwhile. Throws `StoreUnavailable`.
 */
export interface DocumentStore {
  readonly models: ReadModels;
  readonly tables: Tables;
  readonly leases: Leases;
  inspect?(signal: AbortSignal): Promise<void>;
  compact?(): Promise<void>;
  close(): Promise<void>;
}
