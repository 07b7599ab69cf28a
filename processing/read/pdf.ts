import type { Box } from '../../domain/submission/processingResult.ts';
import { Unreadable } from '../errors.ts';
import { atMost, lineOf, type Page, type Sheet, type Word, withWords, wordsOn } from '../page.ts';
import { boundsOf } from '../picture/affine.ts';
import type { Size, Source } from '../picture/pixels.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters, checkPages, checkShownPages } from './limits.ts';
import { mergeReadings } from './mergeReadings.ts';
import { type Damageable, withDamage } from './pdf/damage.ts';
import { areUpon } from './pdf/hidden.ts';
import { openPage, openPdf, type Pdf } from './pdf/openPage.ts';
import { pdfSights } from './pdf/pdfium.ts';
import type { Scan } from './pdf/scan.ts';

/** The pages whose scans under a text layer are passed on: near duplicates are searched on no more. */
const MAX_SCANS = 8;

/** Reads a picture, which is one of so many pages of a file (from 1). */
export type Recognise = (picture: Source, page: number, count: number) => Promise<Page>;
/** Called with the scan under a page whose text layer is read instead. */
export type OnScan = (picture: Source, page: number) => Promise<void>;

/**
 * The pages of a PDF, with boxes in points of the page as a viewer displays it: the lines of its text layer
 * as far as it is drawn, or what `recognise` reads in its pictures where there is no such text or little over
 * a scan, and on the drawn page where that says something else. Throws Unreadable when it is damaged,
 * protected, too long, or has neither text nor pictures.
 */
export const readPdf = async (
  file: InputFile,
  bytes: Buffer,
  recognise: Recognise,
  onScan: OnScan | null,
): Promise<readonly Page[]> => {
  const pdf = await opening(file, bytes);
  checkPages(file.label, pdf.numPages);
  const sights = pdfSights(bytes);
  const pages: Page[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const wantsScan = onScan !== null && number <= MAX_SCANS;
    const opened = await guarded(file, () => openPage(pdf, { file, bytes, sights, number, wantsScan }));
    const { scan, size, readsScan, disputed } = opened.value;
    const text: Page = opened.isDamaged ? { ...opened.value.text, doubt: 'unread_page' } : opened.value.text;
    const words = wordsOn(text);
    characters += words.reduce((sum, { text }) => sum + text.length + 1, 0);
    checkCharacters(file.label, characters);
    if (scan && readsScan) {
      const sheet = { fileId: file.fileId, page: number, size };
      const read = onPage(await recognise(scan.picture, number, pdf.numPages), scan, sheet);
      const { lines } = mergeReadings(read, withoutStamps(text, read, size.height));
      pages.push(doubtedIn(disputed, { ...text, lines }));
    } else {
      if (words.length > 0 || text.doubt) pages.push(text);
      if (scan) await onScan?.(scan.picture, number);
    }
  }
  if (pages.some(({ lines, doubt }) => lines.length > 0 || !doubt)) return pages;
  const [unread] = pages;
  throw new Unreadable(
    unread
      ? `Page ${unread.number} of "${file.label}" can't be decoded: export or scan it again.`
      : `"${file.label}" is a PDF with neither text nor a scanned page: upload another one.`,
  );
};

/** The sizes of a PDF's pages, in the points of `readPdf`. Throws Unreadable as that does. */
export const pdfSizes = async (file: InputFile, bytes: Buffer): Promise<readonly Size[]> => {
  const pdf = await opening(file, bytes);
  checkShownPages(file.label, pdf.numPages);
  const sizes: Size[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1)
    sizes.push((await guarded(file, () => sizeOf(pdf, number))).value);
  return sizes;
};

const sizeOf = async (pdf: Pdf, number: number): Promise<Size> => {
  const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
  return { width, height };
};

const opening = async (file: InputFile, bytes: Buffer): Promise<Pdf> =>
  (await guarded(file, () => openPdf(bytes))).value;

const guarded = async <T>(file: InputFile, read: () => Promise<T>): Promise<Damageable<T>> => {
  try {
    return await withDamage(read);
  } catch (error) {
    throw new Unreadable(
      (error as Error).name === 'PasswordException'
        ? `"${file.label}" is protected by a password: upload it without one.`
        : `"${file.label}" is damaged and can't be opened as a PDF: export or scan it again.`,
      { cause: error },
    );
  }
};

const onPage = (read: Page, { toPage }: Scan, sheet: Sheet): Page => {
  const moved = (word: Word): Word => ({ ...word, box: word.box && boundsOf(toPage, word.box) });
  const lines = read.lines.map(({ words, block }) => lineOf(words.map(moved), sheet, block));
  return { ...read, lines };
};

const DISPUTED = 0.4;

/** A page whose words in some boxes are doubted. */
const doubtedIn = (boxes: readonly Box[], page: Page): Page => {
  if (boxes.length === 0) return page;
  const isDisputed = ({ box }: Word): boolean => box !== null && boxes.some((one) => areUpon(one, box));
  const doubted = (word: Word): Word => (isDisputed(word) ? atMost(DISPUTED, word) : word);
  return { ...page, lines: page.lines.map((line) => withWords(line, line.words.map(doubted))) };
};

const EDGE = 0.08;

/**
 * The text over a scan without the stamps of a fax machine or a scanning program at the page's edge, above or
 * below all text of the scan: their sender, date and number of pages are not the document's.
 */
const withoutStamps = (text: Page, scan: Page, height: number): Page => {
  const boxes = scan.lines.flatMap(({ place: { box } }) => box ?? []);
  if (boxes.length === 0) return text;
  const first = Math.min(EDGE * height, ...boxes.map(({ top }) => top));
  const last = Math.max((1 - EDGE) * height, ...boxes.map(({ bottom }) => bottom));
  const isStamp = ({ top, bottom }: Box): boolean => bottom <= first || top >= last;
  return { ...text, lines: text.lines.filter(({ place: { box } }) => !box || !isStamp(box)) };
};
