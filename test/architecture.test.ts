import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { architectureFaults, EXCEPTIONS, importsOf, shippedVendors } from './architecture/rules.ts';
import { sources } from './architecture/sources.ts';
import { suite } from './harness.ts';

const test = suite('architecture');

test('every arrow of the design holds, and each package is imported in one file', () => {
  const all = sources();
  for (const path of ['kernel/event.ts', 'runtime/wire.ts', 'stores/events/sqlite.ts', 'http/engine/app.ts'])
    assert.ok(
      all.some((source) => source.path === path),
      `${path} was read`,
    );
  assert.equal(architectureFaults(all), []);
});

test('no service code joins signals in a way that keeps something of each piece of work', () => {
  // On Node.js 20 each AbortSignal.any leaves something behind in its sources, which here live as long as the
  // service.
  const joining = sources().filter(
    ({ path, text }) => !/^(test|console)\//.test(path) && text.includes('AbortSignal.any('),
  );
  assert.equal(
    joining.map(({ path }) => path),
    [],
  );
});

/**
 * The executable, what pages and a worker of a page begin with, and what deploy/eventstoredb/user.mjs runs.
 */
const BEGINNINGS = [
  ...['cli/intake.ts', 'console/frame/main.tsx', 'console/screens/submission/patternWorker.ts'],
  ...['http/docs/browser/main.ts', 'stores/events/eventstoredb/userProgram.ts'],
];

test('every source of the product is imported, but those that a process or a page begins with', () => {
  const product = sources().filter(({ path }) => !/^(test|bench|scripts)\/|\.d\.ts$/.test(path));
  const begun = /new URL\('\.\/(\w+)\.js'/g;
  const used = new Set(
    sources()
      .filter(({ path }) => !/^(test|bench)\//.test(path))
      .flatMap((source) => [
        ...importsOf(source).map(({ to }) => to),
        ...[...source.text.matchAll(begun)].map(([, name]) => join(dirname(source.path), `${name}.ts`)),
      ]),
  );
  assert.equal(
    product
      .map(({ path }) => path)
      .filter((path) => !used.has(path))
      .sort(),
    BEGINNINGS,
    'a file that no list has: a projection, a type, a check, a screen, routes',
  );
});

test('comments are no wider than 110 columns', () => {
  const wide = sources().flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => line.length > 110 && /^\s*(\/\/|\/?\*)/.test(line) && !line.includes('biome-ignore'))
      .map((line) => `${path}: ${line.trim()}`),
  );
  assert.equal(
    wide.filter((line) => !line.startsWith('client/api.ts')),
    [],
  );
});

test('every exception is used', () => {
  const all = sources();
  for (const { from, to } of EXCEPTIONS) {
    const file = all.find(({ path }) => path === from);
    assert.ok(file && importsOf(file).some((found) => found.to === to), `${from} imports ${to}`);
  }
});

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<{
  dependencies: object;
  optionalDependencies: object;
}>;

test('what is shipped imports no package that only development installs', () => {
  const { dependencies, optionalDependencies } = manifest;
  const shipped = { ...dependencies, ...optionalDependencies };
  assert.equal(
    [...shippedVendors(sources())].filter((name) => !(name in shipped)),
    [],
  );
});

test('what imports an optional package is loaded when it is used', () => {
  const product = sources().filter(({ path }) => !/^(test|bench|scripts)\//.test(path));
  const loading = product.filter((source) =>
    importsOf(source).some(({ to }) => to in manifest.optionalDependencies),
  );
  assert.equal(
    loading.map(({ path }) => path),
    ['telemetry/otlp.ts'],
  );
  const atOnce = product.filter(({ text }) => /^import .*\/otlp\.ts';$/m.test(text));
  assert.equal(
    atOnce.map(({ path }) => path),
    [],
  );
});

const planted: readonly Readonly<{ path: string; text: string; fault: RegExp | null }>[] = [
  { path: 'domain/a.ts', text: "import { x } from '../stores/identity.ts';", fault: /identity/ },
  { path: 'domain/a.ts', text: "import { x } from 'node:fs';", fault: /domain imports nothing/ },
  { path: 'domain/a.ts', text: "import { x } from 'ulid';", fault: /domain imports nothing/ },
  { path: 'kernel/a.ts', text: "import { x } from '../domain/company.ts';", fault: /kernel/ },
  { path: 'domain/a.ts', text: "import type { X } from '../kernel/clock.ts';", fault: null },
  { path: 'domain/b/a.ts', text: "import { x } from '../../kernel/event.ts';", fault: null },
  { path: 'domain/a.ts', text: "import { x } from '../fieldTypes/all.ts';", fault: null },
  { path: 'fieldTypes/a.ts', text: "import { x } from '../domain/workflow.ts';", fault: /domain/ },
  {
    path: 'fieldTypes/a.ts',
    text: "import { x } from '../processing/fields/readings.ts';",
    fault: /readings/,
  },
  { path: 'console/a.tsx', text: "import { x } from '../fieldTypes/all.ts';", fault: /browsers get/ },
  { path: 'commands/a.ts', text: "import { x } from '../http/engine/app.ts';", fault: /http/ },
  { path: 'commands/a.ts', text: "import { x } from '../projections/all.ts';", fault: /projections/ },
  { path: 'commands/a.ts', text: "import { x } from '../stores/events/sqlite.ts';", fault: /sqlite/ },
  { path: 'commands/a.ts', text: "import { x } from '../runtime/settings/config.ts';", fault: /config/ },
  { path: 'commands/a.ts', text: "import type { X } from '../stores/events/log.ts';", fault: null },
  { path: 'projections/a.ts', text: "import { x } from '../commands/load.ts';", fault: /commands/ },
  { path: 'projections/a.ts', text: "import { x } from '../reactors/engine/worker.ts';", fault: /reactors/ },
  { path: 'projections/a.ts', text: "export * from '../cli/intake.ts';", fault: /cli/ },
  { path: 'processing/a.ts', text: "import { x } from '../stores/objects/port.ts';", fault: null },
  { path: 'processing/a.ts', text: "import { x } from '../stores/objects/s3/store.ts';", fault: /s3/ },
  { path: 'processing/a.ts', text: "import { x } from '../reactors/engine/worker.ts';", fault: /reactors/ },
  { path: 'outbound/a.ts', text: "import { x } from '../commands/load.ts';", fault: /commands/ },
  { path: 'telemetry/a.ts', text: "import { x } from '../runtime/wire.ts';", fault: /wire/ },
  { path: 'evidence/a.ts', text: "import { x } from '../runtime/wire.ts';", fault: /wire/ },
  { path: 'evidence/a.ts', text: "import { x } from '../stores/events/sqlite.ts';", fault: /sqlite/ },
  { path: 'evidence/a.ts', text: "import { x } from '../stores/events/hash.ts';", fault: null },
  { path: 'reactors/a.ts', text: "import { x } from '../http/engine/app.ts';", fault: /http/ },
  { path: 'reactors/a.ts', text: "import { x } from '../stores/documents/sqlite.ts';", fault: /sqlite/ },
  { path: 'reactors/a.ts', text: "import { x } from '../processing/engine/processor.ts';", fault: null },
  { path: 'http/a.ts', text: "const x = await import('../stores/objects/s3/store.ts');", fault: /s3/ },
  { path: 'http/a.ts', text: "import { x } from '../reactors/engine/runner.ts';", fault: /reactors/ },
  { path: 'http/routes/a.ts', text: "import { x } from '../../runtime/wire.ts';", fault: /wire/ },
  { path: 'schemas/a.ts', text: "import { x } from '../http/engine/app.ts';", fault: /http/ },
  {
    path: 'stores/a.ts',
    text: "import { x } from '../domain/submission/submission.ts';",
    fault: /submission/,
  },
  { path: 'stores/a.ts', text: "import { x } from '../kernel/event.ts';", fault: null },
  { path: 'stores/a.ts', text: "import { x } from '../outbound/send.ts';", fault: /outbound/ },
  {
    path: 'stores/events/port.ts',
    text: "import { x } from './sqlite.ts';",
    fault: /a port knows no driver/,
  },
  { path: 'stores/a.ts', text: "import { x } from './a.ts';", fault: /in a circle: stores/ },
  { path: 'runtime/a.ts', text: "import { x } from '../stores/events/sqlite.ts';", fault: /sqlite/ },
  { path: 'runtime/wire.ts', text: "import { x } from '../stores/events/sqlite.ts';", fault: null },
  { path: 'runtime/drivers.ts', text: "await import('../stores/objects/s3/store.ts');", fault: null },
  { path: 'runtime/serve.ts', text: "await import('../stores/objects/s3/store.ts');", fault: /s3/ },
  { path: 'cli/a.ts', text: "import { x } from '../stores/sqlite/database.ts';", fault: /database/ },
  { path: 'cli/a.ts', text: "import '../http/app.ts';", fault: /http/ },
  { path: 'cli/a.ts', text: "await import('../runtime/intake.ts');", fault: /runtime/ },
  { path: 'cli/intake.ts', text: "await import('../runtime/wire.ts');", fault: /wire/ },
  { path: 'console/a.tsx', text: "import { b } from './b.tsx'; import { h } from 'preact';", fault: null },
  { path: 'console/a.tsx', text: "import { useState } from 'preact/hooks';", fault: null },
  { path: 'console/a.tsx', text: "import type { Me } from '../schemas/identity.ts';", fault: null },
  { path: 'console/a.tsx', text: "import { Me } from '../schemas/identity.ts';", fault: /browsers get/ },
  { path: 'console/a.tsx', text: "import { IntakeError } from '../client/error.ts';", fault: null },
  { path: 'console/a.tsx', text: "import type { X } from '../kernel/clock.ts';", fault: /clock/ },
  { path: 'console/a.tsx', text: "import { x } from 'node:fs';", fault: /browsers get/ },
  { path: 'console/a.tsx', text: "import { x } from 'mime';", fault: /browsers get/ },
  { path: 'console/frame/a.tsx', text: "await import('../screens/work.ts');", fault: null },
  { path: 'console/screens/b/a.tsx', text: "import { x } from '../../app/api.ts';", fault: null },
  {
    path: 'console/screens/a.tsx',
    text: "import type { X } from '../frame/screens.ts';",
    fault: /goes frame/,
  },
  { path: 'console/parts/a.tsx', text: "import { x } from '../screens/logIn.tsx';", fault: /goes frame/ },
  { path: 'console/app/a.ts', text: "import { x } from '../parts/button.tsx';", fault: /goes frame/ },
  { path: 'console/app/a.ts', text: "import { x } from '../texts.ts';", fault: null },
  { path: 'console/new/a.ts', text: "import { x } from '../app/api.ts';", fault: /goes frame/ },
  { path: 'http/a.ts', text: "import { x } from '../console/texts.ts';", fault: /console/ },
  { path: 'utils/a.ts', text: "import { x } from '../kernel/event.ts';", fault: /no layer/ },
  { path: 'test/a.ts', text: "import { x } from '../stores/events/sqlite.ts';", fault: null },
];
for (const { path, text, fault } of planted) {
  test(`${path} with ${text} is ${fault ? 'a fault' : 'fine'}`, () => {
    const faults = architectureFaults([{ path, text }]);
    if (fault) assert.match(faults.join('\n'), fault);
    else assert.equal(faults, []);
  });
}

test('a circle of imports in the console is a fault, also one of types', () => {
  const folder = 'console/screens';
  const one = { path: `${folder}/a.tsx`, text: "import { b } from './b.tsx';" };
  const two = { path: `${folder}/b.tsx`, text: "import { c } from './c/c.tsx';" };
  const three = { path: `${folder}/c/c.tsx`, text: "import type { A } from '../a.tsx';" };
  const beside = { path: `${folder}/d.tsx`, text: "import { a } from './a.tsx';" };
  assert.equal(architectureFaults([one, two, beside]), []);
  assert.equal(architectureFaults([one, two, three, beside]), [
    `imports go in a circle: ${folder}/a.tsx, ${folder}/b.tsx, ${folder}/c/c.tsx`,
  ]);
});

test('a package in two files is a fault, a package in one file, in a driver’s folder and in tests is none', () => {
  const driver = ['stores/events/engine/a.ts', 'stores/events/engine/b.ts', 'stores/events/engine.ts'];
  const grown = driver.map((path) => ({ path, text: "import { call } from 'engine-client';" }));
  assert.equal(architectureFaults(grown.slice(0, 2)), []);
  assert.match(architectureFaults(grown).join(), /engine-client is imported in/);
  const one = { path: 'http/a.ts', text: "import ajv from 'ajv/dist/2020.js';" };
  const two = { path: 'schemas/a.ts', text: "import { Ajv } from 'ajv';" };
  assert.match(architectureFaults([one, two]).join(), /ajv is imported in http\/a\.ts, schemas\/a\.ts/);
  const scoped = {
    path: 'stores/a.ts',
    text: "import { a } from '@aws-sdk/one'; import { b } from '@aws-sdk/two';",
  };
  assert.equal(architectureFaults([one, scoped, { ...two, path: 'test/a.ts' }]), []);
  const platform = { path: 'stores/a.ts', text: "import { a } from 'node:fs';" };
  assert.equal(architectureFaults([platform, { ...platform, path: 'http/a.ts' }]), []);
});
