import { BSON, type Collection, type Db, type Document, MongoClient, type MongoClientOptions } from 'mongodb';
import { StoreMisconfigured, StoreUnavailable } from '../../../kernel/errors.ts';
import { within } from '../../../kernel/timeLimit.ts';
import { failureOf } from './failures.ts';

export type { Db, Document } from 'mongodb';

/** A database of a MongoDB server, or of one with its protocol. */
export type Connection = Readonly<ReturnType<typeof connect>>;

/** How long an operation may take in all: a request to the API waits for it. */
const TIMEOUT_MS = 3_000;

const OPTIONS: MongoClientOptions = {
  appName: 'intake',
  // As JSON does: a member without a value is left out.
  ignoreUndefined: true,
  readPreference: 'primary',
  readConcern: { level: 'majority' },
  writeConcern: { w: 'majority', journal: true },
  serverSelectionTimeoutMS: 2_500,
  connectTimeoutMS: 2_500,
  waitQueueTimeoutMS: 2_500,
  // Longer than any operation; it is the monitor that breaks connections to a server that has become silent.
  socketTimeoutMS: 600_000,
  heartbeatFrequencyMS: 2_000,
};

/**
 * Connects by itself with the first operation. The connection string names the database (else it is
 * `intake`), the user and TLS; `prepare` is run before any operation, until it has succeeded once. Throws
 * `StoreMisconfigured` when the string can't be read.
 */
export const connect = (url: string, prepare: (database: Db) => Promise<void>) => {
  const { client, database } = open(url);
  const where = `MongoDB at ${client.options.srvHost ?? client.options.hosts.join(',')}`;
  let prepared: Promise<void> | null = null;
  let isClosed = false;
  const start = async (before?: Promise<void>): Promise<void> => {
    try {
      await before;
      if (isClosed) throw new StoreUnavailable('this store has been closed');
      await client.connect();
      await check(client, where);
      await prepare(database);
    } catch (error) {
      prepared = null;
      throw error;
    }
  };
  // By itself the client connects but once: after a first attempt that failed each operation finds its
  // topology closed.
  const ready = (): Promise<void> => {
    prepared ??= start();
    return prepared;
  };
  watchHeartbeats(client, () => {
    prepared = start(client.close());
    prepared.catch(() => undefined); // the next caller gets it
  });
  return {
    database,
    /**
     * Runs operations, at most `timeoutMs` in all. Throws `StoreUnavailable` when the server can't be reached
     * or doesn't answer in time (a write may then have been done, or be done yet), `StoreMisconfigured` for
     * what waiting does not mend.
     */
    run: async <T>(operations: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> => {
      try {
        return await within(ready().then(operations), timeoutMs, () => {
          throw new StoreUnavailable(`no answer within ${timeoutMs} ms`);
        });
      } catch (error) {
        throw failureOf(where, error);
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await client.close();
    },
  };
};

/**
 * Watches the client's heartbeats. Calls `stuck` when one of them has neither succeeded nor failed for longer
 * than one can take: by itself the client would find no server any more, ever. So ends a heartbeat that is
 * written to a connection while that breaks (mongodb 7.9.0: what waits for `drain` of a socket that is
 * destroyed already waits for good, and the next one starts when the last one has ended).
 */
const watchHeartbeats = (client: MongoClient, stuck: () => void): void => {
  const timers = new Map<string, NodeJS.Timeout>();
  const ended = (address: string): void => {
    clearTimeout(timers.get(address));
    timers.delete(address);
  };
  client.on('serverHeartbeatStarted', ({ connectionId: address }) => {
    ended(address);
    const late = (): void => void timers.set(address, setTimeout(stuck, TURN_MS).unref());
    timers.set(address, setTimeout(late, MAX_HEARTBEAT_MS).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId: address }) => ended(address));
  client.on('serverHeartbeatFailed', ({ connectionId: address }) => ended(address));
  client.on('serverClosed', ({ address }) => ended(address));
};

/** A heartbeat takes up to connectTimeoutMS and heartbeatFrequencyMS. */
const MAX_HEARTBEAT_MS = 4_600;
/** After a process was suspended its timers run first, before answers that have arrived. */
const TURN_MS = 150;

const open = (url: string): Readonly<{ client: MongoClient; database: Db }> => {
  try {
    const client = new MongoClient(url, OPTIONS);
    return { client, database: client.db(databaseOf(url)) };
  } catch (error) {
    // The client's messages can hold the string, and so a password.
    const reason = (error as Error).message.replaceAll(url, '…');
    throw new StoreMisconfigured(`the connection string of MongoDB can't be read: ${reason}`);
  }
};

const databaseOf = (url: string): string => {
  const [, name = ''] = /^[^:]+:\/\/[^/?]*\/([^?]*)/.exec(url) ?? [];
  return decodeURIComponent(name) || 'intake';
};

/** Majority reads and retried writes need a replica set; FerretDB has its own way to both. */
const check = async (client: MongoClient, where: string): Promise<void> => {
  const admin = client.db('admin');
  const { setName, msg } = await admin.command({ hello: 1 });
  if (setName !== undefined || msg === 'isdbgrid') return;
  const { ferretdbVersion, version } = await admin.command({ buildInfo: 1 });
  if (ferretdbVersion !== undefined) return;
  throw new StoreMisconfigured(
    `${where} (version ${version}) is no replica set: start it with --replSet and initiate it, one node will do`,
  );
};

/** A collection whose documents have text as `_id`. */
export type Named<T> = Collection<T & { _id: string }>;

/** The bytes of a document in MongoDB's form. */
export const sizeOf = (document: Document): number =>
  BSON.calculateObjectSize(document, { ignoreUndefined: true });
