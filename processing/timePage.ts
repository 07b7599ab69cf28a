import { openShown } from './draw/shownFile.ts';
import { cpuMs } from './engine/budget.ts';
import { Unreadable } from './errors.ts';
import { wordsOn } from './page.ts';
import type { Source } from './picture/pixels.ts';
import type { Recogniser } from './read/ocr.ts';
import { drawnScan } from './read/pdf/decodedScan.ts';
import { pdfSizes } from './read/pdf.ts';
import { readPicture } from './read/picture.ts';
import type { InputFile, Timed } from './types.ts';

/**
 * Reads the first page of a picture or PDF with the recogniser's models, whatever text the PDF holds, and
 * times it. Throws Unreadable.
 */
export const timePage = async (file: InputFile, recogniser: Recogniser): Promise<Timed> => {
  const source = await firstPage(file);
  await recogniser.recognise(BLANK, file.fileId, 1);
  const [startedAt, startedCpu] = [performance.now(), cpuMs()];
  const { read, legibility } = await readPicture(file, source, 1, recogniser);
  const [durationMs, taken] = [performance.now() - startedAt, cpuMs() - startedCpu];
  return {
    kind: 'timed',
    words: wordsOn(read).length,
    confidence: legibility,
    durationMs: Math.round(durationMs),
    cpuMs: Math.round(taken),
  };
};

/** Has the models loaded, which only the first page waits for. */
const BLANK = { data: new Uint8Array(64 * 64).fill(255), width: 64, height: 64 };

const firstPage = async (file: InputFile): Promise<Source> => {
  const { format, bytes } = await openShown(file);
  if (format === 'text') throw new Unreadable(`"${file.label}" is text: give a picture or a PDF.`);
  if (format === 'picture') return { bytes, page: 0 };
  const [size] = await pdfSizes(file, bytes);
  if (!size) throw new Unreadable(`"${file.label}" has no page.`);
  return (await drawnScan({ label: file.label, bytes, number: 1, size })).picture;
};
