import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../../kernel/errors.ts';

const PREFIX = 'intake-work-';
/** Attempts end within minutes: an older folder is of a process that died. */
const ABANDONED_MS = 3_600_000;

/**
 * Makes an empty folder for the files in processing: in the data folder if there is one, else in the system's
 * temporary folder. Throws `StoreUnavailable` where that can't be written.
 */
export const makeWorkFolder = (dataDir: string | null) => {
  const path = dataDir === null ? inTemporaryFolder(tmpdir()) : inDataDir(dataDir);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Removes the files of a process that died: this process alone serves the folder. */
const inDataDir = (dataDir: string): string => {
  const folder = join(dataDir, 'work');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

/** Removes only old files: other processes may use the folder. */
const inTemporaryFolder = (folder: string): string => {
  try {
    for (const name of readdirSync(folder).filter((one) => one.startsWith(PREFIX)))
      removeOld(join(folder, name));
    return mkdtempSync(join(folder, PREFIX));
  } catch (error) {
    const { message } = error as Error;
    throw new StoreUnavailable(`The folder of temporary files (TMPDIR) can't be used: ${message}`, {
      cause: error,
    });
  }
};

/** Of a folder of this user alone. */
const removeOld = (folder: string): void => {
  const since = Date.now() - ABANDONED_MS;
  try {
    if (lstatSync(folder).uid !== process.getuid?.()) return;
    for (const name of readdirSync(folder)) {
      const attempt = join(folder, name);
      const { mtimeMs = since } = lstatSync(attempt, { throwIfNoEntry: false }) ?? {};
      if (mtimeMs < since) rmSync(attempt, { recursive: true, force: true });
    }
  } catch (error) {
    // It was removed since it was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};
