import { randomUUID } from 'node:crypto';
import type { Position } from '../../../kernel/event.ts';
import type { Fence, Held, RowOptions } from '../port.ts';
import type { Db, Document, Named } from './client.ts';
import type { ServerClock } from './clock.ts';
import { isDuplicate } from './failures.ts';

export type LeaseRegistry = ReturnType<typeof leaseRegistry>;

/**
 * Leases in the collection `leases`. Each change is one conditional update of one document. All leases share
 * one counter of tokens. A new one is drawn only when the row is inserted, or still is as it was read: so it
 * is greater than those of all grants of the lease that ended before, also when their rows have gone.
 */
export const leaseRegistry = (database: Db, clock: ServerClock) => {
  const rows = leaseCollection(database);
  const draw = drawing(database);
  const until = async (leaseMs: number): Promise<Date> => new Date((await clock.bounds()).latest + leaseMs);

  /** Grants those of the leases that have no row; the others have a holder, or had one a moment ago. */
  const grantAll = async (
    leases: readonly string[],
    owner: string,
    leaseMs: number,
  ): Promise<readonly Fence[]> => {
    if (leases.length === 0) return [];
    const inserted = await insertRows(rows, leases, owner, await until(leaseMs));
    if (inserted.length === 0) return [];
    const first = await draw(inserted.length);
    const fences = inserted.map(({ _id: lease }, n) => ({ lease, owner, token: first + n }));
    const { matchedCount } = await rows.bulkWrite(
      inserted.map(({ _id, grant }, n) => ({
        updateOne: { filter: { _id, grant }, update: { $set: { token: first + n } } },
      })),
      { ordered: false },
    );
    return matchedCount === fences.length ? fences : standing(rows, fences);
  };
  /** Takes over a lease, if its row still is as it was read. */
  const takeOver = async (
    asRead: Readonly<{ _id: string; grant: string; expires?: Date }>,
    owner: string,
    leaseMs: number,
  ): Promise<Fence | null> => {
    const token = await draw(1);
    const change = { owner, grant: randomUUID(), token, expires: await until(leaseMs) };
    const { matchedCount } = await rows.updateOne(asRead, { $set: change });
    return matchedCount === 1 ? { lease: asRead._id, owner, token } : null;
  };
  const renew = async (fence: Fence, leaseMs: number): Promise<boolean> => {
    const filter = await liveLease(fence, clock);
    const { matchedCount } = await rows.updateOne(filter, { $set: { expires: await until(leaseMs) } });
    return matchedCount === 1;
  };
  /** One try; undefined when another process changed the row first. */
  const attempt = async (
    lease: string,
    owner: string,
    leaseMs: number,
  ): Promise<Fence | null | undefined> => {
    const row = await rows.findOne({ _id: lease });
    if (!row) return (await grantAll([lease], owner, leaseMs))[0];
    const { earliest, latest } = await clock.bounds();
    const isOwn = row.owner === owner && row.token !== null;
    if (isOwn && row.expires.getTime() > latest) {
      const fence = { lease, owner, token: row.token };
      return (await renew(fence, leaseMs)) ? fence : undefined;
    }
    if (row.expires.getTime() > (isOwn ? latest : earliest)) return null;
    const { _id, grant, expires } = row;
    return (await takeOver({ _id, grant, expires }, owner, leaseMs)) ?? undefined;
  };
  return {
    acquire: async (lease: string, owner: string, leaseMs: number): Promise<Fence | null> => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const fence = await attempt(lease, owner, leaseMs);
        if (fence !== undefined) return fence;
      }
      return null;
    },
    /** Grants a lease, also while another holder's lives. */
    take: async (lease: string, owner: string, leaseMs: number): Promise<Fence> => {
      for (;;) {
        const row = await rows.findOne({ _id: lease });
        // Its holder may renew it in between: that keeps the grant.
        const fence = row
          ? await takeOver({ _id: lease, grant: row.grant }, owner, leaseMs)
          : (await grantAll([lease], owner, leaseMs))[0];
        if (fence) return fence;
      }
    },
    grantAll,
    renew,
    release: async ({ lease, owner, token }: Fence): Promise<void> => {
      const { deletedCount } = await rows.deleteOne({ _id: lease, owner, token, keeps: { $exists: false } });
      if (deletedCount === 0) await rows.updateOne({ _id: lease, owner, token }, ENDED);
    },
    releaseAll: async (): Promise<void> => {
      await rows.deleteMany({ keeps: { $exists: false } });
      await rows.updateMany({ keeps: true }, ENDED);
    },
    /**
     * The live leases under a prefix. When all are asked for and one of them has expired, all expired leases
     * go.
     */
    held: async (prefix: string, { after = '', limit = 0 }: RowOptions = {}): Promise<readonly Held[]> => {
      const { earliest } = await clock.bounds();
      const range = { _id: { $gte: prefix, $lt: `${prefix}\u{10ffff}`, $gt: after } };
      const filter = limit === 0 ? range : { ...range, expires: { $gt: new Date(earliest) } };
      const options = { projection: { owner: 1, expires: 1 }, sort: { _id: 1 }, limit } as const;
      const found = await rows.find(filter, options).toArray();
      const live = found.filter(({ expires }) => expires.getTime() > earliest);
      if (live.length < found.length)
        await rows.deleteMany({ expires: { $lte: new Date(earliest) }, keeps: { $exists: false } });
      return live.map(({ _id: lease, owner, expires }) => ({
        ...{ lease, owner: owner ?? '' },
        remainingMs: expires.getTime() - earliest,
      }));
    },
  };
};

/** Inserts the rows that are not there, without tokens; gives those. */
const insertRows = async (
  rows: Named<StoredLease>,
  leases: readonly string[],
  owner: string,
  expires: Date,
) => {
  const all = leases.map((lease) => ({ _id: lease, owner, grant: randomUUID(), token: null, expires }));
  try {
    await rows.insertMany(all, { ordered: false });
    return all;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    const refused = new Set((error as Refused).writeErrors.map(({ index }) => index));
    return all.filter((_, index) => !refused.has(index));
  }
};

type Refused = Readonly<{ writeErrors: readonly Readonly<{ index: number }>[] }>;

/** Each of them fails only because another process was quicker. */
const TRIES = 5;

const ENDED = { $set: { owner: null, expires: new Date(0) } };

/** Those of the fences whose rows have not been broken while their tokens were drawn. */
const standing = async (rows: Named<StoredLease>, fences: readonly Fence[]): Promise<readonly Fence[]> => {
  const found = await rows.find({ _id: { $in: fences.map(({ lease }) => lease) } }).toArray();
  const tokens = new Map(found.map(({ _id, token }) => [_id, token]));
  return fences.filter(({ lease, token }) => tokens.get(lease) === token);
};

/** Gives the first of so many new tokens. */
const drawing = (database: Db): ((count: number) => Promise<number>) => {
  const counter: Named<{ last: number }> = database.collection('tokens');
  return async (count) => {
    const counted = await counter.findOneAndUpdate(
      { _id: 'last' },
      { $inc: { last: count } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!counted) throw new Error('the counter of tokens gave none');
    return counted.last - count + 1;
  };
};

/**
 * A lease as it is stored. `grant` is new with each grant, so that a change can name what it has read;
 * `token` is null for the moment until it is drawn. A row is removed when its lease ends, unless it `keeps`
 * checkpoints: these must be moved by the very update that checks the lease.
 */
type StoredLease = Readonly<{
  owner: string | null;
  grant: string;
  token: number | null;
  expires: Date;
  keeps?: true;
  checkpoints?: Readonly<Record<string, Position>>;
}>;

/** The leases of a database. */
export const leaseCollection = (database: Db): Named<StoredLease> => database.collection('leases');

/** Makes the indexes of leases: those that expire, and those that keep checkpoints. */
export const prepareLeases = async (database: Db): Promise<void> => {
  // One after the other: FerretDB breaks the connection when two of one request are there already.
  await leaseCollection(database).createIndex({ expires: 1 }, { name: 'expires' });
  await leaseCollection(database).createIndex({ keeps: 1 }, { name: 'keeps', sparse: true });
};

/** The row of a fence's lease, if it lives at every time that the server's may be. */
export const liveLease = async ({ lease, owner, token }: Fence, clock: ServerClock): Promise<Document> => ({
  _id: lease,
  owner,
  token,
  expires: { $gt: new Date((await clock.bounds()).latest) },
});
