import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase } from '../sqlite/database.ts';
import { isBusy } from '../sqlite/guard.ts';

/** Another process serves the same folder. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

/**
 * Makes this process the one that serves the folder; the system ends its claim with the process, however it
 * dies. Gives the function that ends it. Throws `DataDirInUse`, which names the other process.
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
