import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pass } from './passes.ts';

/** Test files that share a process, and its environment. */
export type Batch = Readonly<{ name: string; files: readonly string[]; env: NodeJS.ProcessEnv }>;

/** Whether a test measures time, and so runs while no other does. */
export const isAlone = (file: string): boolean => file.includes('.alone.test.');

/**
 * The batches of these passes, those that take longest first, so that none of them is left over at the end. Files of
 * a folder share a process, since to load what they test takes longer than most of them do; but each file of
 * APART has one of its own, and in a long run (`isLong`) every file.
 */
export const batchesOf = (passes: readonly Pass[], isLong: boolean): readonly Batch[] => {
  const longest = (isLong ? LONGEST_OF_LONG : LONGEST).split(/\s+/).map((part) => `dist/test/${part}`);
  const weight = ({ files }: Batch): number => {
    const at = longest.findIndex((part) => files.some((file) => file.startsWith(part)));
    return at === -1 ? files.length : 1_000 - at;
  };
  return passes.flatMap((pass) => batchesIn(pass, isLong)).sort((a, b) => weight(b) - weight(a));
};

/** The longest in this order, before those of most files. */
const LONGEST = 'chaos/outages/ demo/ nodes/ contract/ stores/eventStoreDb http/nearDuplicates. processing/';
const LONGEST_OF_LONG = `chaos/outages/ chaos/ contract/sqliteDocuments/driver. projections/property.
  reactors/engine/sweepTrouble. processing/hostileCosts. http/review. stores/ processing/`;

/** These are long by themselves, or start processes that take what they can get. */
const APART = /^dist\/test\/(chaos\/|demo\/|nodes\/|http\/nearDuplicates)/;
/** Without engines all they do is to say so: that takes no process of its own. */
const ON_ENGINES = /^dist\/test\/(demo\/|nodes\/|chaos\/outages\/documents)/;

const batchesIn = ({ name: on, files: all, env }: Pass, isLong: boolean): readonly Batch[] => {
  const hasEngines = isLong || Boolean(env.INTAKE_TEST_ENGINES || env.MONGODB_URL);
  const isApart = (file: string): boolean => APART.test(file) && (hasEngines || !ON_ENGINES.test(file));
  const folders = new Map<string, string[]>();
  for (const file of all.filter((file) => !isAlone(file))) {
    const name = isApart(file) ? file : dirname(file);
    folders.set(name, [...(folders.get(name) ?? []), file]);
  }
  const limit = maxShared(env, isLong);
  const parts = [...folders].flatMap(([name, files]) => partsOf(name, files, limit));
  const hasOwn = ({ files }: Part): boolean => files.every(isApart);
  const apart = parts.filter(hasOwn);
  const shared = packed(
    parts.filter((part) => !hasOwn(part)),
    limit,
  );
  return [...apart, ...shared, ...aloneParts(all.filter(isAlone), isLong)].map(({ name, files }) => ({
    name: [name, on].filter(Boolean).join(' '),
    files,
    env,
  }));
};

/**
 * How many files share a process at most: fewer load more often than they must, more keep the last core busy
 * alone. On engines most of a test is waiting for them, and a long test takes as long as many others.
 */
const maxShared = (env: NodeJS.ProcessEnv, isLong: boolean): number => {
  if (isLong) return 1;
  return env.INTAKE_TEST_ENGINES ? 5 : 20;
};

type Part = Readonly<{ name: string; files: readonly string[] }>;

/** A folder's files, in as few parts as `limit` takes. Long files are mostly long tests: each part gets as many of them. */
const partsOf = (name: string, files: readonly string[], limit: number): readonly Part[] => {
  const count = Math.ceil(files.length / limit);
  return Array.from({ length: count }, (_, part) => {
    const own = bySize(files).filter((_file, index) => index % count === part);
    const [first = name] = own;
    if (count === 1) return { name, files: own };
    return { name: own.length === 1 ? first : `${name} ${part + 1}/${count}`, files: own };
  });
};

/**
 * Small folders together, first fit decreasing: to load the service takes longer than most folders' tests.
 */
const packed = (parts: readonly Part[], limit: number): readonly Part[] => {
  const bins: Part[] = [];
  for (const part of [...parts].sort((a, b) => b.files.length - a.files.length)) {
    const at = bins.findIndex(({ files }) => files.length + part.files.length <= limit);
    const bin = bins[at];
    if (!bin) bins.push(part);
    else
      bins[at] = {
        name: `${bin.name}, ${part.name.replace('dist/test/', '')}`,
        files: [...bin.files, ...part.files],
      };
  }
  return bins;
};

/**
 * One after the other in one process; but in a long run each in its own, since they take minutes and measure
 * memory.
 */
const aloneParts = (files: readonly string[], isLong: boolean): readonly Part[] => {
  if (files.length === 0) return [];
  return isLong ? files.map((file) => ({ name: file, files: [file] })) : [{ name: 'alone', files }];
};

const bySize = (files: readonly string[]): readonly string[] =>
  [...files].sort((a, b) => statSync(b).size - statSync(a).size);
