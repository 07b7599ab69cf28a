import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A scanned receipt and what is true of it, by field. */
export type Scan = Readonly<{ name: string; path: string; truth: Readonly<Record<string, string>> }>;

/** Where the definition of the receipt workflow is. */
export const RECEIPT_WORKFLOW = fileURLToPath(
  new URL('../../scripts/samples/receipt.workflow.json', import.meta.url),
);

/** The scans of a folder: every `NAME.jpg` with its truth in `NAME.json`, by name. Throws when no folder is given. */
export const scansIn = async (folder: string | undefined): Promise<readonly Scan[]> => {
  if (!folder) throw new Error('which folder? Give the path of one with NAME.jpg and NAME.json');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.jpg')).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -'.jpg'.length);
      const truth = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8'));
      return { name, path: join(folder, file), truth };
    }),
  );
};
