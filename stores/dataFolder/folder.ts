import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreUnavailable } from '../../kernel/errors.ts';

/** Which stores lie in the data folder: those whose engine is not set. */
type EmbeddedParts = Readonly<{ log: boolean; documents: boolean; files: boolean }>;

/** A file in the data folder is not what it must be; waiting does not help. */
export class DataDirDamaged extends Error {
  override readonly name = 'DataDirDamaged';
}

/** DATA_DIR holds no data of this service: a command was started in the wrong folder. */
export class NoData extends Error {
  override readonly name = 'NoData';
}

/**
 * Makes the data folder, for its owner alone. Throws `StoreUnavailable`, which names the remedy, when it
 * can't be made or written to.
 */
export const makeDataDir = (dataDir: string): void => {
  const folder = resolve(dataDir);
  try {
    makeFolder(folder);
    // Ends with ENOTDIR for a file.
    accessSync(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StoreUnavailable(`DATA_DIR ${folder} ${unusable(error as NodeJS.ErrnoException, folder)}`, {
      cause: error,
    });
  }
};

const unusable = ({ code, message }: NodeJS.ErrnoException, folder: string): string => {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `can’t be written by the user with the id ${process.getuid?.()}, who runs this: give that user the folder (chown -R ${process.getuid?.()} '${folder}'), or set another DATA_DIR.`;
    case 'EROFS':
      return 'is on a file system that is mounted read-only: mount it for writing, or set another DATA_DIR.';
    case 'ENOTDIR':
      return 'is a file, or lies below one: set DATA_DIR to a folder.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'can’t be made: its disk is full. Free space on it, or set another DATA_DIR.';
    default:
      return `can’t be used: ${message}`;
  }
};

/** Node's own recursive mkdir never returns where nothing can be made, as in /proc. */
const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another command that starts at the same moment may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // What is stored in it is durable only if the folder's own name is.
  syncFolder(dirname(path));
};

/** The trimmed text of a file; null when there is none. */
export const readIfPresent = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** Makes the names in a folder durable. */
export const syncFolder = (folder: string): void => {
  const file = openSync(folder, 'r');
  fsyncSync(file);
  closeSync(file);
};

/** Whether the folder holds the embedded log or the embedded tables. */
export const hasData = (dataDir: string, { log, documents }: EmbeddedParts): boolean => {
  const stores = [...(log ? ['log.db'] : []), ...(documents ? ['tables.db'] : [])];
  // With files alone in it, the folder is made before any of them.
  const expected = stores.length > 0 ? stores : ['.'];
  return expected.some((name) => existsSync(join(dataDir, name)));
};

/** Refuses a folder that holds no data, before anything is made in it. Throws `NoData`. */
export const requireData = (dataDir: string, parts: EmbeddedParts): void => {
  if (!hasData(dataDir, parts)) throw new NoData(`DATA_DIR ${resolve(dataDir)} holds no data of Intake.`);
};

/**
 * Refuses a folder that has lost a file which can't be made again: with a new one in its place private data
 * would be lost silently. `hasOwnKey`: its master key is kept elsewhere. Only reads the folder. Throws
 * `DataDirDamaged`.
 */
export const checkFolder = (dataDir: string, parts: EmbeddedParts, hasOwnKey: boolean): void => {
  const folder = resolve(dataDir);
  // In this order, for another process may be making the folder now: key, tables, log.
  const hasLog = parts.log && isFilled(join(folder, 'log.db'));
  const hasTables = parts.documents && isFilled(join(folder, 'tables.db'));
  if (hasLog && parts.documents && !hasTables)
    throw new DataDirDamaged(
      `${join(folder, 'tables.db')} is missing or empty, but ${join(folder, 'log.db')} is there: without it no API key is known and no private data can be read. Restore it from a backup.`,
    );
  if (hasTables && !hasOwnKey && !isFilled(join(folder, 'master.key')))
    throw new DataDirDamaged(
      `${join(folder, 'master.key')} is missing or empty, but the folder holds data sealed under it. Restore the file, or set MASTER_KEY to the key that was used.`,
    );
};

const isFilled = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
