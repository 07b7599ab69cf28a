import { randomUUID } from 'node:crypto';
import type { Position } from '../../../kernel/event.ts';
import type { Fence } from '../port.ts';
import type { Db, Document, Named } from './client.ts';
import type { ServerClock } from './clock.ts';
import { isDuplicate } from './failures.ts';

/** Leases in the collection `leases`. Each change is one conditional update of one document. */
export type LeaseRegistry = Readonly<{
  acquire(lease: string, owner: string, leaseMs: number): Promise<Fence | null>;
  /** Grants it whoever holds it. */
  take(lease: string, owner: string, leaseMs: number): Promise<Fence>;
  /** Grants those of the leases that have no row; the others are held by somebody, or were a moment ago. */
  grantAll(leases: readonly string[], owner: string, leaseMs: number): Promise<readonly Fence[]>;
  renew(fence: Fence, leaseMs: number): Promise<boolean>;
  release(fence: Fence): Promise<void>;
  releaseAll(): Promise<void>;
  /** Removes the rows of all leases that have expired. */
  sweep(): Promise<void>;
  /** The leases with a row whose names start so. */
  under(prefix: string): Promise<readonly Readonly<{ lease: string; expired: boolean }>[]>;
}>;

/**
 * All leases share one counter of tokens. A new one is drawn only when the row is taken, or holds as it was
 * read: so it is greater than those of all grants of the lease that ended before, also when their rows have
 * gone.
 */
export const leaseRegistry = (database: Db, clock: ServerClock): LeaseRegistry => {
  const rows = leaseCollection(database);
  const draw = drawing(database);
  const until = async (leaseMs: number): Promise<Date> => new Date((await clock.bounds()).latest + leaseMs);

  /** Inserts the rows that are not there; gives the grants of those. */
  const take = async (leases: readonly string[], owner: string, expires: Date): Promise<readonly Taken[]> => {
    const taken = leases.map((lease) => ({ lease, grant: randomUUID() }));
    try {
      await rows.insertMany(
        taken.map(({ lease, grant }) => ({ _id: lease, owner, grant, token: null, expires })),
        { ordered: false },
      );
      return taken;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const refused = new Set((error as Refused).writeErrors.map(({ index }) => index));
      return taken.filter((_, index) => !refused.has(index));
    }
  };
  const grantAll: LeaseRegistry['grantAll'] = async (leases, owner, leaseMs) => {
    if (leases.length === 0) return [];
    const taken = await take(leases, owner, await until(leaseMs));
    if (taken.length === 0) return [];
    const first = await draw(taken.length);
    const fences = taken.map(({ lease }, n) => ({ lease, owner, token: first + n }));
    const { matchedCount } = await rows.bulkWrite(
      taken.map(({ lease, grant }, n) => ({
        updateOne: { filter: { _id: lease, grant }, update: { $set: { token: first + n } } },
      })),
      { ordered: false },
    );
    return matchedCount === fences.length ? fences : standing(rows, fences);
  };
  /** Takes over a lease, if its row still is as it was read. */
  const takeOver = async (
    asRead: Partial<Row> & Pick<Row, '_id' | 'grant'>,
    owner: string,
    leaseMs: number,
  ): Promise<Fence | null> => {
    const token = await draw(1);
    const change = { owner, grant: randomUUID(), token, expires: await until(leaseMs) };
    const { matchedCount } = await rows.updateOne(asRead, { $set: change });
    return matchedCount === 1 ? { lease: asRead._id, owner, token } : null;
  };
  const renew: LeaseRegistry['renew'] = async (fence, leaseMs) => {
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
    acquire: async (lease, owner, leaseMs) => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const fence = await attempt(lease, owner, leaseMs);
        if (fence !== undefined) return fence;
      }
      return null;
    },
    take: async (lease, owner, leaseMs) => {
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
    release: async ({ lease, owner, token }) => {
      const { deletedCount } = await rows.deleteOne({ _id: lease, owner, token, keeps: { $exists: false } });
      if (deletedCount === 0) await rows.updateOne({ _id: lease, owner, token }, ENDED);
    },
    releaseAll: async () => {
      await rows.deleteMany({ keeps: { $exists: false } });
      await rows.updateMany({ keeps: true }, ENDED);
    },
    sweep: async () => {
      const { earliest } = await clock.bounds();
      await rows.deleteMany({ expires: { $lte: new Date(earliest) }, keeps: { $exists: false } });
    },
    under: async (prefix) => {
      const { earliest } = await clock.bounds();
      const filter = { _id: { $gte: prefix, $lt: `${prefix}\u{10ffff}` } };
      const found = await rows.find(filter, { projection: { expires: 1 } }).toArray();
      return found.map(({ _id, expires }) => ({ lease: _id, expired: expires.getTime() <= earliest }));
    },
  };
};

type Row = StoredLease & Readonly<{ _id: string }>;
type Taken = Readonly<{ lease: string; grant: string }>;
type Refused = Readonly<{ writeErrors: readonly Readonly<{ index: number }>[] }>;

/** Each of them fails only because somebody else was quicker. */
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
export type StoredLease = Readonly<{
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

/** The row that a fence holds on, as long as its lease lives whatever the server's time can be. */
export const liveLease = async ({ lease, owner, token }: Fence, clock: ServerClock): Promise<Document> => ({
  _id: lease,
  owner,
  token,
  expires: { $gt: new Date((await clock.bounds()).latest) },
});
