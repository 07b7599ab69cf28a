import { fileURLToPath } from 'node:url';
import { npmPackage } from './cache.ts';
import type { Check } from './row.ts';
import { run } from './run.ts';

const file = (name: string): string =>
  fileURLToPath(new URL(`../../../scripts/checkClients/${name}`, import.meta.url));

const REDOCLY = '2.77.0';
const SPECTRAL = '6.16.3';

/** The recommended rules of Redocly; warnings are faults. */
export const redocly: Check = {
  version: REDOCLY,
  needs: [['npm']],
  steps: [],
  check: async ({ document }, folder) => {
    const commands = await npmPackage('@redocly/cli', REDOCLY);
    const args = ['lint', '--config', file('redocly.yaml'), '--format', 'stylish', document];
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const output = await run(`${commands}/redocly`, args, { folder, env });
    if (/You have \d+ warning/.test(output)) throw new Error(output);
  },
};

/** The rules of Spectral for OpenAPI; it fails at warnings too. */
export const spectral: Check = {
  version: SPECTRAL,
  needs: [['npm']],
  steps: [],
  check: async ({ document }, folder) => {
    const commands = await npmPackage('@stoplight/spectral-cli', SPECTRAL);
    const args = ['lint', '--ruleset', file('spectral.yaml'), '--fail-severity', 'warn', document];
    await run(`${commands}/spectral`, args, { folder });
  },
};
