import './polyfills.ts';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { Box } from '../../domain/submission/processingResult.ts';
import { asShown } from '../characters.ts';
import { Unreadable } from '../errors.ts';
import { lineOf, linesOf, type Page, type Sheet, type Word, wordsOf } from '../page.ts';
import { type Affine, affineOf, after, boundsOf, type Matrix } from '../picture/affine.ts';
import type { Size, Source } from '../picture/pixels.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters, checkPages, checkShownPages } from './limits.ts';
import { mergeReadings } from './mergeReadings.ts';
import { placedPictures } from './pdf/pictures.ts';
import { type Scan, scanOf } from './pdf/scan.ts';

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
 * The pages of a PDF, with boxes in points of the page as a viewer displays it: the lines of its text layer,
 * or what `recognise` reads in its pictures where there is no text, or little over a scan. Throws Unreadable
 * when it is damaged, protected, too long, or has neither text nor pictures.
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
    const { words, scan, size } = await guarded(file, () => opened(pdf, number, wantsScan));
    characters += words.reduce((sum, { text }) => sum + text.length + 1, 0);
    checkCharacters(file.label, characters);
    const sheet = { fileId: file.fileId, page: number, size };
    const text = { fileId: file.fileId, number, lines: linesOf(words, sheet) };
    if (scan && words.length < MIN_WORDS) {
      const read = onPage(await recognise(scan.picture, number, pdf.numPages), scan, sheet);
      pages.push(mergeReadings(read, withoutStamps(text, read, size.height)));
    } else if (words.length > 0) pages.push(text);
    if (scan && words.length >= MIN_WORDS) await onScan?.(scan.picture, number);
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

/** The words of a page, and its scan: under a text layer only where it is wanted, and where it opens. */
const opened = async (pdf: Pdf, number: number, wantsScan: boolean) => {
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const toPage = affineOf(transform);
  const items: readonly object[] = (await page.getTextContent()).items;
  const words = wordsOfRuns(items.filter(isRun), toPage);
  let scan: Scan | null = null;
  if (words.length < MIN_WORDS) scan = await scanOn(page, toPage);
  else if (wantsScan) scan = await scanOn(page, toPage).catch(() => null);
  page.cleanup();
  const isScan = scan && (words.length === 0 || scan.area > MIN_SCAN_SHARE * width * height);
  return { words, scan: isScan ? scan : null, size: { width, height } };
};

const isRun = (item: object): item is Run =>
  'str' in item && typeof item.str === 'string' && item.str.trim() !== '';

const scanOn = async (page: Awaited<ReturnType<Pdf['getPage']>>, toPage: Affine): Promise<Scan | null> => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  // PDF.js keeps objects that pages share apart, with a prefix.
  const find = (key: string): Promise<unknown> =>
    new Promise((resolve) => (key.startsWith('g_') ? page.commonObjs : page.objs).get(key, resolve));
  return scanOf(await placedPictures({ operations: fnArray, given: argsArray, named: OPS, find }, toPage));
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

/** A run of text in the coordinates of a page's content, before the viewer turns it. */
type Run = Readonly<{ str: string; transform: Matrix; width: number; height: number }>;
type Text = Readonly<{ text: string; box: Box }>;

const MAX_GAP = 1;
const SAME_LINE = 0.01;

/** Some programs place each letter by itself: runs on one baseline that touch are one. */
const wordsOfRuns = (runs: readonly Run[], toPage: Affine): readonly Word[] => {
  const whole: Text[] = [];
  for (const run of runs) {
    const [box, last] = [boxOf(run, toPage), whole.at(-1)];
    const touches =
      last &&
      Math.abs(box.bottom - last.box.bottom) < SAME_LINE &&
      Math.abs(box.left - last.box.right) < MAX_GAP;
    if (touches)
      whole[whole.length - 1] = {
        text: last.text + asShown(run.str),
        box: { ...last.box, right: box.right },
      };
    else whole.push({ text: asShown(run.str), box });
  }
  return whole.flatMap(({ text, box }) => wordsOf(text, box));
};

const boxOf = ({ transform, width, height }: Run, toPage: Affine): Box => {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const [along, up] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const own = affineOf([a / along, b / along, c / up, d / up, x, y]);
  return boundsOf(after(toPage, own), { left: 0, top: 0, right: width, bottom: height });
};
