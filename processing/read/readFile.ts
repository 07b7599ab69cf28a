import { readFile as readBytes, stat } from 'node:fs/promises';
import { pictureFormats } from '../../domain/formats.ts';
import { Unreadable, unlessUnreadable } from '../errors.ts';
import type { Page } from '../page.ts';
import { type Affine, stretched } from '../picture/affine.ts';
import type { Source } from '../picture/pixels.ts';
import type { InputFile, ProcessingVersion } from '../types.ts';
import { type Entry, readJson } from './json.ts';
import { checkBytes } from './limits.ts';
import type { Recogniser } from './ocr.ts';
import type { OnScan, Recognise } from './pdf.ts';
import { checkQuality, checkSize, checkText, type JudgedPicture } from './quality.ts';
import { sniff } from './sniff.ts';
import { readText } from './text.ts';

/** The content of a file: pages of lines, or the members of a JSON document. */
export type Content = Readonly<{ pages: readonly Page[]; entries: readonly Entry[] }>;

/** Called with each picture that was read, the map from what was read to its pixels, and what was read. */
type OnPicture = (source: Source, toPage: Affine, page: Page) => Promise<void>;

/** The bytes of a file. Throws Unreadable for one that is too large to be taken into memory. */
export const bytesOf = async (file: InputFile): Promise<Buffer> => {
  const { label, content } = file;
  checkBytes(label, await lengthOf(file));
  return typeof content === 'string'
    ? readBytes(content)
    : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
};

/** The size of a file in bytes. */
export const lengthOf = async ({ content }: InputFile): Promise<number> =>
  typeof content === 'string' ? (await stat(content)).size : content.byteLength;

/**
 * Reads one file by its format; `onPage` is called before each page of pictures. Throws Unreadable or
 * PoorPicture, whose messages say what to correct.
 */
export const readFile = async (
  file: InputFile,
  { acceptedFormats, extractor, quality }: ProcessingVersion,
  recogniser: Recogniser,
  onPage: () => void,
  onPicture: OnPicture | null = null,
): Promise<Content> => {
  const bytes = await bytesOf(file);
  const type = await sniff(file, bytes, acceptedFormats);
  if (type === 'application/json') return { pages: [], entries: readJson(file, bytes) };
  if (extractor === 'json')
    throw new Unreadable(`"${file.label}" is ${type}, but this workflow takes its data from JSON files.`);
  if (type.startsWith('text/')) return { pages: [await readText(file, bytes, type)], entries: [] };
  const judged: JudgedPicture[] = [];
  const recognise: Recognise = async (source, page, count) => {
    onPage();
    const { pictureSize, readPicture } = await import('./picture.ts');
    const name = count > 1 ? `page ${page} of "${file.label}"` : `"${file.label}"`;
    checkSize(name, await pictureSize(file.label, source), quality);
    const one = { name, ...(await readPicture(file, source, page, recogniser)) };
    judged.push(one);
    checkQuality(one, quality);
    await onPicture?.(source, one.toPage, one.read);
    return one.read;
  };
  const onScan = onPicture && withoutWords(file, onPage, onPicture);
  const pages = await readPages(file, bytes, type, recognise, onScan);
  if (judged.length === pages.length) checkText(file.label, judged, quality);
  return { pages, entries: [] };
};

/**
 * Passes on scans under a text layer, which are not recognised: the layer may say anything, and it takes too
 * long.
 */
const withoutWords =
  ({ fileId }: InputFile, onPage: () => void, onPicture: OnPicture): OnScan =>
  (source, number) =>
    unlessUnreadable(async () => {
      onPage();
      await onPicture(source, stretched(1, 1), { fileId, number, lines: [] });
    });

/** Loads the libraries of pictures and PDFs, without which a child process starts in half the time. */
const readPages = async (
  file: InputFile,
  bytes: Buffer,
  type: string,
  recognise: Recognise,
  onScan: OnScan | null,
): Promise<readonly Page[]> => {
  if (type === 'application/pdf') return (await import('./pdf.ts')).readPdf(file, bytes, recognise, onScan);
  if (!pictureFormats.some((format) => format === type))
    throw new Unreadable(
      `"${file.label}" is ${type}, which can't be read: upload a picture, a PDF, a text or JSON.`,
    );
  const { pagesToRead } = await import('./picture.ts');
  const pages: Page[] = [];
  const numbers = await pagesToRead(file.label, bytes);
  for (const page of numbers) pages.push(await recognise({ bytes, page }, page + 1, numbers.length));
  return pages;
};
