import { join } from 'node:path';
import { uploadRefusal } from '../commands/uploadRefusal.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Report } from '../kernel/report.ts';
import { embeddedCredentials } from '../stores/dataFolder/keys.ts';
import type { EventLog } from '../stores/events/log.ts';
import type { EventStore } from '../stores/events/port.ts';
import type { Keyring } from '../stores/keyring/keyring.ts';
import type { ObjectReader, ObjectStore } from '../stores/objects/port.ts';
import type { FolderConfig } from './dataFolder.ts';
import type { Config, S3Engine } from './settings/config.ts';

// Each driver is loaded when it is chosen: what an engine's client brings would slow the start of those who
// do without it.

/** The log: EventStoreDB if it is set, else a file in DATA_DIR. */
export const openEvents = async ({ dataDir, engines }: FolderConfig): Promise<EventStore> => {
  if (engines.eventStoreDbUrl !== null) {
    const { eventStoreDb } = await import('../stores/events/eventstoredb.ts');
    return eventStoreDb({ connectionString: engines.eventStoreDbUrl });
  }
  const { sqliteEventStore } = await import('../stores/events/sqlite.ts');
  return sqliteEventStore({ path: join(dataDir, 'log.db') });
};

/** A command beside the service sees its read models so much later where it is quiet. */
const GATHER_MS = 200;

/** Read models, tables and leases: MongoDB if it is set, else files in DATA_DIR. */
export const openDocuments = async (
  { engines, dataDir }: FolderConfig,
  clock: Clock,
  report: Report,
  isServing: boolean,
) => {
  if (engines.mongoDbUrl !== null) {
    const { mongoDocumentStore } = await import('../stores/documents/mongodb.ts');
    return mongoDocumentStore({ url: engines.mongoDbUrl });
  }
  const { sqliteDocumentStore } = await import('../stores/documents/sqlite.ts');
  return sqliteDocumentStore({ folder: dataDir, clock, report, gatherMs: isServing ? GATHER_MS : 0 });
};

/** An object store, the address that clients reach it at, and what ends it. */
type Storage = Readonly<{ objects: ObjectStore; url: string; close(): Promise<void> }>;

type StorageConfig = FolderConfig &
  Pick<Config, 'host' | 'storagePort' | 'storagePublicUrl' | 'storageOrigins'>;
type StorageCore = Readonly<{
  keyring: Pick<Keyring, 'derive'>;
  clock: Clock;
  log: EventLog;
  report: Report;
}>;

/**
 * Uploads and evidence: a bucket if one is set, else a folder in DATA_DIR after an S3 endpoint of our own,
 * which `close` ends.
 */
export const openObjects = (config: StorageConfig, core: StorageCore): Promise<Storage> => {
  const { s3 } = config.engines;
  return s3 === null ? embeddedStorage(config, core) : bucketStorage(s3, core.clock);
};

/**
 * The same files, to be read or removed beside the process that serves the folder. `close` ends what it
 * opened.
 */
export const openFiles = async (
  { engines, dataDir }: FolderConfig,
  clock: Clock,
): Promise<ObjectReader & Pick<ObjectStore, 'removeAll' | 'close'>> => {
  if (engines.s3 !== null) return (await bucketStorage(engines.s3, clock)).objects;
  const { folderReader } = await import('../stores/objects/embedded/folderStore.ts');
  const { removeAllIn } = await import('../stores/objects/embedded/removeAll.ts');
  const folder = join(dataDir, 'objects');
  const folders = { parts: join(folder, 'parts'), incoming: join(folder, 'incoming') };
  return {
    ...folderReader(folder),
    removeAll: (prefix) => removeAllIn(folder, prefix, folders),
    close: async () => undefined,
  };
};

const bucketStorage = async (s3: S3Engine, clock: Clock): Promise<Storage> => {
  const { s3ObjectStore } = await import('../stores/objects/s3/store.ts');
  const { endpoint, publicEndpoint, encryption, credentials, ...place } = s3;
  const objects = s3ObjectStore({
    ...place,
    clock,
    ...(endpoint === null ? {} : { endpoint }),
    ...(publicEndpoint === null ? {} : { publicEndpoint }),
    ...(encryption === null ? {} : { serverSideEncryption: encryption }),
    ...(credentials === null ? {} : { credentials }),
  });
  const url = publicEndpoint ?? endpoint ?? `https://s3.${s3.region}.amazonaws.com`;
  return { objects, url, close: objects.close };
};

const embeddedStorage = async (
  config: StorageConfig,
  { keyring, clock, log, report }: StorageCore,
): Promise<Storage> => {
  const { embeddedObjects } = await import('../stores/objects/embedded.ts');
  const { objects, url, close } = await embeddedObjects({
    ...{ bucket: 'intake', region: 'us-east-1', credentials: embeddedCredentials(keyring.derive), clock },
    folder: join(config.dataDir, 'objects'),
    host: config.host,
    port: config.storagePort,
    ...(config.storagePublicUrl === null ? {} : { publicUrl: config.storagePublicUrl }),
    origins: config.storageOrigins,
    uploadRefusal: uploadRefusal({ log, clock }),
    report: (error) => report.error('the object store endpoint failed', { err: error }),
    warn: report.warn,
  });
  return { objects, url: config.storagePublicUrl ?? url, close };
};
