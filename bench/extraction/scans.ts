import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A scanned document and what is true of it, by field. */
export type Scan = Readonly<{
  name: string;
  path: string;
  mimeType: string;
  truth: Readonly<Record<string, string>>;
}>;

const TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.pdf': 'application/pdf',
};

/**
 * The scans of a folder by name: every `NAME.jpg`, `.png` or `.pdf` with its truth in `NAME.json`. Throws when no folder is given, when it has
 * none, and when a truth is missing or is no object of texts.
 */
export const scansIn = async (folder: string | undefined): Promise<readonly Scan[]> => {
  if (!folder) throw new Error('which folder? Give the path of one with NAME.jpg and NAME.json');
  const files = (await readdir(folder)).filter((file) => typeOf(file)).sort();
  if (files.length === 0) throw new Error(`${folder} holds no .jpg, .png or .pdf`);
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -extname(file).length);
      return {
        name,
        path: join(folder, file),
        mimeType: typeOf(file) ?? '',
        truth: await truthIn(join(folder, `${name}.json`)),
      };
    }),
  );
};

const typeOf = (file: string): string | undefined => TYPES[extname(file).toLowerCase()];

const truthIn = async (path: string): Promise<Scan['truth']> => {
  const truth: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (typeof truth !== 'object' || truth === null || Array.isArray(truth))
    throw new Error(`${path} is no object of fields`);
  return Object.fromEntries(Object.entries(truth).map(([name, value]) => [name, String(value)]));
};
