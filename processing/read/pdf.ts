import './olderNode.ts';
import { extractImages, getDocumentProxy } from 'unpdf';
import { Unreadable } from '../errors.ts';
import { linesOf, type Page, wordsOf } from '../page.ts';
import type { InputFile } from '../types.ts';

/** A picture without a file format: rows of pixels, `channels` bytes each. */
export type RawPicture = Readonly<{ data: Buffer; width: number; height: number; channels: 1 | 3 | 4 }>;

const MOST_PAGES = 30;
const WIDEST_GAP = 1;

/**
 * The pages of a PDF: the words of its text layer in lines; a page without text is handed to `recognise` as its
 * largest picture (a scan). Throws Unreadable when it is damaged, protected, too long, or has neither.
 */
export const readPdf = async (
  file: InputFile,
  bytes: Buffer,
  recognise: (picture: RawPicture, page: number, count: number) => Promise<Page>,
): Promise<readonly Page[]> => {
  const pdf = await guarded(file, () => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }));
  if (pdf.numPages > MOST_PAGES)
    throw new Unreadable(
      `"${file.label}" has ${pdf.numPages} pages, at most ${MOST_PAGES} are read: split it up.`,
    );
  const pages: Page[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { words, size } = await guarded(file, () => pageWords(pdf, number));
    const scan = words.length === 0 ? await guarded(file, () => largestPicture(pdf, number)) : null;
    if (scan) pages.push(await recognise(scan, number, pdf.numPages));
    else if (words.length > 0)
      pages.push({
        fileId: file.fileId,
        number,
        lines: linesOf(words, { fileId: file.fileId, page: number, size }),
      });
  }
  if (pages.length > 0) return pages;
  throw new Unreadable(`"${file.label}" is a PDF with neither text nor a scanned page: upload another one.`);
};

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const guarded = async <T>(file: InputFile, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    throw new Unreadable(
      (error as Error).name === 'PasswordException'
        ? `"${file.label}" is protected by a password: upload it without one.`
        : `"${file.label}" is damaged and can't be opened as a PDF: export or scan it again.`,
      { cause: error },
    );
  }
};

type Item = Readonly<{ str: string; transform: readonly number[]; width: number; height: number }>;

const pageWords = async (pdf: Pdf, number: number) => {
  const page = await pdf.getPage(number);
  const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
  const items: readonly object[] = (await page.getTextContent()).items;
  page.cleanup();
  const words = joined(items.filter(isRun)).flatMap((run) => wordsOf(run.str, 1, boxOf(run, left, top)));
  return { words, size: { width: right - left, height: top - bottom } };
};

const isRun = (item: object): item is Item =>
  'str' in item && typeof item.str === 'string' && item.str.trim() !== '';

/** Some writers place each letter by itself: runs on one baseline that touch are one run. */
const joined = (items: readonly Item[]): readonly Item[] => {
  const runs: Item[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    const [left = 0, bottom = 0] = item.transform.slice(4);
    const [lastLeft = 0, lastBottom = 0] = last?.transform.slice(4) ?? [];
    const gap = left - lastLeft - (last?.width ?? 0);
    if (last && bottom === lastBottom && Math.abs(gap) < WIDEST_GAP)
      runs[runs.length - 1] = { ...last, str: last.str + item.str, width: left + item.width - lastLeft };
    else runs.push(item);
  }
  return runs;
};

const boxOf = ({ transform, width, height }: Item, edge: number, top: number) => {
  const [x = 0, bottom = 0] = transform.slice(4);
  return { left: x - edge, right: x - edge + width, top: top - bottom - height, bottom: top - bottom };
};

const largestPicture = async (pdf: Pdf, number: number): Promise<RawPicture | null> => {
  const pictures = await extractImages(pdf, number);
  const [largest] = pictures.sort((a, b) => b.width * b.height - a.width * a.height);
  return largest ? { ...largest, data: Buffer.from(largest.data.buffer) } : null;
};
