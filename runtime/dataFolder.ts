import { resolve } from 'node:path';
import * as folder from '../stores/dataFolder/folder.ts';
import { embeddedEvidenceKey, embeddedMasterKey } from '../stores/dataFolder/keys.ts';
import { claimDataDir } from '../stores/dataFolder/lock.ts';
import { type Config, embeddedParts, InvalidSettings, needsDataDir } from './settings/config.ts';

/** Whether DATA_DIR holds data of this service; true where no DATA_DIR is needed. */
export const hasData = ({ engines, dataDir }: Config): boolean =>
  !needsDataDir(engines) || folder.hasData(dataDir, embeddedParts(engines));

/** Refuses a DATA_DIR that holds no data, before anything is made in it. Throws `NoData`. */
export const requireData = ({ engines, dataDir }: Config): void => {
  if (needsDataDir(engines)) folder.requireData(dataDir, embeddedParts(engines));
};

/**
 * Makes DATA_DIR where one is needed, and makes this process the one that serves it; gives what ends that.
 * Throws `DataDirInUse`, and `StoreUnavailable` when the folder can't be used.
 */
export const claimFolder = ({ engines, dataDir }: Config): (() => void) | null => {
  if (!needsDataDir(engines)) return null;
  folder.makeDataDir(dataDir);
  return claimDataDir(dataDir);
};

/** MASTER_KEY, else a file in DATA_DIR; folder and file are made on first use. Throws `DataDirDamaged`. */
export const masterKeyOf = ({ engines, dataDir, masterKey }: Config): Buffer => {
  if (needsDataDir(engines)) folder.makeDataDir(dataDir);
  folder.checkFolder(dataDir, embeddedParts(engines), masterKey !== null);
  return masterKey ?? embeddedMasterKey(dataDir);
};

/**
 * The seed of the key that signs exported evidence (32 bytes): EVIDENCE_KEY, else a file in DATA_DIR, made on
 * first use. Throws `InvalidSettings` where there is neither, `NoData` where the folder holds no data.
 */
export const evidenceSeed = (config: Config): Buffer => {
  if (config.evidenceKey) return config.evidenceKey;
  if (!needsDataDir(config.engines)) {
    const detail =
      'must be set to sign evidence when there is no DATA_DIR to keep a key in (openssl rand -base64 32)';
    throw new InvalidSettings([{ name: 'EVIDENCE_KEY', detail }]);
  }
  requireData(config);
  return embeddedEvidenceKey(config.dataDir);
};

/** The notice of a new folder: a command may have been run in the wrong one. */
export const madeFolder = ({ dataDir }: Config): string =>
  `Made a new data folder: ${resolve(dataDir)} (DATA_DIR).`;

/**
 * Where the data is, in words for people: `all` of it, its `log` and its read `models`. No secret is among
 * them.
 */
export type Locations = Readonly<{ all: string; log: string; models: string }>;

/** Names the locations of the data without the secrets of their addresses. */
export const locationsOf = ({ engines, dataDir }: Pick<Config, 'engines' | 'dataDir'>): Locations => {
  const { eventStoreDbUrl, mongoDbUrl, s3 } = engines;
  const log = eventStoreDbUrl && `EventStoreDB at ${hostsOf(eventStoreDbUrl)}`;
  const models = mongoDbUrl && `MongoDB at ${hostsOf(mongoDbUrl)}`;
  const files = s3 && `the bucket ${s3.bucket}${s3.endpoint ? ` at ${hostsOf(s3.endpoint)}` : ''}`;
  const folder = needsDataDir(engines) ? resolve(dataDir) : null;
  return {
    all: [log, models, files, folder].filter((place) => place !== null).join(', '),
    log: log ?? 'log.db',
    models: models ?? 'models.db',
  };
};

const hostsOf = (url: string): string => url.replace(/^[\w+]+:\/\/(?:[^/?#]*@)?([^/?#]*).*$/, '$1');
