import { PoorPicture, Unreadable } from './errors.ts';
import type { Recogniser } from './read/ocr.ts';
import { type Content, readFile } from './read/readFile.ts';
import type { InputFile, Outcome, ProcessingVersion } from './types.ts';
import { understand } from './understand.ts';

/** Told before each page that is read (the file's label) and before the fields are looked for (null). */
type Step = (label: string | null) => void;

const LARGEST_RESULT = 256 * 1_024;

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
  try {
    const contents: Content[] = [];
    for (const file of files) {
      step(file.label);
      contents.push(await readFile(file, version, recogniser, () => step(file.label)));
    }
    step(null);
    return bounded(understand(version, joined(contents)));
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'failed', reason: error.message };
    if (error instanceof PoorPicture) return { kind: 'capture_quality_blocked', reason: error.message };
    throw error;
  }
};

const joined = (contents: readonly Content[]): Content => ({
  pages: contents.flatMap(({ pages }) => pages),
  entries: contents.flatMap(({ entries }) => entries),
});

/** An outcome is stored as one event, and those are kept small: more than 256 KiB fails. */
const bounded = (outcome: Outcome): Outcome => {
  const bytes = Buffer.byteLength(JSON.stringify(outcome));
  if (bytes <= LARGEST_RESULT) return outcome;
  return { kind: 'failed', reason: `the extracted data take ${bytes} bytes, more than ${LARGEST_RESULT}.` };
};
