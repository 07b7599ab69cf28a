import type { PageReading, ReadFile } from '../cli/runtime.ts';
import { createProcessor } from '../processing/engine/processor.ts';
import { TransientFailure } from '../processing/errors.ts';

/** A page that models do not read, and why, for the operator. */
export class PageNotRead extends Error {
  override readonly name = 'PageNotRead';
}

/**
 * Reads the first page of a file with the shipped models, and then with those of a folder, each in a child
 * process of its own. Throws PageNotRead.
 */
export const checkReader = async (
  file: ReadFile,
  ownFolder: string | null,
): Promise<readonly PageReading[]> => {
  const readings: PageReading[] = [];
  for (const models of ownFolder === null ? [null] : [null, ownFolder])
    readings.push(await readWith(models, file));
  return readings;
};

const readWith = async (models: string | null, file: ReadFile): Promise<PageReading> => {
  const processor = createProcessor({ modelFolder: models, nice: 0 });
  const input = { fileId: file.label, mimeType: null, ...file };
  try {
    const read = await processor.time(input, new AbortController().signal);
    if (read.kind !== 'timed') throw new PageNotRead('reason' in read ? read.reason : 'nothing was read');
    const { kind: _, ...figures } = read;
    return { models, ...figures };
  } catch (error) {
    if (!(error instanceof TransientFailure)) throw error;
    const [cause] = error.message.split('\n');
    throw new PageNotRead(`${models === null ? 'The shipped models' : models} can't be used: ${cause}`, {
      cause: error,
    });
  } finally {
    await processor.close();
  }
};
