import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonPackages } from './cache.ts';
import type { Check } from './row.ts';
import { run } from './run.ts';
import { toldOf } from './world.ts';

export const PYTHON: Check['needs'][number] = [
  'python3',
  '-c',
  'import sys, venv; assert sys.version_info >= (3, 10)',
];
const VERSION = '0.29.1';
const file = (name: string): string =>
  fileURLToPath(new URL(`../../../scripts/checkClients/${name}`, import.meta.url));

/**
 * The client of openapi-python-client: mypy checks it, every module is imported, and it does the main job.
 */
export const openApiPythonClient: Check = {
  version: VERSION,
  needs: [PYTHON],
  steps: ['generated', 'compiled', 'job', 'warnings'],
  check: async (world, folder, notes) => {
    const packages = [
      `openapi-python-client==${VERSION}`,
      'mypy==2.4.1',
      'types-python-dateutil==2.9.0.20260518',
    ];
    const commands = await pythonPackages(`openapi-python-client-${VERSION}`, packages);
    const client = join(folder, 'intake_client');
    const args = ['generate', '--path', world.document, '--output-path', client, '--meta', 'none'];
    const config = ['--config', file('openApiPythonClient.yaml')];
    const output = await run(join(commands, 'openapi-python-client'), [...args, ...config], { folder });
    notes.generated = true;
    notes.warnings = output.split('WARNING').length - 1;
    if (notes.warnings > 0) throw new Error(output);
    const python = join(commands, 'python');
    await run(python, ['-W', 'error', file('importAll.py'), 'intake_client'], {
      folder,
      env: { PYTHONPATH: folder },
    });
    await run(python, ['-m', 'mypy', '--no-error-summary', 'intake_client'], { folder });
    notes.compiled = true;
    await run(python, ['-W', 'error', file('mainJob.py')], {
      folder,
      env: { ...toldOf(world), PYTHONPATH: folder },
    });
    notes.job = true;
  },
};
