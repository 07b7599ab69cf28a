import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../../kernel/errors.ts';

/** Where files lie while they are processed; `remove` takes it away. */
export type WorkFolder = Readonly<{ path: string; remove(): void }>;

const PREFIX = 'intake-work-';
/** Attempts end within minutes: an older one was left behind by a process that died. */
const ABANDONED_MS = 3_600_000;

/**
 * Makes an empty folder to work in: in the data folder if there is one, else among the system's temporary files. Throws `StoreUnavailable` where those
 * can't be written.
 */
export const makeWorkFolder = (dataDir: string | null): WorkFolder => {
  const path = dataDir === null ? amongTemporary(tmpdir()) : inDataDir(dataDir);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Files of attempts that a dead predecessor left behind are removed: this process alone serves the folder. */
const inDataDir = (dataDir: string): string => {
  const folder = join(dataDir, 'work');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

/** Others may be at work beside it: of them only what is old is removed. */
const amongTemporary = (folder: string): string => {
  try {
    for (const name of readdirSync(folder).filter((one) => one.startsWith(PREFIX))) clear(join(folder, name));
    return mkdtempSync(join(folder, PREFIX));
  } catch (error) {
    const { message } = error as Error;
    throw new StoreUnavailable(`The folder of temporary files (TMPDIR) can't be used: ${message}`, {
      cause: error,
    });
  }
};

const clear = (folder: string): void => {
  const since = Date.now() - ABANDONED_MS;
  for (const attempt of ownAttempts(folder)) {
    const { mtimeMs = since } = lstatSync(attempt, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < since) rmSync(attempt, { recursive: true, force: true });
  }
};

/** None of a folder that is another user's, or that was removed just now. */
const ownAttempts = (folder: string): readonly string[] => {
  try {
    if (lstatSync(folder).uid !== process.getuid?.()) return [];
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};
