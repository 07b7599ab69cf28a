import { createHmac, randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreUnavailable } from '../kernel/errors.ts';
import { isBusy, openDatabase } from '../stores/sqlite/database.ts';

/** Another process serves the same folder. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

/** A file in the data folder is not what it must be; waiting does not help. */
export class DataDirDamaged extends Error {
  override readonly name = 'DataDirDamaged';
}

/**
 * Makes the data folder, for its owner alone. Throws `StoreUnavailable`, which says what to do, when it can't
 * be made or written to.
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
      return 'can’t be made: its disk is full. Make room on it, or set another DATA_DIR.';
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

/**
 * The key that wraps the keys that seal private data: made on first use, kept in DATA_DIR with mode 0600. Whoever has it and the
 * data reads everything; without it the private data is gone: back it up apart.
 */
export const embeddedMasterKey = (dataDir: string): Buffer => keyIn(dataDir, 'master.key');

/** The seed of the key that signs exported evidence, made and kept likewise. Whoever has it can sign in this service's name. */
export const embeddedEvidenceKey = (dataDir: string): Buffer => keyIn(dataDir, 'evidence.key');

const keyIn = (dataDir: string, name: string): Buffer => {
  const path = join(dataDir, name);
  const found = readKey(path);
  if (found) return found;
  // Written whole under another name and linked: of two processes that start at once, the later one reads the first one's key.
  // The name is drawn, since in a container a successor has its dead predecessor's process id.
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  writeSync(file, `${randomBytes(32).toString('base64')}\n`);
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  // What is sealed or signed counts on the key from now on: its name must outlive a loss of power, too.
  syncFolder(dataDir);
  const made = readKey(path);
  if (!made) throw new Error(`${path} was there a moment ago and is gone`);
  return made;
};

const syncFolder = (folder: string): void => {
  const file = openSync(folder, 'r');
  fsyncSync(file);
  closeSync(file);
};

const readKey = (path: string): Buffer | null => {
  try {
    const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
    if (key.length !== 32) throw new DataDirDamaged(`${path} must hold 32 bytes in base64`);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** The embedded object store's credentials, made from the master key: no other secret to keep. */
export const embeddedCredentials = (masterKey: Buffer) => ({
  accessKeyId: 'intake-embedded',
  secretAccessKey: createHmac('sha256', masterKey).update('embedded object store').digest('hex'),
});

/**
 * Makes this process the one that serves the folder; the system ends its claim with the process, however it dies. Gives the
 * function that ends it. Throws `DataDirInUse`, which names the other process.
 */
export const claimDataDir = (dataDir: string): (() => void) => {
  const remedy = 'remove the file, which holds nothing';
  const lock = openDatabase(join(dataDir, 'serve.lock'), { synchronous: 'NORMAL', busyMs: 100, remedy });
  const owner = join(dataDir, 'serve.pid');
  try {
    lock.exec('BEGIN IMMEDIATE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataDirInUse(
      `DATA_DIR ${resolve(dataDir)} is served by process ${readOwner(owner)} already: stop that one, or set another DATA_DIR.`,
    );
  }
  const file = openSync(owner, 'w', 0o600);
  writeSync(file, String(process.pid));
  closeSync(file);
  return () => {
    rmSync(owner, { force: true });
    lock.close();
  };
};

const readOwner = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '(unknown)';
    throw error;
  }
};
