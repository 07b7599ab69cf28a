import { existsSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { type Dependencies, dependencyFaults } from './architecture/dependencies.ts';
import { sources } from './architecture/sources.ts';
import { suite } from './harness.ts';

const test = suite('dependencies');

type Versions = Readonly<Record<string, string>>;
type Manifest = Readonly<{
  dependencies?: Versions;
  optionalDependencies?: Versions;
  devDependencies: Versions;
  scripts: Versions;
  allowScripts?: Readonly<Record<string, boolean>>;
}>;
type Lock = Readonly<{ packages: Readonly<Record<string, Readonly<{ hasInstallScript?: boolean }>>> }>;
const read = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest;
const manifest = read('package.json');
const client = read('client/package.json');
/** Without what is a folder of ours: the client, and what stands in for what another package asks for. */
const versions: Versions = Object.fromEntries(
  Object.entries({
    ...client.devDependencies,
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.devDependencies,
  }).filter(([, version]) => !version.startsWith('file:')),
);
/** They hold imports as text, to plant faults. */
const PLANTING = ['test/architecture.test.ts', 'test/dependencies.test.ts'];
const ours: Dependencies = {
  installed: Object.keys(versions),
  documented: readFileSync('docs/dependencies.md', 'utf8'),
  sources: sources().filter(({ path }) => !PLANTING.includes(path)),
  commands: Object.values({ ...manifest.scripts, ...client.scripts }).join('\n'),
};

test('docs/dependencies.md and package.json name the same packages, and each one is used', () => {
  assert.ok(ours.installed.includes('koa') && ours.sources.length > 0);
  assert.equal(dependencyFaults(ours), []);
});

test('every version is exact', () => {
  for (const [name, version] of Object.entries(versions)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

test('the lock file names no registry', () => {
  assert.not.match(readFileSync('package-lock.json', 'utf8'), /"resolved": "http/);
});

/** What the install scripts of packages do: nothing that matters, where they are not denied. */
const SCRIPTS = { 'onnxruntime-node': 'denied', protobufjs: 'prints', 'tesseract.js': 'prints' } as const;
const name = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test('no package is installed by a script: what would fetch libraries is denied, to old npm by its setting', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const scripted = Object.entries(packages).flatMap(([path, one]) =>
    one.hasInstallScript ? name(path) : [],
  );
  assert.equal(scripted.filter((one) => one !== '').sort(), Object.keys(SCRIPTS).sort());
  assert.equal(manifest.allowScripts, { 'onnxruntime-node': false });
  assert.is(readFileSync('.npmrc', 'utf8'), 'onnxruntime-node-install=skip\n');
});

test('the library that recognises text comes with its package, for each platform of the image', () => {
  const folder = 'node_modules/onnxruntime-node/bin/napi-v6/linux';
  for (const platform of ['x64', 'arm64']) assert.ok(existsSync(`${folder}/${platform}/libonnxruntime.so.1`));
});

const installed = [...ours.installed, 'left-pad'];
const documented = `${ours.documented}\n| \`koa\`, \`left-pad\` | pads | small |\n`;
const planted: readonly Readonly<{
  what: string;
  change: Partial<Dependencies>;
  faults: readonly string[];
}>[] = [
  {
    what: 'an installed package that the page leaves out',
    change: {
      installed,
      sources: [...ours.sources, { path: 'cli/a.ts', text: "import pad from 'left-pad';" }],
    },
    faults: ['left-pad is not in docs/dependencies.md'],
  },
  {
    what: 'a package of the page that is not installed',
    change: { documented },
    faults: ['left-pad is in docs/dependencies.md and not in package.json'],
  },
  {
    what: 'a package that no file imports',
    change: { installed, documented },
    faults: ['no file imports left-pad'],
  },
  {
    what: 'a tool that no command calls',
    change: { commands: 'biome check; openapi-typescript' },
    faults: ['no file imports typescript'],
  },
];
for (const { what, change, faults } of planted)
  test(`${what} is a fault`, () => assert.equal(dependencyFaults({ ...ours, ...change }), faults));
