import '../polyfills.ts';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { Box } from '../../../domain/submission/processingResult.ts';
import { once } from '../../../kernel/once.ts';
import { unlessUnreadable } from '../../errors.ts';
import { atMost, linesOf, type Page, type PageDoubt, textOf, type Word, wordsOn } from '../../page.ts';
import { type Affine, affineOf, boundsOf, inverse, stretched } from '../../picture/affine.ts';
import { type Grey, isEmpty, type Size } from '../../picture/pixels.ts';
import type { InputFile } from '../../types.ts';
import { textPage } from '../text.ts';
import { type Drawing, drawnFonts } from './drawing.ts';
import { drawnPage, READ_SCALE, SEEN_SCALE } from './drawnPage.ts';
import { isUnseen, mayHide, shownOn } from './hidden.ts';
import { pdfPictures, pdfText } from './pdfium.ts';
import { picturesOn } from './pictures.ts';
import { type Scan, scanOf } from './scan.ts';
import { fontsOf, isCutShort, weighty } from './undecoded.ts';
import { wordsOfAnnotations, wordsOfItems } from './words.ts';

/** Fewer words over a scan of most of the page were stamped there by a program or a fax machine. */
const MIN_WORDS = 30;
const MIN_SCAN_SHARE = 0.5;

/** The certainty of the letters of a text layer that the page does not show: what a program recognised. */
const CLAIMED = 0.85;

/** Opens a PDF, or throws what PDF.js throws. */
export const openPdf = (bytes: Buffer) => getDocumentProxy(new Uint8Array(bytes), { verbosity: WARNINGS });
/** What PDF.js leaves out, it says in warnings (see `withDamage`). */
const WARNINGS = 1;
export type Pdf = Awaited<ReturnType<typeof openPdf>>;

/** A page (from 1) of a file; `wantsScan`: its scan is wanted even if its text is read instead. */
type Opening = Readonly<{ file: InputFile; bytes: Buffer; number: number; wantsScan: boolean }>;

/**
 * A page's text as far as it shows, and its scan, under a text layer only where it is wanted, and where it
 * opens. `readsScan`: the scan is to be read, since there is little text, or only what a program recognised.
 */
type Opened = Readonly<{ text: Page; size: Size; scan: Scan | null; readsScan: boolean }>;

/**
 * Opens a page of a PDF; what PDF.js can't decode is drawn by PDFium. Throws Unreadable, or what PDF.js
 * throws.
 */
export const openPage = async (pdf: Pdf, opening: Opening): Promise<Opened> => {
  const { file, bytes, number, wantsScan } = opening;
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const size = { width, height };
  const toPage = affineOf(transform);
  const { items } = await page.getTextContent();
  const annotations = await page.getAnnotations({ intent: 'display' });
  const drawing = await drawingOf(page);
  const drawn = drawnFonts(drawing);
  const held = [...wordsOfItems(items, toPage, drawn), ...wordsOfAnnotations(annotations, toPage)];
  const fonts = await fontsOf(drawing, drawn);
  const seenPage = once(() => drawnPage(file.label, bytes, number, size, SEEN_SCALE));
  const undrawn = await undrawnText(opening, held, size, fonts, seenPage);
  if (undrawn) return { text: undrawn, size, scan: null, readsScan: false };
  const isLayer = held.length > 0 && isUnseen(drawing);
  const seen = mayHide(held, drawing, toPage, size) ? shownOn(held, await seenPage(), size) : held;
  const shown = fonts.mistakesDigits ? seen.map(doubtedDigits) : seen;
  const readsScan = isLayer || shown.length < MIN_WORDS;
  const { scan, doubt } = readsScan
    ? await decodedScan(opening, drawing, toPage, size, shown)
    : { scan: wantsScan ? await scanIn(drawing, toPage).catch(() => null) : null, doubt: null };
  page.cleanup();
  const isLarge = scan !== null && scan.area > MIN_SCAN_SHARE * width * height;
  const isClaim = isLayer && isLarge;
  const words = isClaim ? shown.map((word) => ({ ...word, confidence: CLAIMED * word.confidence })) : shown;
  const lines = linesOf(words, { fileId: file.fileId, page: number, size });
  const text = { fileId: file.fileId, number, lines, doubt };
  return { text, size, scan: isLarge || words.length === 0 ? scan : null, readsScan };
};

/** How much more text PDFium finds where PDF.js has no characters for some. */
const MORE = 1.1;

/**
 * The text of a page whose fonts are only named where PDF.js has no characters for it (it has no boxes then),
 * or where PDFium has no letters to draw it with; null where all is drawn.
 */
const undrawnText = async (
  { file: { fileId, label }, bytes, number }: Opening,
  held: readonly Word[],
  size: Size,
  { lacksCharacters, lacksLetters }: Awaited<ReturnType<typeof fontsOf>>,
  seenPage: () => Promise<Grey>,
): Promise<Page | null> => {
  if (lacksCharacters) {
    const text = textPage(fileId, await pdfText(label, bytes, number), { number });
    if (textOf(wordsOn(text)).length > MORE * textOf(held).length) return { ...text, doubt: 'undrawn_page' };
  }
  const foreign = lacksLetters ? held.filter(({ text }) => FOREIGN.test(text)) : [];
  if (foreign.length === 0) return null;
  const shown = shownOn(foreign, await seenPage(), size);
  if (shown.length === foreign.length) return null;
  const lines = linesOf(held, { fileId, page: number, size });
  return { fileId, number, lines, doubt: 'undrawn_page' };
};

/** What PDFium's own fonts have no letters for. */
const FOREIGN = /(?!\p{Script=Latin})\p{L}/u;

type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

const scanIn = async (drawing: Drawing, toPage: Affine): Promise<Scan | null> =>
  scanOf((await picturesOn(drawing, toPage)).placed);

/** The scan of a page, and whether something of it can't be decoded, neither by PDF.js nor by PDFium. */
type Decoded = Readonly<{ scan: Scan | null; doubt: PageDoubt | null }>;

/**
 * The scan of a page with these words; the page as PDFium draws it where PDF.js can't decode it, or where all
 * of it is lines.
 */
const decodedScan = async (
  { file: { label }, bytes, number }: Opening,
  drawing: Drawing,
  toPage: Affine,
  size: Size,
  words: readonly Word[],
): Promise<Decoded> => {
  const { placed, lost } = await picturesOn(drawing, toPage);
  const scan = scanOf(placed);
  const missing = weighty(lost, size);
  const hasNothing = words.length === 0 && scan === null && drawing.operations.length > 0;
  if (missing.length === 0 && !hasNothing) {
    const isCut = scan !== null && (await isAnyCutShort(label, bytes, number));
    return isCut ? { scan: null, doubt: 'unread_page' } : { scan, doubt: null };
  }
  const picture = await drawnPage(label, bytes, number, size, READ_SCALE);
  const toPoints = stretched(size.width / picture.width, size.height / picture.height);
  const bare = without(words, picture, toPoints);
  const isBlank = (box: Box): boolean => isEmpty(bare, boundsOf(inverse(toPoints), box));
  const isPart = missing.length > 0 && (await isAnyCutShort(label, bytes, number));
  if (isPart || missing.some(isBlank)) return { scan, doubt: 'unread_page' };
  const whole = { left: 0, top: 0, right: size.width, bottom: size.height };
  if (isBlank(whole)) return { scan: null, doubt: null };
  return { scan: { picture, toPage: toPoints, area: size.width * size.height }, doubt: null };
};

/** A word whose digits may be others. */
const doubtedDigits = (word: Word): Word => (/\d/.test(word.text) ? atMost(MISTAKEN, word) : word);

const MISTAKEN = 0.4;

/** Of the height of a word: what its letters reach beyond its box. */
const MARGIN = 0.4;

/**
 * The drawn page without its words, which say nothing of the pictures below: their places have the colour
 * beside them.
 */
const without = (words: readonly Word[], picture: Grey, toPoints: Affine): Grey => {
  const { width, height } = picture;
  const data = Uint8Array.from(picture.data);
  for (const { box } of words) {
    if (!box) continue;
    const margin = MARGIN * (box.bottom - box.top);
    const [left, top, right, bottom] = [
      box.left - margin,
      box.top - margin,
      box.right + margin,
      box.bottom + margin,
    ];
    const place = boundsOf(inverse(toPoints), { left, top, right, bottom });
    const [x, y] = [Math.max(0, Math.floor(place.left)), Math.max(0, Math.floor(place.top))];
    const beside = data[y * width + x] ?? 255;
    const end = Math.min(width, Math.ceil(place.right));
    for (let row = y; row < Math.min(height, place.bottom); row += 1)
      if (end > x) data.fill(beside, row * width + x, row * width + end);
  }
  return { data, width, height };
};

/** Whether a picture of a page ends too early, as far as PDFium finds it. */
const isAnyCutShort = async (label: string, bytes: Buffer, number: number): Promise<boolean> => {
  let isCut = false;
  await unlessUnreadable(async () => {
    for (const stored of await pdfPictures(label, bytes, number)) isCut ||= await isCutShort(stored);
  });
  return isCut;
};

const drawingOf = async (page: PdfPage): Promise<Drawing> => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  // PDF.js keeps objects that pages share apart, with a prefix.
  const find = (key: string): Promise<unknown> =>
    new Promise((resolve) => (key.startsWith('g_') ? page.commonObjs : page.objs).get(key, resolve));
  return { operations: fnArray, given: argsArray, named: OPS, find };
};
