import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Misuse } from '../../scripts/named.ts';
import type { Cells } from './judgeTable.ts';

/** A scanned document and what is true of it, by field. */
export type Scan = Readonly<{
  name: string;
  path: string;
  mimeType: string;
  truth: Readonly<Record<string, string>>;
  /** The rows of its tables, by field. */
  tables: Readonly<Record<string, readonly Cells[]>>;
}>;

const TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.pdf': 'application/pdf',
};

/**
 * The scans of a folder by name: every picture (JPEG, PNG, WebP, TIFF) and PDF with its truth in `NAME.json`.
 * Throws Misuse when no folder is given, when it can't be read or has none, and when truths are missing or
 * are no objects of fields: all of them.
 */
export const scansIn = async (folder: string | undefined): Promise<readonly Scan[]> => {
  if (!folder) throw new Misuse('which folder? Give the path of one with NAME.jpg and NAME.json');
  const files = (await listed(folder)).filter((file) => typeOf(file)).sort();
  if (files.length === 0) throw new Misuse(`${folder} holds no picture (${Object.keys(TYPES).join(', ')})`);
  const read = await Promise.allSettled(files.map((file) => scanOf(folder, file)));
  const faults = read.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []));
  if (faults.length > 0) throw new Misuse(faults.join('\n'));
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
};

const listed = async (folder: string): Promise<readonly string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new Misuse(`${folder} can't be read: ${(error as Error).message}`, { cause: error });
  }
};

const scanOf = async (folder: string, file: string): Promise<Scan> => {
  const name = file.slice(0, -extname(file).length);
  const known = await truthIn(join(folder, `${name}.json`));
  return { name, path: join(folder, file), mimeType: typeOf(file) ?? '', ...known };
};

const typeOf = (file: string): string | undefined => TYPES[extname(file).toLowerCase()];

/** What is true of a scan; of a field that is null nothing is. */
const truthIn = async (path: string): Promise<Pick<Scan, 'truth' | 'tables'>> => {
  const truth = await jsonIn(path);
  if (typeof truth !== 'object' || truth === null || Array.isArray(truth))
    throw new Misuse(`${path} is no object of fields`);
  const known = Object.entries(truth).filter(([, value]) => typeof value !== 'object');
  return {
    truth: Object.fromEntries(known.map(([name, value]) => [name, String(value)])),
    tables: Object.fromEntries(Object.entries(truth).filter(([, value]) => Array.isArray(value))),
  };
};

/** What a file of JSON holds. Throws Misuse with its name. */
export const jsonIn = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Misuse(`${path} can't be read as JSON: ${(error as Error).message}`, { cause: error });
  }
};
