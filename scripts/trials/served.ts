import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Server, type Settings, startServer } from '../demo/intake.ts';

/**
 * A folder that a trial works on: its path, and the settings of a service on it. `remove` takes it away,
 * where the trial made it.
 */
export type Folder = Readonly<{ path: string; settings: Settings; remove(): void }>;

/** The folder that `--data` names, made where it is missing, or a temporary one. */
export const folderOf = (options: readonly string[]): Folder => {
  const { values } = parseArgs({ args: [...options], options: { data: { type: 'string' } } });
  const path = values.data ? resolve(values.data) : mkdtempSync(join(tmpdir(), 'intake-trial-'));
  const remove = (): void => {
    if (!values.data) rmSync(path, { recursive: true, force: true });
  };
  return { path, settings: settingsOf(path), remove };
};

/** Settings of a service on a folder, on free ports and without limits. */
export const settingsOf = (path: string): Settings => ({
  PORT: '0',
  STORAGE_PORT: '0',
  DATA_DIR: path,
  LOG_LEVEL: 'error',
  RATE_LIMIT: '0',
});

/** Starts a service on the folder, does something with it, and stops it however that ended. */
export const whileServed = async <T>(
  settings: Settings,
  body: (server: Server) => Promise<T>,
): Promise<T> => {
  const server = await startServer(settings);
  try {
    return await body(server);
  } finally {
    await server.stop();
  }
};
