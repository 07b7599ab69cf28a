import type { FingerprintedPage } from '../domain/fraud/pages.ts';
import { ending } from './ending.ts';
import { unlessUnreadable } from './errors.ts';
import type { Page } from './page.ts';
import type { Affine } from './picture/affine.ts';
import type { Source } from './picture/pixels.ts';
import type { Recogniser } from './read/ocr.ts';
import { type Content, readFile } from './read/readFile.ts';
import type { InputFile, Outcome, ProcessingVersion } from './types.ts';
import { understand } from './understand.ts';

/** Told before each page that is read (the file's label) and before the fields are looked for (null). */
type Step = (label: string | null) => void;

/**
 * Reads a submission's files and understands them: the whole of processing, to be run in a child process. What is
 * wrong with a file is an outcome; anything else that is thrown is no fault of the files.
 */
export const attempt = async (
  version: ProcessingVersion,
  files: readonly InputFile[],
  recogniser: Recogniser,
  step: Step,
): Promise<Outcome> => {
  const fingerprintedPages: FingerprintedPage[] = [];
  const outcome = await ending(async () => {
    const contents: Content[] = [];
    for (const file of files) {
      step(file.label);
      const hooks = version.fingerprints ? { known: fingerprinting(file, fingerprintedPages) } : {};
      const reading = async () =>
        void contents.push(await readFile(file, version, recogniser, () => step(file.label), hooks));
      if (version.fingerprints === 'alone') await unlessUnreadable(reading);
      else await reading();
    }
    step(null);
    return understand(version, joined(contents));
  });
  return version.fingerprints && outcome.kind === 'extracted' ? { ...outcome, fingerprintedPages } : outcome;
};

/** Fingerprints each page of a picture. */
const fingerprinting =
  (file: InputFile, kept: FingerprintedPage[]) =>
  async (source: Source, toPage: Affine, page: Page): Promise<void> => {
    const { fingerprintPage } = await import('./fraud/similarity/fingerprintPage.ts');
    const fingerprinted = await fingerprintPage(source, toPage, page, file);
    if (fingerprinted) kept.push(fingerprinted);
  };

const joined = (contents: readonly Content[]): Content => ({
  pages: contents.flatMap(({ pages }) => pages),
  entries: contents.flatMap(({ entries }) => entries),
});
