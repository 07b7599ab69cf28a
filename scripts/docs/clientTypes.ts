import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../runtime/serve.ts';
import { readConfig } from '../../runtime/settings/config.ts';

/**
 * The types of the client, `client/api.ts`, as openapi-typescript makes them from an OpenAPI document (JSON).
 */
export const clientTypes = (document: string): string =>
  execFileSync('npm', ['run', '--silent', '--prefix', 'client', 'types'], {
    input: document,
    encoding: 'utf8',
    maxBuffer: MAX_BYTES,
  });

/** Far more than the types take. */
const MAX_BYTES = 100_000_000;

/** The OpenAPI document (JSON) as a service with default settings serves it; one is started for that. */
export const servedDocument = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-docs-'));
  try {
    const config = readConfig({ PORT: '0', STORAGE_PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' });
    const service = await serve(config, ['api']);
    try {
      return await (await fetch(`${service.url}/openapi.json`)).text();
    } finally {
      await service.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
