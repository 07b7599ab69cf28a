import '../polyfills.ts';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { Box } from '../../../domain/submission/processingResult.ts';
import { once } from '../../../kernel/once.ts';
import { atMost, linesOf, type Page, textOf, type Word, wordsOn } from '../../page.ts';
import { type Affine, affineOf } from '../../picture/affine.ts';
import type { Size } from '../../picture/pixels.ts';
import type { InputFile } from '../../types.ts';
import { textPage } from '../text.ts';
import { isPainted, wordsOfAnnotations } from './annotations.ts';
import { isBlank } from './changes.ts';
import { decodedScan, drawnScan, enlarged, type Paper } from './decodedScan.ts';
import { type Drawing, drawnFonts } from './drawing.ts';
import { type Seen, seenOn } from './hidden.ts';
import { type pdfSights, pdfText, type Sight } from './pdfium.ts';
import { picturesOn } from './pictures.ts';
import { type Scan, scanOf } from './scan.ts';
import { mayHide } from './suspicion.ts';
import { fontsOf } from './undecoded.ts';
import { type Held, wordsOfItems } from './words.ts';

/** Fewer words over a scan of most of the page were stamped there by a program or a fax machine. */
const MIN_WORDS = 30;
const MIN_SCAN_SHARE = 0.5;

/**
 * The certainty of letters that are not drawn, over a scan: what a program recognised. It is too low for what
 * only the layer has, and confirms what is read.
 */
const CLAIMED = 0.59;

/** Opens a PDF, or throws what PDF.js throws. */
export const openPdf = (bytes: Buffer) => getDocumentProxy(new Uint8Array(bytes), { verbosity: WARNINGS });
/** What PDF.js leaves out, it says in warnings (see `withDamage`). */
const WARNINGS = 1;
export type Pdf = Awaited<ReturnType<typeof openPdf>>;

/**
 * A page (from 1) of a file, and what draws its pages; `wantsScan`: its scan is wanted even if its text is
 * read instead.
 */
type Opening = Readonly<{
  file: InputFile;
  bytes: Buffer;
  sights: ReturnType<typeof pdfSights>;
  number: number;
  wantsScan: boolean;
}>;

/**
 * A page's text as far as it is drawn, and its scan, under a text layer only where it is wanted, and where it
 * opens. `readsScan`: the scan is to be read, since there is little text, or it says something else; it is
 * the drawn page then. What is read in the boxes `disputed` is doubted.
 */
type Opened = Readonly<{
  text: Page;
  size: Size;
  scan: Scan | null;
  readsScan: boolean;
  disputed: readonly Box[];
}>;

/**
 * Opens a page of a PDF; what PDF.js can't decode is drawn by PDFium. Throws Unreadable, or what PDF.js
 * throws.
 */
export const openPage = async (pdf: Pdf, opening: Opening): Promise<Opened> => {
  const { file, bytes, number, wantsScan } = opening;
  const { fileId, label } = file;
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const size = { width, height };
  const paper = { label, bytes, number, size };
  const toPage = affineOf(transform);
  const { items } = await page.getTextContent();
  const annotations = await page.getAnnotations({ intent: 'display' });
  const drawing = await drawingOf(page);
  const drawn = drawnFonts(drawing);
  const held = wordsOfItems(items, toPage, drawn);
  const fonts = await fontsOf(drawing, drawn);
  const look = once(() => opening.sights(number, enlarged(size, SEEN_SCALE, MAX_SEEN)));
  const isSuspect = mayHide(held, drawing, fonts.hasDrawings, toPage, size) || annotations.some(isPainted);
  const sight = isSuspect ? await look() : null;
  const notes = wordsOfAnnotations(annotations, toPage, (box) => !sight || !isBlank(sight.all, box, size));
  const undrawn = await undrawnText(paper, fileId, held, notes, fonts, look);
  if (undrawn) return { text: undrawn, size, scan: null, readsScan: false, disputed: [] };
  const { hidden, covered, disputed, ...seen } = sight ? seenOn(held, sight, size) : unseen(held);
  const shown = [...seen.shown, ...notes];
  const isLittle = shown.length < MIN_WORDS;
  const { scan, doubt } = isLittle
    ? await decodedScan(paper, drawing, toPage, shown)
    : { scan: wantsScan ? await scanIn(drawing, toPage).catch(() => null) : null, doubt: null };
  page.cleanup();
  const undrawable = held.length > 0 && isSuspect && !sight ? 'undrawn_page' : null;
  const textOfPage = (words: readonly Word[]): Page => {
    const lines = linesOf(fonts.mistakesDigits ? words.map(doubtedDigits) : words, {
      ...{ fileId, page: number, size },
    });
    return { fileId, number, lines, doubt: doubt ?? undrawable };
  };
  const isLarge = scan !== null && scan.area > MIN_SCAN_SHARE * width * height;
  if (disputed.length > 0 || (!isLarge && covered > shown.length)) {
    const text = textOfPage([...seen.sure, ...notes]);
    return { text, size, scan: await drawnScan(paper), readsScan: true, disputed };
  }
  const claimed = isLittle && isLarge ? hidden.map((word) => atMost(CLAIMED, word)) : [];
  const text = textOfPage([...shown, ...claimed]);
  return { text, size, scan: isLarge || shown.length === 0 ? scan : null, readsScan: isLittle, disputed };
};

/** The words of a page that hides none, or that can't be drawn. */
const unseen = (held: readonly Held[]): Seen => {
  const shown = held.map(({ word }) => word);
  return { shown, sure: shown, hidden: [], covered: 0, disputed: [] };
};

/** How much more text PDFium finds where PDF.js has no characters for some. */
const MORE = 1.1;

/**
 * The text of a page whose fonts are only named where PDF.js has no characters for it (it has no boxes then),
 * or where PDFium has no letters to draw it with; null where all is drawn.
 */
const undrawnText = async (
  { label, bytes, number, size }: Paper,
  fileId: string,
  held: readonly Held[],
  notes: readonly Word[],
  { lacksCharacters, lacksLetters }: Awaited<ReturnType<typeof fontsOf>>,
  look: () => Promise<Sight | null>,
): Promise<Page | null> => {
  const all = [...held.map(({ word }) => word), ...notes];
  if (lacksCharacters) {
    const text = textPage(fileId, await pdfText(label, bytes, number), { number });
    if (textOf(wordsOn(text)).length > MORE * textOf(all).length) return { ...text, doubt: 'undrawn_page' };
  }
  const foreign = lacksLetters ? held.filter(({ word }) => FOREIGN.test(word.text)) : [];
  const sight = foreign.length > 0 ? await look() : null;
  if (foreign.length === 0 || (sight && seenOn(foreign, sight, size).hidden.length === 0)) return null;
  const lines = linesOf(all, { fileId, page: number, size });
  return { fileId, number, lines, doubt: 'undrawn_page' };
};

/** What PDFium's own fonts have no letters for. */
const FOREIGN = /(?!\p{Script=Latin})\p{L}/u;

type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

const scanIn = async (drawing: Drawing, toPage: Affine): Promise<Scan | null> =>
  scanOf((await picturesOn(drawing, toPage)).placed);

/** A word whose digits may be others. */
const doubtedDigits = (word: Word): Word => (/\d/.test(word.text) ? atMost(MISTAKEN, word) : word);

const MISTAKEN = 0.4;

const drawingOf = async (page: PdfPage): Promise<Drawing> => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  // PDF.js keeps objects that pages share apart, with a prefix.
  const find = (key: string): Promise<unknown> =>
    new Promise((resolve) => (key.startsWith('g_') ? page.commonObjs : page.objs).get(key, resolve));
  return { operations: fnArray, given: argsArray, named: OPS, find };
};

/** Sharp enough for the smallest letters that people see, in pixels a point. */
const SEEN_SCALE = 1;
const MAX_SEEN = 4_000_000;
