import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Submission } from '../domain/submission/state.ts';
import type { Report } from '../kernel/report.ts';
import { evidenceOf, wordsKey } from '../stores/objects/keys.ts';
import type { ObjectStore, SealedObjects } from '../stores/objects/port.ts';
import type { FileWords, PlacedWord } from './types.ts';

type Ports = Readonly<{
  sealed: SealedObjects;
  objects: Pick<ObjectStore, 'removeAll'>;
  report: Report;
}>;

/** The form of a word in an object, which has a line of JSON for each page: an array of these. */
type KeptWord = readonly [text: string, left: number, top: number, right: number, bottom: number];

/**
 * The words of the pages of submitted files: an object for each file beside it, compressed, and sealed under
 * the key of its submission (words-6).
 */
export const keptWords = ({ sealed, objects, report }: Ports) => {
  const keepFile = async (submissionId: string, { fileId, pages }: FileWords): Promise<void> => {
    const lines = pages.map((words) => JSON.stringify(words.map(toKept)));
    await sealed.put(submissionId, wordsKey(submissionId, fileId), await compress(lines.join('\n')));
  };
  return {
    /** Keeps the words of files. What can't be kept is reported: it fails no submission (words-5). */
    keep: async (submissionId: string, files: readonly FileWords[]): Promise<void> => {
      const keep = (file: FileWords) =>
        keepFile(submissionId, file).catch((err) =>
          report.warn('the words of a file could not be kept', { submissionId, fileId: file.fileId, err }),
        );
      await Promise.all(files.map(keep));
    },
    /** Removes them, for a redaction that came before they were kept: with every file, as it does. */
    drop: async (submissionId: string): Promise<void> => {
      await objects.removeAll(evidenceOf(submissionId));
    },
    /**
     * The words on a page (from 1) of a file, none where none were kept; null where its file has no such
     * page. Throws `StoreUnavailable`.
     */
    on: async (
      { redaction, routing: { submissionId } }: Submission,
      fileId: string,
      page: number,
    ): Promise<readonly PlacedWord[] | null> => {
      if (redaction !== null) return [];
      const kept = await sealed.read(submissionId, wordsKey(submissionId, fileId));
      if (!kept) return [];
      const line = (await decompress(kept)).toString().split('\n')[page - 1];
      // What was sealed here is JSON of these.
      return line === undefined ? null : (JSON.parse(line) as readonly KeptWord[]).map(fromKept);
    },
  };
};

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const toKept = ({ text, box }: PlacedWord): KeptWord => [text, box.left, box.top, box.right, box.bottom];

const fromKept = ([text, left, top, right, bottom]: KeptWord): PlacedWord => ({
  text,
  box: { left, top, right, bottom },
});
