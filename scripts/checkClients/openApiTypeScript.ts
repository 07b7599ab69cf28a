import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Check } from './row.ts';
import { run } from './run.ts';
import { toldOf } from './world.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const command = (name: string): string => join(root, 'client/node_modules/.bin', name);
const { version } = JSON.parse(
  readFileSync(join(root, 'client/node_modules/openapi-typescript/package.json'), 'utf8'),
);

const nodeTypes = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];

/** Compiles TypeScript strictly; gives nothing, throws with the faults. */
export const compileTypeScript = (
  folder: string,
  file: string,
  ...more: readonly string[]
): Promise<string> =>
  run(
    command('tsc'),
    [...'--strict --target es2022 --lib es2022,dom --module nodenext'.split(' '), ...more, file],
    { folder },
  );

/** The types of openapi-typescript, and the main job with them and `fetch`. */
export const openApiTypeScript: Check = {
  version,
  needs: [],
  steps: ['generated', 'compiled', 'job'],
  check: async (world, folder, notes) => {
    await run(command('openapi-typescript'), [world.document, '--output', join(folder, 'client', 'api.ts')]);
    notes.generated = true;
    const program = 'scripts/checkClients/mainJob';
    mkdirSync(join(folder, 'scripts/checkClients'), { recursive: true });
    copyFileSync(join(root, `${program}.ts`), join(folder, `${program}.ts`));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    await compileTypeScript(folder, `${program}.ts`, '--rewriteRelativeImportExtensions', ...nodeTypes);
    notes.compiled = true;
    await run(process.execPath, [`${program}.js`], { folder, env: toldOf(world) });
    notes.job = true;
  },
};
