import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openPackage } from '../../../evidence/package/open.ts';
import { foundIn, type Planted } from './planted.ts';

/** Places, and the names of what is found in each. */
export type Finds = Map<string, Set<string>>;

/** Adds what is found in the bytes of a place. */
export const lookInto = (finds: Finds, place: string, bytes: Buffer, planted: readonly Planted[]): void => {
  const names = foundIn(bytes, planted);
  if (names.length === 0) return;
  const before = finds.get(place) ?? new Set();
  finds.set(place, new Set([...before, ...names]));
};

/** Every file of a folder, with its name. One that is removed meanwhile is not there. */
export const lookIntoFolder = (
  finds: Finds,
  title: string,
  folder: string,
  planted: readonly Planted[],
): void => {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    lookInto(finds, placeOf(title, name), Buffer.concat([Buffer.from(name), bytesOf(path)]), planted);
  }
};

/** The same place for all submissions, deliveries and files, and for a database with its write-ahead log. */
const placeOf = (title: string, path: string): string => {
  const folders = path.split('/').slice(0, -1).slice(0, 2);
  return folders.length === 0 ? `${title}/${path.replace(/-wal$/, '')}` : `${title}/${folders.join('/')}/…`;
};

const bytesOf = (path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
};

/** Every file of an evidence package, a folder or a zip file. */
export const lookIntoPackage = async (
  finds: Finds,
  title: string,
  path: string,
  planted: readonly Planted[],
): Promise<void> => {
  const source = await openPackage(path);
  try {
    for (const entry of source.entries)
      lookInto(finds, title, await buffer(source.read(entry.path)), planted);
  } finally {
    await source.close();
  }
};

/** A folder that is removed afterwards. */
export const inFolder = async <T>(within: string, body: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(within, 'look-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
