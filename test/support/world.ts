import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from './client.ts';
import { freePorts } from './freePort.ts';
import { type ServerProcess, startServerProcess } from './process.ts';
import { testSettings } from './service.ts';
import { createTenant } from './tenant.ts';

/**
 * A service in a process of its own on a folder of its own, and a company with a key: `api`. Its address
 * stays the same when it is started again. `more`: settings, given the folder.
 */
export const openWorld = async (more: (dataDir: string) => Readonly<Record<string, string>> = () => ({})) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'intake-world-'));
  const settings = testSettings(dataDir, { ...(await freePorts()), ...more(dataDir) });
  const tenant = await createTenant(settings);
  const url = `http://127.0.0.1:${settings.PORT}`;
  let last: ServerProcess | undefined;
  /** The process that was started last. */
  const server = (): ServerProcess => {
    if (!last) throw new Error('no server was started');
    return last;
  };
  const start = async (): Promise<void> => {
    last = await startServerProcess(settings);
  };
  return {
    ...{ dataDir, settings, ...tenant, url, api: client(url, tenant.key), server, start },
    restart: async (): Promise<void> => {
      await server().kill();
      await start();
    },
    /** Ends the service, and removes the folder. */
    close: async (): Promise<void> => {
      await last?.kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export type World = Awaited<ReturnType<typeof openWorld>>;
