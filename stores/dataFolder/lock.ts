import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase } from '../sqlite/database.ts';
import { isBusy } from '../sqlite/guard.ts';
import { readIfPresent } from './folder.ts';

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
      `DATA_DIR ${resolve(dataDir)} is served by process ${readIfPresent(owner) ?? '(unknown)'} already: stop that one, or set another DATA_DIR.`,
    );
  }
  writeFileSync(owner, String(process.pid), { mode: 0o600 });
  return () => {
    rmSync(owner, { force: true });
    lock.close();
  };
};
