/** A part of `npm run test:all`: the command that runs it. */
export type Part = readonly [program: string, ...args: string[]];

const tests = (...args: readonly string[]): Part => ['node', 'dist/test/run.js', ...args];
/** Folders that are parts of their own. */
const BROWSER = ['console/'];
const CHAOS = ['chaos/', 'nodes/'];

/** What `npm test` leaves out, in the order in which it runs. */
export const parts = {
  engines: ['scripts/engines', ...tests('--only-engines')],
  long: tests('--long', ...[...BROWSER, ...CHAOS].flatMap((folder) => ['--without', folder])),
  browser: tests('--long', ...BROWSER),
  mutants: ['node', 'dist/scripts/mutants.js'],
  fuzz: ['scripts/fuzz-api', '20000'],
  chaos: tests('--long', ...CHAOS),
  clients: ['scripts/check-clients'],
} as const satisfies Readonly<Record<string, Part>>;
