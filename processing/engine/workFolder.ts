import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreUnavailable } from '../../kernel/errors.ts';

const PREFIX = 'intake-work-';
/** Attempts end within minutes: an older folder is of a process that died, maybe on another machine. */
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

/** Removes what processes left that died: others may use the folder. */
const inTemporaryFolder = (folder: string): string => {
  try {
    for (const name of readdirSync(folder).filter((one) => one.startsWith(PREFIX)))
      if (isOfDead(name)) rmSync(join(folder, name), { recursive: true, force: true });
      else removeOld(join(folder, name));
    return mkdtempSync(join(folder, `${HERE}${OWN}-`));
  } catch (error) {
    const { message } = error as Error;
    throw new StoreUnavailable(`The folder of temporary files (TMPDIR) can't be used: ${message}`, {
      cause: error,
    });
  }
};

/**
 * How the names of this machine's folders begin, and then that of this process: its identifier may come
 * again.
 */
const HERE = `${PREFIX}${hostname()}-`;
const OWN = `${process.pid}-${Math.round(performance.timeOrigin)}`;

/** Whether a folder is of a process of this machine that is no more. */
const isOfDead = (name: string): boolean => {
  const [pid = Number.NaN, since] = name.startsWith(HERE)
    ? name.slice(HERE.length).split('-').map(Number)
    : [];
  if (!Number.isInteger(pid)) return false;
  if (pid === process.pid) return `${pid}-${since}` !== OWN;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
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
