import './polyfills.ts';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { Box } from '../../domain/submission/processingResult.ts';
import { Unreadable } from '../errors.ts';
import { lineOf, linesOf, type Page, type Sheet, type Word } from '../page.ts';
import { type Affine, affineOf, boundsOf } from '../picture/affine.ts';
import type { Size, Source } from '../picture/pixels.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters, checkPages, checkShownPages } from './limits.ts';
import { mergeReadings } from './mergeReadings.ts';
import type { Drawing } from './pdf/drawing.ts';
import { isUnseen, mayHide, shownOn } from './pdf/hidden.ts';
import { placedPictures } from './pdf/pictures.ts';
import { type Scan, scanOf } from './pdf/scan.ts';
import { wordsOfAnnotations, wordsOfItems } from './pdf/words.ts';

/** Fewer words over a scan of most of the page were stamped there by a program or a fax machine. */
const MIN_WORDS = 30;
const MIN_SCAN_SHARE = 0.5;
/** The pages whose scans under a text layer are passed on: near duplicates are searched on no more. */
const MAX_SCANS = 8;

/** Reads a picture, which is one of so many pages of a file (from 1). */
export type Recognise = (picture: Source, page: number, count: number) => Promise<Page>;
/** Called with the scan under a page whose text layer is read instead. */
export type OnScan = (picture: Source, page: number) => Promise<void>;

/**
 * The pages of a PDF, with boxes in points of the page as a viewer displays it: the lines of its text layer as far
 * as they show, or what `recognise` reads in its pictures where there is no text, little over a scan, or a layer that
 * does not show. Throws Unreadable when it is damaged, protected, too long, or has neither text nor pictures.
 */
export const readPdf = async (
  file: InputFile,
  bytes: Buffer,
  recognise: Recognise,
  onScan: OnScan | null,
): Promise<readonly Page[]> => {
  const pdf = await opening(file, bytes);
  checkPages(file.label, pdf.numPages);
  const pages: Page[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const wantsScan = onScan !== null && number <= MAX_SCANS;
    const { words, scan, size, isClaim } = await guarded(file, () =>
      opened(pdf, { file, bytes, number, wantsScan }),
    );
    characters += words.reduce((sum, { text }) => sum + text.length + 1, 0);
    checkCharacters(file.label, characters);
    const sheet = { fileId: file.fileId, page: number, size };
    const text = { fileId: file.fileId, number, lines: linesOf(words, sheet) };
    if (scan && (isClaim || words.length < MIN_WORDS)) {
      const read = onPage(await recognise(scan.picture, number, pdf.numPages), scan, sheet);
      pages.push(mergeReadings(read, withoutStamps(text, read, size.height)));
    } else {
      if (words.length > 0) pages.push(text);
      if (scan) await onScan?.(scan.picture, number);
    }
  }
  if (pages.length > 0) return pages;
  throw new Unreadable(`"${file.label}" is a PDF with neither text nor a scanned page: upload another one.`);
};

/** The sizes of a PDF's pages, in the points of `readPdf`. Throws Unreadable as that does. */
export const pdfSizes = async (file: InputFile, bytes: Buffer): Promise<readonly Size[]> => {
  const pdf = await opening(file, bytes);
  checkShownPages(file.label, pdf.numPages);
  const sizes: Size[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1)
    sizes.push(
      await guarded(file, async () => {
        const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
        return { width, height };
      }),
    );
  return sizes;
};

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const opening = (file: InputFile, bytes: Buffer): Promise<Pdf> =>
  guarded(file, () => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }));

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

/** The certainty of the letters of a text layer that the page does not show: what a program recognised. */
const CLAIMED = 0.85;

type Opening = Readonly<{ file: InputFile; bytes: Buffer; number: number; wantsScan: boolean }>;

/** The words of a page that it shows, and its scan: under a text layer only where it is wanted, and where it opens. */
const opened = async (pdf: Pdf, { file, bytes, number, wantsScan }: Opening) => {
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const toPage = affineOf(transform);
  const { items } = await page.getTextContent();
  const annotations = await page.getAnnotations({ intent: 'display' });
  const held = [...wordsOfItems(items, toPage), ...wordsOfAnnotations(annotations, toPage)];
  const drawing = await drawingOf(page);
  const size = { width, height };
  const isLayer = held.length > 0 && isUnseen(drawing);
  const shown = mayHide(held, drawing, toPage, size)
    ? await shownWords(file, bytes, number, held, size)
    : held;
  let scan: Scan | null = null;
  if (isLayer || shown.length < MIN_WORDS) scan = await scanOn(drawing, toPage);
  else if (wantsScan) scan = await scanOn(drawing, toPage).catch(() => null);
  page.cleanup();
  const isLarge = scan !== null && scan.area > MIN_SCAN_SHARE * width * height;
  const isClaim = isLayer && isLarge;
  const words = isClaim ? shown.map((word) => ({ ...word, confidence: CLAIMED * word.confidence })) : shown;
  return { words, scan: isLarge || words.length === 0 ? scan : null, size, isClaim };
};

type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

const scanOn = async (drawing: Drawing, toPage: Affine): Promise<Scan | null> =>
  scanOf(await placedPictures(drawing, toPage));

const drawingOf = async (page: PdfPage): Promise<Drawing> => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  // PDF.js keeps objects that pages share apart, with a prefix.
  const find = (key: string): Promise<unknown> =>
    new Promise((resolve) => (key.startsWith('g_') ? page.commonObjs : page.objs).get(key, resolve));
  return { operations: fnArray, given: argsArray, named: OPS, find };
};

/** Sharp enough for the smallest letters that people read, in pixels a point. */
const DRAWN_SCALE = 1.5;

const shownWords = async (
  { label }: InputFile,
  bytes: Buffer,
  number: number,
  words: readonly Word[],
  size: Size,
): Promise<readonly Word[]> => {
  const { pdfPicture } = await import('../draw/pdfPicture.ts');
  const limits = { width: size.width * DRAWN_SCALE, height: size.height * DRAWN_SCALE };
  const picture = await pdfPicture(label, bytes, number, limits);
  return picture ? shownOn(words, picture, size) : words;
};

const onPage = (read: Page, { toPage }: Scan, sheet: Sheet): Page => {
  const moved = (word: Word): Word => ({ ...word, box: word.box && boundsOf(toPage, word.box) });
  const lines = read.lines.map(({ words, block }) => lineOf(words.map(moved), sheet, block));
  return { ...read, lines };
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
