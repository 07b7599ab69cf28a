import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLongOnly } from '../../test/runner/jobs.ts';

/** Unit tests first: the first failure ends a mutant's run. */
const SLOW = [
  /^test\/(?:domain|schemas|kernel|outbound|commands)\//,
  /^test\/(?!console\/|http\/|cli\/|chaos\/|nodes\/|demo\/)/,
  // Last come those that start a browser.
  /^test\/(?!console\/)/,
];
const slowness = (file: string): number => {
  const found = SLOW.findIndex((pattern) => pattern.test(file));
  const place = found < 0 ? SLOW.length : found;
  // What `npm test` leaves out comes after all else: it catches only what nothing else does.
  return isLongOnly(file) ? place + SLOW.length + 1 : place;
};

/** Finds the test files that name a rule, themselves or in a file they import; quick ones come first. */
export const testsByRule = (): ((rule: string) => readonly string[]) => {
  const texts = new Map(
    readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [`test/${name}`, readFileSync(`test/${name}`, 'utf8')] as const),
  );
  const importersOf = (file: string): readonly string[] =>
    [...texts].flatMap(([path, text]) => (importsOf(path, text).includes(file) ? [path] : []));
  const found = new Map<string, readonly string[]>();
  const testsOf = (file: string): readonly string[] => {
    if (file.endsWith('.test.ts')) return [file];
    const known = found.get(file);
    if (known) return known;
    found.set(file, []);
    found.set(file, importersOf(file).flatMap(testsOf));
    return testsOf(file);
  };
  return (rule) => {
    const named = new RegExp(`(?<![\\w-])${rule}(?![\\w-])`);
    const files = [...texts].flatMap(([path, text]) => (named.test(text) ? testsOf(path) : []));
    return [...new Set(files)].sort((a, b) => slowness(a) - slowness(b) || a.localeCompare(b));
  };
};

const importsOf = (path: string, text: string): readonly string[] =>
  [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => join(dirname(path), target));
