import type { FingerprintedPage } from '../domain/fraud/pages.ts';
import { cpuMs } from './engine/budget.ts';
import type { Job, JobResult } from './engine/messages.ts';
import { PoorPicture, Unreadable, unlessUnreadable } from './errors.ts';
import type { Page } from './page.ts';
import type { Affine } from './picture/affine.ts';
import type { Source } from './picture/pixels.ts';
import { placedWords } from './placedWords.ts';
import { MAX_BYTES } from './read/limits.ts';
import type { Recogniser } from './read/ocr.ts';
import { bytesOf, type Content, lengthOf, readFile } from './read/readFile.ts';
import { sniff } from './read/sniff.ts';
import type { Extracted, InputFile, Outcome, ProcessingVersion } from './types.ts';
import { understand } from './understand.ts';

/**
 * Does a job in this process; `onStep` is called before each file or page (its label) and before the search
 * for the fields (null).
 */
export const perform = async (
  job: Job,
  recogniser: Recogniser,
  onStep: (label: string | null) => void,
): Promise<JobResult> => {
  switch (job.task) {
    case 'read':
      return attempt(job.version, job.files, recogniser, onStep);
    case 'check':
      return ending(async () => {
        for (const file of job.files) {
          onStep(file.label);
          // A large one was judged by its start, at submit: whoever extracts its fields reads it.
          if ((await lengthOf(file)) <= MAX_BYTES)
            await sniff(file, await bytesOf(file), job.acceptedFormats);
        }
        return { kind: 'checked' };
      });
    case 'judge':
      onStep(null);
      return ending(async () => {
        // Only here: the schema of an answer takes longer to load than most files to read.
        const { outcomeOfAnswer } = await import('./extractor/answer.ts');
        return outcomeOfAnswer(job.wanted, job.answer);
      });
    case 'compare': {
      const { compareAll } = await import('./fraud/similarity/compareAll.ts');
      onStep(null);
      const start = cpuMs();
      return { kind: 'compared', ...compareAll(job.prints, job.others, () => cpuMs() - start) };
    }
    case 'list':
      onStep(job.file.label);
      return ending(async () => (await import('./draw/pagesOf.ts')).pagesOf(job.file));
    case 'draw':
      onStep(job.file.label);
      return ending(async () => (await import('./draw/drawPage.ts')).drawPage(job.file, job.page, job.width));
    case 'time':
      onStep(job.file.label);
      return ending(async () => (await import('./timePage.ts')).timePage(job.file, recogniser));
  }
};

/**
 * Reads a submission's files and finds the version's fields; `onStep` is called before each page (the file's
 * label) and before the search for the fields (null). A fault of a file is an outcome; any other error is
 * thrown.
 */
export const attempt = async (
  version: ProcessingVersion,
  files: readonly InputFile[],
  recogniser: Recogniser,
  onStep: (label: string | null) => void,
): Promise<Outcome> => {
  const fingerprintedPages: FingerprintedPage[] = [];
  const contents: Content[] = [];
  const outcome = await ending(async () => {
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
  if (outcome.kind !== 'extracted') return outcome;
  const words = version.fingerprints === 'alone' ? [] : placedWords(joined(contents).pages);
  return {
    ...outcome,
    ...(version.fingerprints && { fingerprintedPages }),
    ...(words.length > 0 && { words }),
  };
};

/** Fingerprints each page of a picture. */
const fingerprinting =
  (file: InputFile, pages: FingerprintedPage[]) =>
  async (source: Source, toPage: Affine, page: Page): Promise<void> => {
    const { fingerprintPage } = await import('./fraud/similarity/fingerprintPage.ts');
    const fingerprinted = await fingerprintPage(source, toPage, page, file);
    if (fingerprinted) pages.push(fingerprinted);
  };

const joined = (contents: readonly Content[]): Content => ({
  pages: contents.flatMap(({ pages }) => pages),
  entries: contents.flatMap(({ entries }) => entries),
});

const KIB = 1_024;
/** In bytes of JSON: the extraction is part of one event, and those are small. */
const MAX_EXTRACTION = 256 * KIB;

/**
 * The result of work on untrusted bytes: a fault of theirs is an outcome, also more values than are stored;
 * any other error is thrown.
 */
export const ending = async <T extends JobResult>(
  work: () => T | Promise<T>,
): Promise<T | Exclude<Outcome, { kind: 'extracted' }>> => {
  try {
    const result = await work();
    const bytes = result.kind === 'extracted' ? sizeOf(result) : 0;
    if (bytes <= MAX_EXTRACTION) return result;
    const size = `The values that were read take ${Math.ceil(bytes / KIB)} KiB, told in extractedData and again in result`;
    return { kind: 'failed', reason: `${size}: more than the ${MAX_EXTRACTION / KIB} KiB that are kept.` };
  } catch (error) {
    if (error instanceof Unreadable) return { kind: 'failed', reason: error.message };
    if (error instanceof PoorPicture) return { kind: 'capture_quality_blocked', reason: error.message };
    throw error;
  }
};

/** The bytes that are stored. */
const sizeOf = ({ extractedData, fieldConfidences, aiSummary, result }: Extracted): number =>
  Buffer.byteLength(JSON.stringify({ extractedData, fieldConfidences, aiSummary, result }));
