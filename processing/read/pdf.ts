import './polyfills.ts';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { Unreadable } from '../errors.ts';
import { lineOf, linesOf, type Page, type Sheet, type Word } from '../page.ts';
import { type Affine, affineOf, boundsOf } from '../picture/affine.ts';
import type { Source } from '../picture/pixels.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters, checkPages } from './limits.ts';
import { mergeReadings } from './mergeReadings.ts';
import { placedPictures } from './pdf/pictures.ts';
import { type Scan, scanOf } from './pdf/scan.ts';
import { type Run, wordsOfRuns } from './pdf/words.ts';

/** Fewer words over a scan of most of the page were stamped there by a program or a fax machine. */
const MIN_WORDS = 30;
const MIN_SCAN_SHARE = 0.5;
/** The pages whose scans under a text layer are passed on: near duplicates are searched on no more. */
const MAX_SCANS = 8;

type Recognise = (picture: Source, page: number, count: number) => Promise<Page>;
/** Called with the scan under a page whose text layer was read instead. */
type OnScan = (picture: Source, page: number) => Promise<void>;

/**
 * The pages of a PDF, with boxes in points of the page as a viewer displays it: the lines of its text layer,
 * or what `recognise` reads in its pictures where there is no text, or little over a scan; `onScan` gets the
 * scans under other text. Throws Unreadable when it is damaged, protected, too long, or has neither text nor
 * pictures.
 */
export const readPdf = async (
  file: InputFile,
  bytes: Buffer,
  recognise: Recognise,
  onScan: OnScan | null,
): Promise<readonly Page[]> => {
  const pdf = await guarded(file, () => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }));
  checkPages(file.label, pdf.numPages);
  const pages: Page[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { words, scan, size } = await guarded(file, () =>
      opened(pdf, number, onScan !== null && number <= MAX_SCANS),
    );
    characters += words.reduce((sum, { text }) => sum + text.length + 1, 0);
    checkCharacters(file.label, characters);
    const sheet = { fileId: file.fileId, page: number, size };
    const text = { fileId: file.fileId, number, lines: linesOf(words, sheet) };
    if (scan && words.length < MIN_WORDS) {
      const read = onPage(await recognise(sourceOf(scan), number, pdf.numPages), scan, sheet);
      pages.push(mergeReadings(read, withoutStamps(text, read, size.height)));
    } else if (words.length > 0) pages.push(text);
    if (scan && words.length >= MIN_WORDS) await onScan?.(sourceOf(scan), number);
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

const sourceOf = ({ picture: { data, width, height } }: Scan): Source => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  return { data: bytes, width, height, channels: 1 };
};

/** The words of a page, and its scan: under a text layer only `always`. */
const opened = async (pdf: Pdf, number: number, always: boolean) => {
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const toPage = affineOf(transform);
  const items: readonly object[] = (await page.getTextContent()).items;
  const words = wordsOfRuns(items.filter(isRun), toPage);
  const isText = words.length >= MIN_WORDS;
  // A scan under a text layer that can't be opened is ignored.
  const scanned = async (): Promise<Scan | null> => scanOf(await picturesOf(page, toPage));
  const underText = async () => (always ? scanned().catch(() => null) : null);
  const scan = await (isText ? underText() : scanned());
  page.cleanup();
  const isScan = scan && (words.length === 0 || scan.area > MIN_SCAN_SHARE * width * height);
  return { words, scan: isScan ? scan : null, size: { width, height } };
};

const isRun = (item: object): item is Run =>
  'str' in item && typeof item.str === 'string' && item.str.trim() !== '';

const picturesOf = async (page: Awaited<ReturnType<Pdf['getPage']>>, toPage: Affine) => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  // PDF.js keeps objects that pages share apart, with a prefix.
  const find = (key: string): Promise<unknown> =>
    new Promise((resolve) => (key.startsWith('g_') ? page.commonObjs : page.objs).get(key, resolve));
  return placedPictures({ operations: fnArray, given: argsArray, named: OPS, find }, toPage);
};

const onPage = (read: Page, { toPage }: Scan, sheet: Sheet): Page => {
  const moved = (word: Word): Word => ({ ...word, box: word.box && boundsOf(toPage, word.box) });
  const lines = read.lines.map(({ words, block }) => lineOf(words.map(moved), sheet, block));
  return { ...read, lines };
};

const EDGE = 0.08;

/**
 * The text over a scan without the stamps of a fax machine or a scanning program at the page's edge, above or
 * below all that the scan shows: their sender, date and number of pages are not the document's.
 */
const withoutStamps = (text: Page, scan: Page, height: number): Page => {
  const boxes = scan.lines.flatMap(({ place: { box } }) => (box ? [box] : []));
  const first = Math.min(EDGE * height, ...boxes.map(({ top }) => top));
  const last = Math.max((1 - EDGE) * height, ...boxes.map(({ bottom }) => bottom));
  const isStamp = (top: number, bottom: number): boolean => bottom <= first || top >= last;
  if (boxes.length === 0) return text;
  return {
    ...text,
    lines: text.lines.filter(({ place: { box } }) => !box || !isStamp(box.top, box.bottom)),
  };
};
