import { posix } from 'node:path';
import { circlesOf } from './circles.ts';

/** A source file: its path from the project's folder, and its text. */
export type Source = Readonly<{ path: string; text: string }>;

/** What a file imports: a path in the project, or a package's name (`node:` for the platform's own). */
type Import = Readonly<{ from: string; to: string; vendor: boolean }>;

/** An arrow that a rule forbids and that is there for a reason. */
type Exception = Readonly<{ from: string; to: string; reason: string }>;

/** What stands for a store without knowing any driver: ports, the log's face, credentials, leases, keys. */
const PORTS =
  /^stores\/(.*\/port|credentials|endpointSecrets|identity|identityPointers|ledger|logInAttempts|passwords|availability\/\w+|commonPasswords|documents\/(lease|rows)|events\/(log|hash)|keyring\/(keyring|root|rotate)|objects\/keys)\.ts$/;
const within = (...folders: readonly string[]): RegExp => new RegExp(`^(${folders.join('|')})/`);

/** What each layer may import beside itself; no other layer imports the console. */
const LAYERS: Readonly<Record<string, readonly RegExp[]>> = {
  kernel: [],
  // Records alone: what reads, stores or shows values imports them.
  fieldTypes: [],
  // It runs in browsers: of schemas it has types alone, of evidence what runs there (`consoleFaults`).
  console: [within('client', 'schemas'), /^evidence\/(web|package\/(source|zip))\b/],
  // It is a package of its own, and leans on nothing of ours.
  client: [],
  domain: [within('fieldTypes', 'kernel')],
  schemas: [within('domain', 'fieldTypes', 'kernel')],
  stores: [within('kernel')],
  outbound: [within('domain', 'kernel'), PORTS],
  commands: [within('domain', 'schemas', 'kernel'), PORTS],
  projections: [within('domain', 'schemas', 'kernel'), PORTS],
  processing: [
    within('outbound', 'commands', 'projections', 'domain', 'fieldTypes', 'schemas', 'kernel'),
    PORTS,
  ],
  reactors: [
    within('processing', 'outbound', 'commands', 'projections', 'domain', 'schemas', 'kernel'),
    PORTS,
  ],
  agent: [within('outbound', 'domain', 'fieldTypes', 'schemas', 'kernel')],
  evidence: [within('domain', 'schemas', 'kernel'), PORTS],
  http: [within('commands', 'projections', 'domain', 'schemas', 'kernel'), PORTS],
  telemetry: [
    within('http', 'processing', 'reactors', 'outbound', 'commands', 'projections', 'domain', 'kernel'),
    PORTS,
  ],
  cli: [
    within('client', 'outbound', 'commands', 'projections', 'evidence', 'domain', 'fieldTypes', 'schemas'),
    within('kernel'),
    PORTS,
  ],
  runtime: [
    within('cli', 'http', 'reactors', 'telemetry', 'agent', 'evidence', 'processing', 'outbound', 'commands'),
    within('projections', 'domain', 'schemas', 'kernel'),
    PORTS,
  ],
};

/**
 * The composition root may know drivers: wire.ts builds on those that drivers.ts chooses. And tests,
 * benchmarks and scripts may know everything.
 */
const KNOWS_DRIVERS = /^runtime\/(wire|drivers|dataFolder)\.ts$/;
const FREE = within('test', 'bench', 'scripts');

export const EXCEPTIONS: readonly Exception[] = [
  {
    from: 'runtime/settings/engines.ts',
    to: 'stores/events/eventstoredb/address.ts',
    reason: 'a connection string is judged by the driver that reads it, and by nothing beside it',
  },
  {
    from: 'cli/intake.ts',
    to: 'runtime/intake.ts',
    reason: 'the executable hands the service to the command line, which knows no more than cli/runtime.ts',
  },
  {
    from: 'http/engine/access/clientAddress.ts',
    to: 'ipaddr.js',
    reason:
      'asks whose an address is, as outbound/address.ts asks what it reaches: the layers share nothing else',
  },
  {
    from: 'processing/fraud/similarity/compareWords.ts',
    to: 'fastest-levenshtein',
    reason:
      'a function without settings, as processing/fields/words.ts uses it: a wrapper would only rename it',
  },
  {
    from: 'runtime/settings/misspelt.ts',
    to: 'fastest-levenshtein',
    reason:
      'a function without settings, as processing/fields/words.ts uses it: a wrapper would only rename it',
  },
  {
    from: 'stores/documents/mongodb/claims.ts',
    to: 'lru-cache',
    reason: 'collections whose indexes were made and names that were resolved, each for a while',
  },
  {
    from: 'http/routes/downloads.ts',
    to: 'lru-cache',
    reason: 'a bounded map, as stores/events/subjectKeys.ts uses it: a wrapper would only rename it',
  },
  {
    from: 'processing/engine/patterns.ts',
    to: 'lru-cache',
    reason: 'likewise',
  },
  {
    from: 'stores/credentials.ts',
    to: 'lru-cache',
    reason: 'likewise',
  },
  {
    from: 'projections/workflows.ts',
    to: 'lru-cache',
    reason: 'likewise',
  },
];

const excepted = (from: string, to: string): boolean =>
  EXCEPTIONS.some((exception) => exception.from === from && exception.to === to);

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|^import\s*)['"]([@\w./:-]+)['"]/gm;

/** Every import of a file, also dynamic ones, those of types, and re-exports. */
export const importsOf = ({ path, text }: Source): readonly Import[] =>
  [...text.matchAll(IMPORT)].map(([, target = '']) =>
    target.startsWith('.')
      ? { from: path, to: posix.join(posix.dirname(path), target), vendor: false }
      : { from: path, to: packageOf(target), vendor: !target.startsWith('node:') },
  );

/** An import or export of types, which the compiler takes out. */
const TYPES = /^(import|export) type [^;]*;/gm;

const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');

const layerOf = (path: string): string => path.split('/')[0] ?? '';

const arrowFault = ({ from, to, vendor }: Import): readonly string[] => {
  const layer = layerOf(from);
  const allowed = LAYERS[layer];
  if (!allowed) return [`${from} is in no layer that the rules know`];
  if (layer === 'domain' && (vendor || to.startsWith('node:')))
    return [`${from} imports ${to}: domain imports nothing from outside`];
  if (vendor || to.startsWith('node:')) return [];
  if (layerOf(to) === layer && layer !== 'stores') return [];
  if (layer === 'stores' && layerOf(to) === 'stores') {
    return PORTS.test(from) && !PORTS.test(to) ? [`${from} imports ${to}: a port knows no driver`] : [];
  }
  if (KNOWS_DRIVERS.test(from) && layerOf(to) === 'stores') return [];
  return allowed.some((rule) => rule.test(to)) ? [] : [`${from} imports ${to}`];
};

const vendorFaults = (imports: readonly Import[]): readonly string[] => {
  const files = new Map<string, Set<string>>();
  for (const { from, to } of imports.filter(({ vendor }) => vendor))
    files.set(to, (files.get(to) ?? new Set()).add(from));
  return [...files]
    .filter(([, from]) => new Set([...from].map(vendorPlace)).size > 1)
    .map(([name, from]) => `${name} is imported in ${[...from].sort().join(', ')}: one file each`);
};

/** A driver that has grown into a folder is one place; so is the console, which is built on one package. */
const vendorPlace = (path: string): string => /^(stores\/\w+\/\w+|console)\//.exec(path)?.[0] ?? path;

/** Modules of other layers that the console may import, since all that they import runs in browsers, too. */
const FOR_BROWSERS = /^(client\/|evidence\/(web\/|package\/zip\.))/;

/**
 * What of the console would not run in a browser: values of other layers, the platform, packages that are not
 * served.
 */
const consoleFaults = (sources: readonly Source[]): readonly string[] => {
  const values = new Map(
    sources.map(({ path, text }) => [path, importsOf({ path, text: text.replace(TYPES, '') })] as const),
  );
  const own = [...values].filter(([path]) => layerOf(path) === 'console').flatMap(([, imports]) => imports);
  const faults = own
    .filter(({ to, vendor }) =>
      vendor ? to !== 'preact' : layerOf(to) !== 'console' && !FOR_BROWSERS.test(to),
    )
    .map(
      ({ from, to }) => `${from} imports ${to}: browsers get no more than the console, the client and preact`,
    );
  const reached = new Set(own.filter(({ to }) => FOR_BROWSERS.test(to)).map(({ to }) => to));
  for (const path of reached)
    for (const { to } of values.get(path) ?? []) {
      if (values.has(to)) reached.add(to);
      else faults.push(`${path} imports ${to}, which no browser has, and the console needs it`);
    }
  return faults;
};

/**
 * Folders of the console, each above those that it may import; what lies in none of them, such as the texts,
 * is of the lowest.
 */
const CONSOLE_FOLDERS = ['frame', 'screens', 'parts', 'app'];

const consoleLevel = (path: string): number => {
  const [, folder = '', ...below] = path.split('/');
  return below.length === 0 ? CONSOLE_FOLDERS.length - 1 : CONSOLE_FOLDERS.indexOf(folder);
};

/**
 * What of the console imports a folder above its own, or lies in one that no rule knows.
 */
const consoleArrowFaults = (imports: readonly Import[]): readonly string[] => {
  const own = imports.filter(({ from, to }) => layerOf(from) === 'console' && layerOf(to) === 'console');
  return [
    ...own
      .filter(({ from, to }) => consoleLevel(from) === -1 || consoleLevel(to) < consoleLevel(from))
      .map(({ from, to }) => `${from} imports ${to}: the console goes ${CONSOLE_FOLDERS.join(' → ')}`),
  ];
};

/**
 * Layers whose files still import each other in circles; those of the others import nobody that imports them.
 */
const MAY_CIRCLE = within('cli', 'domain', 'outbound', 'processing', 'projections');

/**
 * Every import that breaks the arrows of docs/architecture.md, and every package that is imported in more
 * than one file, or folder of a driver.
 */
export const architectureFaults = (sources: readonly Source[]): readonly string[] => {
  const imports = sources
    .filter(({ path }) => !FREE.test(path))
    .flatMap(importsOf)
    .filter(({ from, to }) => !excepted(from, to));
  return [
    ...imports.flatMap(arrowFault),
    ...vendorFaults(imports),
    ...consoleFaults(sources),
    ...consoleArrowFaults(imports),
    ...circlesOf(imports.filter(({ from }) => !MAY_CIRCLE.test(from))).map(
      (circle) => `imports go in a circle: ${circle.join(', ')}`,
    ),
  ];
};

/** The packages that shipped files load. */
export const shippedVendors = (sources: readonly Source[]): ReadonlySet<string> =>
  new Set(
    sources
      .filter(({ path }) => !FREE.test(path))
      .flatMap(({ path, text }) => importsOf({ path, text: text.replace(TYPES, '') }))
      .flatMap(({ to, vendor }) => (vendor ? to : [])),
  );
