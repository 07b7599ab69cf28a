import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Scan, scansIn } from './scans.ts';

const SAMPLES = new URL('../../../scripts/samples/', import.meta.url);

/** The file of the sample workflow that reads a kind of papers, which may not exist. */
export const definitionFor = (kind: string): string =>
  fileURLToPath(new URL(`${kind}.workflow.json`, SAMPLES));

/** Scans of one kind, and the file of the workflow that reads them. */
export type Group = Readonly<{ kind: string; definition: string; scans: readonly Scan[] }>;

/**
 * The scans of a folder by kind: where it has folders that are named as sample workflows, those of each of
 * them, else its own, by the workflow given or the receipt's. Throws Misuse as `scansIn`.
 */
export const groupsIn = async (folder: string, definition: string | undefined): Promise<readonly Group[]> => {
  const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
  const kinds = entries.filter((one) => one.isDirectory() && existsSync(definitionFor(one.name)));
  if (definition !== undefined || kinds.length === 0)
    return [
      {
        kind: 'documents',
        definition: definition ?? definitionFor('receipt'),
        scans: await scansIn(folder),
      },
    ];
  const groups: Group[] = [];
  for (const kind of kinds.map(({ name }) => name).sort())
    groups.push({ kind, definition: definitionFor(kind), scans: await scansIn(join(folder, kind)) });
  return groups;
};
