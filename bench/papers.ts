import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Misuse } from '../scripts/named.ts';
import { pdfOf } from '../scripts/samples/pdf.ts';
import { createProgress } from './extraction/progress.ts';
import type { Row } from './measure.ts';
import { optionsOf } from './options.ts';
import { papers } from './papers/paper.ts';
import { scanOf } from './papers/scan.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  '--out FOLDER [--seed N --count N]: makes papers of seven kinds with their truth, PDFs and scans, for `extraction FOLDER`';

/**
 * Writes papers into a folder for each kind: `KIND/NUMBER.pdf` or `.jpg`, and `KIND/NUMBER.json` with what is
 * true. The same ones for the same seed.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { seed, count, out } = optionsOf(options, { seed: 1, count: 60, out: '' });
  if (out === '') throw new Misuse('where to? Give --out FOLDER');
  const progress = createProgress('papers', count);
  for (const { kind, name, pages, truth, isScan, luck } of papers(seed, count)) {
    await mkdir(join(out, kind), { recursive: true });
    const { bytes, extension } = isScan
      ? await scanOf(pages, luck)
      : { bytes: pdfOf(pages), extension: 'pdf' };
    await writeFile(join(out, kind, `${name}.${extension}`), bytes);
    await writeFile(join(out, kind, `${name}.json`), `${JSON.stringify(truth, null, 2)}\n`);
    progress.step();
  }
  progress.stop();
  return [];
};
