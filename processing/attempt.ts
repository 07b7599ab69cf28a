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

/** Called before each page (the file's label) and before the search for the fields (null). */
type OnStep = (label: string | null) => void;

/**
 * Reads a submission's files and finds the version's fields, in a child process. A fault of a file is an
 * outcome; any other error is thrown.
 */
export const attempt = async (
  version: ProcessingVersion,
  files: readonly InputFile[],
  recogniser: Recogniser,
  onStep: OnStep,
): Promise<Outcome> => {
  const fingerprintedPages: FingerprintedPage[] = [];
  const outcome = await ending(async () => {
    const contents: Content[] = [];
    for (const file of files) {
      onStep(file.label);
      const onPicture = version.fingerprints ? fingerprinting(file, fingerprintedPages) : null;
      const reading = async () =>
        void contents.push(await readFile(file, version, recogniser, () => onStep(file.label), onPicture));
      if (version.fingerprints === 'alone') await unlessUnreadable(reading);
      else await reading();
    }
    onStep(null);
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
