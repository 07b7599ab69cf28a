import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTenant, type Server, type Settings, startServer } from '../scripts/demo/intake.ts';
import { engineSettings, withoutEngines } from './engineSettings.ts';

/** The definition of the workflow `receipt`. */
export const WORKFLOW = fileURLToPath(
  new URL('../../scripts/samples/receipt.workflow.json', import.meta.url),
);

/**
 * Settings of a service on the embedded stores, whatever the environment names, in a folder: free ports, no
 * limit on requests, few log lines.
 */
export const ownSettings = (dataDir: string) => ({
  ...withoutEngines,
  ...{ PORT: '0', STORAGE_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT: '0' },
});

/** The same on the engines that the environment names. */
export const serviceSettings = (dataDir: string) => ({ ...ownSettings(dataDir), ...engineSettings() });

type Served = Readonly<{ server: Server; key: string; folder: string }>;

/**
 * Runs `body` beside a service that has the workflow `receipt` and a company with a key. `folder` goes with
 * the service; its data are in a folder within.
 */
export const withService = async <T>(
  body: (served: Served) => Promise<T>,
  settings: Settings = {},
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
  const all = { ...serviceSettings(join(folder, 'data')), ...settings };
  try {
    const server = await startServer(all);
    try {
      const { key } = await createTenant(all, 'Bench', WORKFLOW);
      return await body({ server, key, folder });
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
