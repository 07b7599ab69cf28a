import { resolve } from 'node:path';
import * as folder from '../stores/dataFolder/folder.ts';
import * as keyFiles from '../stores/dataFolder/keys.ts';
import { claimDataDir } from '../stores/dataFolder/lock.ts';
import { hasUnmovedKeys, moveKeys } from '../stores/documents/sqlite/moveKeys.ts';
import { kmsRoot } from '../stores/keyring/kms.ts';
import { masterRoot, type Roots } from '../stores/keyring/root.ts';
import { type Config, embeddedParts, InvalidSettings, needsDataDir } from './settings/config.ts';

/** The settings that say where the data is. */
export type FolderConfig = Pick<Config, 'engines' | 'dataDir'>;
type RootConfig = FolderConfig & Pick<Config, 'masterKey' | 'previousMasterKey' | 'kms'>;

/** Whether DATA_DIR holds data of this service; true where no DATA_DIR is needed. */
export const hasData = ({ engines, dataDir }: FolderConfig): boolean =>
  !needsDataDir(engines) || folder.hasData(dataDir, embeddedParts(engines));

/** Refuses a DATA_DIR that holds no data, before anything is made in it. Throws `NoData`. */
export const requireData = ({ engines, dataDir }: FolderConfig): void => {
  if (needsDataDir(engines)) folder.requireData(dataDir, embeddedParts(engines));
};

/**
 * Makes DATA_DIR where one is needed, and makes this process the one that serves it; gives what ends that.
 * What an older release kept elsewhere in it is moved. Throws `DataDirInUse`, and `StoreUnavailable` when the
 * folder can't be used.
 */
export const claimFolder = ({ engines, dataDir }: FolderConfig): (() => void) | null => {
  if (!needsDataDir(engines)) return null;
  folder.makeDataDir(dataDir);
  const release = claimDataDir(dataDir);
  if (engines.mongoDbUrl === null) moveKeys(dataDir);
  return release;
};

/**
 * Moves what an older release kept elsewhere in the folder, unless a process serves it: that one is of the
 * older release. Throws `DataDirInUse`.
 */
export const upgradeFolder = (config: FolderConfig): void => {
  if (config.engines.mongoDbUrl === null && hasUnmovedKeys(config.dataDir)) claimFolder(config)?.();
};

/**
 * What wraps the wrapping keys: a key of KMS, else MASTER_KEY, else a file in DATA_DIR; folder and file are
 * made on first use. What MASTER_KEY or the file had wrapped before KMS opens too. Throws `DataDirDamaged`.
 */
export const rootsOf = (config: RootConfig): Roots => {
  const { engines, dataDir, masterKey, previousMasterKey, kms } = config;
  const hasFolder = needsDataDir(engines);
  if (hasFolder) folder.makeDataDir(dataDir);
  folder.checkFolder(dataDir, embeddedParts(engines), masterKey !== null || kms !== null);
  const given = masterKey && [masterKey, ...(previousMasterKey ? [previousMasterKey] : [])];
  if (kms) return kmsRoots(kms, () => given ?? (hasFolder ? keyFiles.formerMasterKeys(dataDir) : []), config);
  if (given) return masterRoots(() => given);
  keyFiles.embeddedMasterKeys(dataDir); // made before anything else in the folder
  return {
    ...masterRoots(() => keyFiles.embeddedMasterKeys(dataDir)),
    next: () => masterRoot(keyFiles.nextMasterKey(dataDir)),
    replace: () => keyFiles.replaceMasterKey(dataDir),
  };
};

const masterRoots = (master: Roots['master']): Roots => {
  const current = () => masterRoot(master()[0] as Uint8Array);
  return { master, kms: null, current, next: current, replace: () => undefined };
};

const kmsRoots = (
  { key, ...settings }: NonNullable<Config['kms']>,
  master: Roots['master'],
  { engines, dataDir }: FolderConfig,
): Roots => {
  const kms = kmsRoot(settings);
  const current = () => kms(key);
  const replace = () => {
    if (needsDataDir(engines)) keyFiles.removeMasterKeys(dataDir);
  };
  return { master, kms, current, next: current, replace };
};

/**
 * The seed of the key that signs exported evidence (32 bytes): EVIDENCE_KEY, else a file in DATA_DIR, made on
 * first use. Throws `InvalidSettings` where there is neither, `NoData` where the folder holds no data.
 */
export const evidenceSeed = (config: FolderConfig & Pick<Config, 'evidenceKey'>): Buffer => {
  if (config.evidenceKey) return config.evidenceKey;
  if (!needsDataDir(config.engines)) {
    const detail =
      'must be set to sign evidence when there is no DATA_DIR to keep a key in (openssl rand -base64 32)';
    throw new InvalidSettings([{ name: 'EVIDENCE_KEY', detail }]);
  }
  requireData(config);
  return keyFiles.embeddedEvidenceKey(config.dataDir);
};

/** The notice of a new folder: a command may have been run in the wrong one. */
export const madeFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  `Made a new data folder: ${resolve(dataDir)} (DATA_DIR).`;

/**
 * Where the data is, in words for people: `all` of it, its `log` and its read `models`. No secret is among
 * them.
 */
export type Locations = Readonly<{ all: string; log: string; models: string }>;

/** Names the locations of the data without the secrets of their addresses. */
export const locationsOf = ({ engines, dataDir }: FolderConfig): Locations => {
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
