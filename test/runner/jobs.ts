import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pass } from './passes.ts';

/** A test file that is run, with the environment of its pass. */
export type Job = Readonly<{ name: string; file: string; env: NodeJS.ProcessEnv }>;

/** Whether a test measures time, and so runs while no other does. */
export const isAlone = ({ file }: Job): boolean => file.includes('.alone.test.');

/** Whether a file is of the long half alone: each rule that it proves has a quicker proof. */
export const isLongOnly = (file: string): boolean => file.includes('.long.');

/**
 * The files of these passes, those of one environment together, and among them the longest first, so that
 * none of them is left over at the end.
 */
export const jobsOf = (passes: readonly Pass[], isLong: boolean): readonly Job[] => {
  const longest = (isLong ? LONGEST_OF_LONG : LONGEST).split(/\s+/).map((part) => `dist/test/${part}`);
  const place = (file: string): number => {
    const at = longest.findIndex((part) => file.startsWith(part));
    return at === -1 ? longest.length : at;
  };
  return [...passes]
    .sort((a, b) => a.files.length - b.files.length)
    .flatMap(({ name: on, files, env }) =>
      [...files]
        .sort((a, b) => place(a) - place(b))
        .map((file) => ({ name: [file.replace('dist/test/', ''), on].filter(Boolean).join(' '), file, env })),
    );
};

const LONGEST = 'chaos/ nodes/ demo/ http/nearDuplicates. contract/ http/ processing/ cli/ stores/';
const LONGEST_OF_LONG = `chaos/outages/ chaos/ contract/sqliteDocuments/driver. projections/property.
  reactors/engine/sweepTrouble. processing/hostileCosts. http/review. stores/ processing/`;

const LONG_COUNTS =
  /import \{[^}]*\b(?:long|rounds|drawSeed)\b[^}]*\} from '[./]+harness\.js'|\btest\.long\(/;
const reads = new Map<string, boolean>();

/**
 * Whether a compiled module, or one of test/ that it imports, has other counts in a long run: all else has
 * run in `npm test`.
 */
export const differsInLong = (file: string): boolean => {
  const known = reads.get(file);
  if (known !== undefined) return known;
  reads.set(file, false);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)]
    .map(([, path]) => join(dirname(file), path ?? ''))
    .filter((path) => path.startsWith('dist/test/') && path.endsWith('.js'));
  const differs = isLongOnly(file) || LONG_COUNTS.test(text) || imported.some(differsInLong);
  reads.set(file, differs);
  return differs;
};
