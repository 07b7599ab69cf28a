import { randomBytes } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataDirDamaged, readIfPresent, syncFolder } from './folder.ts';

const MASTER = 'master.key';
/** Beside it while a rotation replaces it: what is wrapped may need either. */
const NEXT_MASTER = 'master.key.next';

/**
 * The key that wraps the keys that seal private data: made on first use, kept in DATA_DIR with mode 0600.
 * Whoever has it and the data reads everything; without it the private data is lost: back it up apart. While
 * a rotation replaces it, the new one comes after it.
 */
export const embeddedMasterKeys = (dataDir: string): readonly Buffer[] => {
  const next = readKey(join(dataDir, NEXT_MASTER));
  return [keyIn(dataDir, MASTER), ...(next ? [next] : [])];
};

/** As `embeddedMasterKeys`, but makes none. */
export const formerMasterKeys = (dataDir: string): readonly Buffer[] =>
  [MASTER, NEXT_MASTER].flatMap((name) => readKey(join(dataDir, name)) ?? []);

/** Removes the master key from the folder: nothing may be wrapped by it any longer. */
export const removeMasterKeys = (dataDir: string): void => {
  for (const name of [MASTER, NEXT_MASTER]) rmSync(join(dataDir, name), { force: true });
  syncFolder(dataDir);
};

/** The key that replaces the master key: made by the first call, the same until `replaceMasterKey`. */
export const nextMasterKey = (dataDir: string): Buffer => keyIn(dataDir, NEXT_MASTER);

/** Lets that key be the master key, at once; nothing may be wrapped by the former one any longer. */
export const replaceMasterKey = (dataDir: string): void => {
  renameSync(join(dataDir, NEXT_MASTER), join(dataDir, MASTER));
  syncFolder(dataDir);
};

/**
 * The seed of the key that signs exported evidence, made and kept likewise. Whoever has it can sign in this
 * service's name.
 */
export const embeddedEvidenceKey = (dataDir: string): Buffer => keyIn(dataDir, 'evidence.key');

const keyIn = (dataDir: string, name: string): Buffer => {
  const path = join(dataDir, name);
  const found = readKey(path);
  if (found) return found;
  // Written whole under another name and linked: of two processes that start at once, the later one reads the
  // first one's key.
  // The name is drawn, since in a container a successor has its dead predecessor's process id.
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const text = `${randomBytes(32).toString('base64')}\n`;
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true });
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
  if (!made) throw new Error(`${path} existed a moment ago and was removed`);
  return made;
};

const readKey = (path: string): Buffer | null => {
  const text = readIfPresent(path);
  if (text === null) return null;
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new DataDirDamaged(`${path} must hold 32 bytes in base64`);
  return key;
};

/**
 * The embedded object store's credentials, made from the naming key, which is there once the
 * service has started: no other secret to keep.
 */
export const embeddedCredentials = (derive: (purpose: string) => string) => ({
  accessKeyId: 'intake-embedded',
  get secretAccessKey() {
    return derive('embedded object store');
  },
});
