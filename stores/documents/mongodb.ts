import { checkpointsIn } from './mongodb/checkpoints.ts';
import { claimsFrom } from './mongodb/claims.ts';
import { connect } from './mongodb/client.ts';
import { serverClock } from './mongodb/clock.ts';
import { leaseRegistry, prepareLeases } from './mongodb/leases.ts';
import { mongoReadModels } from './mongodb/models.ts';
import { namesIn } from './mongodb/names.ts';
import { mongoTables } from './mongodb/tables.ts';
import type { DocumentStore } from './port.ts';

/**
 * Documents in MongoDB (a replica set, or FerretDB). `url` is a connection string, with user, TLS and the
 * database's name (`intake` unless it names another); any number of processes may use one database. It
 * connects by itself: every operation throws `StoreUnavailable` while the server is unavailable, and
 * `StoreMisconfigured` for what waiting does not mend; a string that can't be read throws that at once.
 */
export const mongoDocumentStore = ({ url }: Readonly<{ url: string }>): DocumentStore => {
  const connection = connect(url, prepareLeases);
  const { database, run } = connection;
  const clock = serverClock(database);
  const names = namesIn(database);
  const leases = leaseRegistry(database, clock);
  const claims = claimsFrom({ database, clock, names, leases });
  return {
    models: mongoReadModels({ connection, names, checkpoints: checkpointsIn(database, clock) }),
    tables: mongoTables(connection),
    leases: {
      acquire: (lease, owner, leaseMs) => run(() => leases.acquire(lease, owner, leaseMs)),
      take: (lease, owner, leaseMs) => run(() => leases.take(lease, owner, leaseMs)),
      renew: (fence, leaseMs) => run(() => leases.renew(fence, leaseMs)),
      release: (fence) => run(() => leases.release(fence)),
      held: (prefix, options) => run(() => leases.held(prefix, options)),
      breakAll: () => run(() => leases.releaseAll()),
      claim: (claim) => run(() => claims(claim), CLAIM_MS),
    },
    close: () => connection.close(),
  };
};

/** A claim that many others compete with takes more than one round. */
const CLAIM_MS = 10_000;
