import './olderNode.ts';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { Unreadable } from '../errors.ts';
import { lineOf, linesOf, type Page, type Sheet, type Word } from '../page.ts';
import { type Affine, boundsOf } from '../picture/affine.ts';
import type { Source } from '../picture/pixels.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters, checkPages } from './limits.ts';
import { merged } from './merge.ts';
import { affineOf } from './pdf/matrix.ts';
import { placedPictures } from './pdf/pictures.ts';
import { type Scan, scanOf } from './pdf/scan.ts';
import { withoutStamps } from './pdf/stamps.ts';
import { type Run, wordsOfRuns } from './pdf/words.ts';

/** A text with fewer words, over a scan of most of the page, is what its writer or a fax machine set there. */
const FEW_WORDS = 30;
const MOST_OF_IT = 0.5;
/** Of so many pages the scans under their text are looked at too: near duplicates are looked for on no more. */
const MOST_REMEMBERED = 8;

type Recognise = (picture: Source, page: number, count: number) => Promise<Page>;
/** Shown the scan under a page whose text was read without it. */
type Remember = (picture: Source, page: number) => Promise<void>;

/**
 * The pages of a PDF, with boxes in points of the page as a viewer shows it: the words of its text layer in lines; what its pictures show, through `recognise`,
 * where there is no text, or little over a scan. `remember` is shown the scans under all other text. Throws Unreadable when it is damaged, protected, too long, or has neither.
 */
export const readPdf = async (
  file: InputFile,
  bytes: Buffer,
  recognise: Recognise,
  remember: Remember | null,
): Promise<readonly Page[]> => {
  const pdf = await guarded(file, () => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }));
  checkPages(file.label, pdf.numPages);
  const pages: Page[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { words, scan, size } = await guarded(file, () =>
      opened(pdf, number, remember !== null && number <= MOST_REMEMBERED),
    );
    characters += words.reduce((sum, { text }) => sum + text.length + 1, 0);
    checkCharacters(file.label, characters);
    const sheet = { fileId: file.fileId, page: number, size };
    const text = { fileId: file.fileId, number, lines: linesOf(words, sheet) };
    if (scan && words.length < FEW_WORDS) {
      const read = onPage(await recognise(sourceOf(scan), number, pdf.numPages), scan, sheet);
      pages.push(merged(read, withoutStamps(text, read, size.height)));
    } else if (words.length > 0) pages.push(text);
    if (scan && words.length >= FEW_WORDS) await remember?.(sourceOf(scan), number);
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

/** The words of a page, and its scan where one is to be read, or `always`. */
const opened = async (pdf: Pdf, number: number, always: boolean) => {
  const page = await pdf.getPage(number);
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const toPage = affineOf(transform);
  const items: readonly object[] = (await page.getTextContent()).items;
  const words = wordsOfRuns(items.filter(isRun), toPage);
  const isText = words.length >= FEW_WORDS;
  // What can't be opened under a text is no loss to it.
  const scanned = async (): Promise<Scan | null> => scanOf(await picturesOf(page, toPage));
  const underText = async () => (always ? scanned().catch(() => null) : null);
  const scan = await (isText ? underText() : scanned());
  page.cleanup();
  const isScan = scan && (words.length === 0 || scan.area > MOST_OF_IT * width * height);
  return { words, scan: isScan ? scan : null, size: { width, height } };
};

const isRun = (item: object): item is Run =>
  'str' in item && typeof item.str === 'string' && item.str.trim() !== '';

const picturesOf = async (page: Awaited<ReturnType<Pdf['getPage']>>, toPage: Affine) => {
  const { fnArray, argsArray } = await page.getOperatorList();
  const { OPS } = await getResolvedPDFJS();
  // What many pages share is kept beside them, under names of its own.
  const find = (key: string): Promise<unknown> =>
    new Promise((resolve) => (key.startsWith('g_') ? page.commonObjs : page.objs).get(key, resolve));
  return placedPictures({ operations: fnArray, given: argsArray, named: OPS, find }, toPage);
};

/** What was recognised in a scan, with its boxes in points of its page. */
const onPage = (read: Page, { toPage }: Scan, sheet: Sheet): Page => {
  const moved = (word: Word): Word => ({ ...word, box: word.box && boundsOf(toPage, word.box) });
  const lines = read.lines.map(({ words, block }) => lineOf(words.map(moved), sheet, block));
  return { ...read, lines };
};
