import { ending } from './ending.ts';
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
): Promise<Outcome> =>
  ending(async () => {
    const contents: Content[] = [];
    for (const file of files) {
      step(file.label);
      contents.push(await readFile(file, version, recogniser, () => step(file.label)));
    }
    step(null);
    return understand(version, joined(contents));
  });

const joined = (contents: readonly Content[]): Content => ({
  pages: contents.flatMap(({ pages }) => pages),
  entries: contents.flatMap(({ entries }) => entries),
});
