import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createTenant, type Server, type Settings, startServer, type Tenant } from '../demo/intake.ts';

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

/** Makes a company that may use a workflow, and a key; the definition is written to the folder `path`. */
export const admitted = (
  settings: Settings,
  path: string,
  definition: Readonly<{ slug: string }>,
): Promise<Tenant> => {
  mkdirSync(path, { recursive: true });
  const file = join(path, `${definition.slug}.workflow.json`);
  writeFileSync(file, JSON.stringify(definition));
  return createTenant(settings, 'Trial', file);
};

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

/** A process that can be killed, and started again. */
export type Killable = Readonly<{ kill(): Promise<void>; start(): Promise<void> }>;

/** A service whose addresses stay the same: `settings` name its ports. */
export const killableService = (settings: Settings): Killable => {
  let server: Server | null = null;
  return {
    start: async () => {
      server = await startServer(settings);
    },
    kill: async () => {
      if (server === null) return;
      process.kill(server.pid, 'SIGKILL');
      await server.ended;
      server = null;
    },
  };
};
