import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { receiptDefinition } from '../../test/support/definition.ts';
import { freePort } from '../../test/support/freePort.ts';
import { createTenant, startServer } from '../demo/intake.ts';

/**
 * A service with a company, its key, and the workflow `receipt`; and the document that it serves, as a file.
 */
export type World = Readonly<{
  url: string;
  key: string;
  folder: string;
  document: string;
  close(): Promise<void>;
}>;

/** Starts it, on ports that are free; `close` ends it and removes the folder. */
export const startWorld = async (): Promise<World> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'intake-clients-'));
  const settings = {
    PORT: String(port),
    STORAGE_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
  };
  const server = await startServer({ ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` });
  const close = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const definition = join(folder, 'receipt.workflow.json');
    writeFileSync(definition, JSON.stringify(receiptDefinition));
    const { key } = await createTenant(settings, 'ACME', definition);
    const document = join(folder, 'openapi.json');
    writeFileSync(document, await (await fetch(`${server.url}/openapi.json`)).text());
    return { url: server.url, key, folder, document, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** What a program of the main job is told by its environment. */
export const toldOf = ({ url, key }: World) => ({ INTAKE_URL: url, INTAKE_KEY: key });
