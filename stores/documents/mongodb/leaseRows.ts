import type { Position } from '../../../kernel/event.ts';
import type { Fence } from '../port.ts';
import type { Db, Document, Named } from './client.ts';
import type { ServerClock } from './clock.ts';

/**
 * A lease as it is stored. `grant` is new with each grant, so that a change can name what it has read; `token` is null for the moment until it is drawn.
 * A row goes when its lease ends, unless it `keeps` checkpoints: these must be moved by the very update that looks at the lease.
 */
export type Held = Readonly<{
  owner: string | null;
  grant: string;
  token: number | null;
  expires: Date;
  keeps?: true;
  checkpoints?: Readonly<Record<string, Position>>;
}>;

/** The leases of a database. */
export const leaseRows = (database: Db): Named<Held> => database.collection('leases');

/** Makes the indexes of leases: those that expire, and those that keep checkpoints. */
export const prepareLeases = async (database: Db): Promise<void> => {
  // One after the other: FerretDB breaks the connection when two of one request are there already.
  await leaseRows(database).createIndex({ expires: 1 }, { name: 'expires' });
  await leaseRows(database).createIndex({ keeps: 1 }, { name: 'keeps', sparse: true });
};

/** The row that a fence stands on, as long as its lease lives whatever the server's time can be. */
export const held = async ({ lease, owner, token }: Fence, clock: ServerClock): Promise<Document> => ({
  _id: lease,
  owner,
  token,
  expires: { $gt: new Date((await clock.bounds()).latest) },
});
