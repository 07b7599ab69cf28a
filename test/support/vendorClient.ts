import { EventStoreDBClient } from '@eventstore/db-client';

/** The vendor's own client, to compare with. It knows connection strings by the server's older name only. */
export const vendorClient = (connectionString: string): EventStoreDBClient =>
  EventStoreDBClient.connectionString(connectionString.replace(/^kurrent(db)?(?=:|\+)/, 'esdb'));
