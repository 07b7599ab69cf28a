import './polyfills.ts';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { Box } from '../../domain/submission/processingResult.ts';
import { asShown } from '../characters.ts';
import { Unreadable } from '../errors.ts';
import { lineOf, linesOf, type Page, type Sheet, union, type Word, wordsOf } from '../page.ts';
import { type Affine, affineOf, after, boundsOf, type Matrix } from '../picture/affine.ts';
import type { Size, Source } from '../picture/pixels.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters, checkPages, checkShownPages } from './limits.ts';
import { mergeReadings } from './mergeReadings.ts';
import { isUnseen, mayHide, shownOn } from './pdf/hidden.ts';
import { type Drawing, placedPictures } from './pdf/pictures.ts';
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
 * The pages of a PDF, with boxes in points of the page as a viewer displays it: the lines of its text layer as far
 * as they show, or what `recognise` reads in its pictures where there is no text, little over a scan, or a layer that
 * does not show. Throws Unreadable
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
  const items: readonly object[] = (await page.getTextContent()).items;
  const annotations: readonly Annotation[] = await page.getAnnotations({ intent: 'display' });
  const held = [...wordsOfRuns(items.filter(isRun), toPage), ...wordsOfAnnotations(annotations, toPage)];
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

const isRun = (item: object): item is Run =>
  'str' in item && typeof item.str === 'string' && item.str.trim() !== '';

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

/** A run of text in the coordinates of a page's content, before the viewer turns it. */
type Run = Readonly<{ str: string; transform: Matrix; width: number; height: number }>;
type Text = Readonly<{ text: string; box: Box }>;

const MAX_GAP = 1;
const SAME_LINE = 0.01;

/**
 * The words of runs as they show: some programs place each letter by itself (runs on one baseline that touch are
 * one), and some draw a text or each letter twice to make it bold.
 */
const wordsOfRuns = (runs: readonly Run[], toPage: Affine): readonly Word[] => {
  const whole: Text[] = [];
  const drawn = new Map<string, Box[]>();
  const texts = runs.map((run) => ({ text: asShown(run.str), box: boxOf(run, toPage) }));
  for (const { text, box } of withoutDoubles(texts)) {
    const last = whole.at(-1);
    if (isRepeated(text, box, drawn)) continue;
    const touches = last && isOnLine(last.box, box) && Math.abs(box.left - last.box.right) < MAX_GAP;
    if (touches) whole[whole.length - 1] = { text: last.text + text, box: { ...last.box, right: box.right } };
    else whole.push({ text, box });
  }
  return whole.flatMap(({ text, box }) => wordsOf(text, box));
};

const isOnLine = (a: Box, b: Box): boolean => Math.abs(a.bottom - b.bottom) < SAME_LINE;

/** Texts, with those that lie upon each other as one text where each of its letters was drawn twice. */
const withoutDoubles = (texts: readonly Text[]): readonly Text[] => {
  const groups: Text[][] = [];
  for (const one of texts) {
    const last = groups.at(-1)?.at(-1);
    const isUpon =
      last && isOnLine(last.box, one.box) && one.box.left < last.box.right && one.box.left > last.box.left;
    if (isUpon) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  return groups.flatMap((group) => {
    const text = group.map((one) => one.text).join('');
    if (group.length < 2 || !DOUBLED.test(text)) return group;
    return { text: text.replace(/(\S)\1/g, '$1'), box: union(group.map(({ box }) => box)) };
  });
};

const DOUBLED = /^(?:(\S)\1\s?)+$/;

/** Whether the same text was drawn at the same place before, as some programs make it bold. */
const isRepeated = (text: string, box: Box, drawn: Map<string, Box[]>): boolean => {
  const before = drawn.get(text) ?? [];
  const near = SAME_PLACE * (box.bottom - box.top);
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= near;
  const found = before.some((one) => isNear(one.left, box.left) && isNear(one.bottom, box.bottom));
  drawn.set(text, [...before, box]);
  return found;
};

/** Of the height of the letters. */
const SAME_PLACE = 0.2;

/** A note or a field of a form, as PDF.js gives it. */
type Annotation = Readonly<{
  subtype: string;
  rect: readonly number[];
  annotationFlags: number;
  fieldType?: string;
  fieldValue?: unknown;
  password?: boolean;
  checkBox?: boolean;
  exportValue?: string;
  contentsObj?: Readonly<{ str: string }>;
}>;

/** Flags of annotations: hidden, and not to be viewed. */
const UNSEEN = 2 | 32;

/** What notes (FreeText) and the fields of a form show on a page, which is not among its text. */
const wordsOfAnnotations = (annotations: readonly Annotation[], toPage: Affine): readonly Word[] =>
  annotations.flatMap((one) => {
    if ((one.annotationFlags & UNSEEN) !== 0) return [];
    const lines = shownIn(one).split(/\r\n|[\n\r]/);
    const [left = 0, bottom = 0, right = 0, top = 0] = one.rect;
    const box = boundsOf(toPage, { left, right, top: Math.min(bottom, top), bottom: Math.max(bottom, top) });
    const height = (box.bottom - box.top) / lines.length;
    return lines.flatMap((line, index) => {
      const own = { ...box, top: box.top + index * height, bottom: box.top + (index + 1) * height };
      return wordsOf(asShown(line), own);
    });
  });

const shownIn = ({
  subtype,
  fieldType,
  fieldValue,
  password,
  checkBox,
  exportValue,
  contentsObj,
}: Annotation) => {
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (subtype !== 'Widget' || password) return '';
  if (fieldType === 'Btn') return checkBox ? (fieldValue === exportValue ? '☑' : '☐') : '';
  const values: readonly unknown[] = Array.isArray(fieldValue) ? fieldValue : [fieldValue];
  return values.filter((value) => typeof value === 'string').join('\n');
};

const boxOf = ({ transform, width, height }: Run, toPage: Affine): Box => {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
  const [along, up] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const own = affineOf([a / along, b / along, c / up, d / up, x, y]);
  return boundsOf(after(toPage, own), { left: 0, top: 0, right: width, bottom: height });
};
