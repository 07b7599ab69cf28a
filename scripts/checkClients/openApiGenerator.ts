import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApi } from '../../http/openapi/types.ts';
import { jar, kept, pythonPackages } from './cache.ts';
import { PYTHON } from './openApiPythonClient.ts';
import { compileTypeScript } from './openApiTypeScript.ts';
import type { Check } from './row.ts';
import { run } from './run.ts';
import { toldOf, type World } from './world.ts';

const VERSION = '7.17.0';
const JAVA = [['java', '-version'], ['mvn']] as const;
const file = (name: string): string =>
  fileURLToPath(new URL(`../../../scripts/checkClients/${name}`, import.meta.url));

/**
 * All operations but those of webhooks, which are requests to the reader: the generator for Python writes
 * them without types, which is no Python.
 */
const ownOperations = ({ document }: World): string => {
  const { tags } = JSON.parse(readFileSync(document, 'utf8')) as OpenApi;
  const names = tags.map(({ name }) => name).filter((name) => name !== 'Webhooks');
  return names.map((name) => name.replaceAll(/\W/g, '_')).join(':');
};

const generate = async (
  language: string,
  world: World,
  folder: string,
  ...options: readonly string[]
): Promise<void> => {
  const path = await jar('org.openapitools', 'openapi-generator-cli', VERSION);
  const args = ['-jar', path, 'generate', '-g', language, '-i', world.document, '-o', folder];
  const parts = `models,supportingFiles,apis${language === 'python' ? `=${ownOperations(world)}` : ''}`;
  const left = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  await run('java', [...args, ...options, '--global-property', `${parts},${left}`]);
};

/** A check that generates a client of openapi-generator, then goes on. */
const generated = (
  language: string,
  needs: Check['needs'],
  options: readonly string[],
  compile: (folder: string) => Promise<unknown>,
  job?: (world: World, folder: string) => Promise<unknown>,
): Check => ({
  version: VERSION,
  needs: [...JAVA, ...needs],
  steps: ['generated', 'compiled', ...(job ? (['job'] as const) : [])],
  check: async (world, folder, notes) => {
    await generate(language, world, folder, ...options);
    notes.generated = true;
    await compile(folder);
    notes.compiled = true;
    if (!job) return;
    await job(world, folder);
    notes.job = true;
  },
});

/** Its Python: every module is imported, and no import warns. */
export const generatedPython: Check = generated('python', [PYTHON], [], async (folder) => {
  const packages = [
    'urllib3==2.6.1',
    'python-dateutil==2.9.0.post0',
    'pydantic==2.14.4',
    'typing-extensions==4.16.0',
  ];
  const python = join(await pythonPackages(`openapi-generator-python-${VERSION}`, packages), 'python');
  await run(python, ['-W', 'error', file('importAll.py'), 'openapi_client'], {
    folder,
    env: { PYTHONPATH: folder },
  });
});

/** Its Go. Constants of two enumerations have one name unless they begin with that of their type. */
export const generatedGo: Check = generated(
  'go',
  [['go', 'version']],
  [
    '--additional-properties=enumClassPrefix=true,packageName=intake',
    ...'--git-host example.com --git-user-id intake --git-repo-id client'.split(' '),
  ],
  (folder) => {
    mkdirSync(join(folder, 'mainjob'), { recursive: true });
    copyFileSync(file('mainJob.go.txt'), join(folder, 'mainjob', 'main.go'));
    return run('go', ['build', './...'], { folder, env: { GOFLAGS: '-mod=mod' } });
  },
  (world, folder) =>
    run('go', ['run', './mainjob'], { folder, env: { GOFLAGS: '-mod=mod', ...toldOf(world) } }),
);

/** Its TypeScript over fetch. */
export const generatedTypeScript: Check = generated('typescript-fetch', [], [], (folder) =>
  compileTypeScript(folder, 'index.ts', '--noEmit', '--moduleResolution', 'bundler', '--module', 'esnext'),
);

/** Its Java, with the libraries that it names. */
export const generatedJava: Check = generated('java', [['javac', '-version']], [], (folder) =>
  run('mvn', ['-q', '-B', 'compile'], { folder }),
);

/** Its Rust. */
export const generatedRust: Check = generated('rust', [['cargo']], [], (folder) =>
  run('cargo', ['check', '--quiet'], { folder, env: { CARGO_TARGET_DIR: kept('cargo') } }),
);
