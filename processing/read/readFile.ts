import { readFile as readBytes } from 'node:fs/promises';
import { pictureFormats } from '../../domain/formats.ts';
import { Unreadable, unlessUnreadable } from '../errors.ts';
import type { Page } from '../page.ts';
import { type Affine, stretched } from '../picture/affine.ts';
import type { Source } from '../picture/pixels.ts';
import type { InputFile, ProcessingVersion } from '../types.ts';
import { type Entry, readJson } from './json.ts';
import type { Recogniser } from './ocr.ts';
import { checkQuality, checkSize, checkText, type JudgedPicture } from './quality.ts';
import { sniff } from './sniff.ts';
import { readText } from './text.ts';

/** The content of a file: pages of lines, or the members of a JSON document. */
export type Content = Readonly<{ pages: readonly Page[]; entries: readonly Entry[] }>;

/** Called with each picture that was read, the map from what was read to its pixels, and what was read. */
type OnPicture = (source: Source, toPage: Affine, page: Page) => Promise<void>;

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
  const bytes = await readBytes(file.path);
  const type = await sniff(file, bytes, acceptedFormats);
  if (type === 'application/json') return { pages: [], entries: readJson(file, bytes) };
  if (extractor === 'json')
    throw new Unreadable(`"${file.label}" is ${type}, but this workflow takes its data from JSON files.`);
  if (type.startsWith('text/')) return { pages: [readText(file, bytes)], entries: [] };
  const judged: JudgedPicture[] = [];
  const recognise = async (source: Source, page: number, count: number): Promise<Page> => {
    onPage();
    // Loaded with the first picture, as PDF.js is with the first PDF: a child process without any starts in
    // half the time.
    const { pictureSize, readPicture } = await import('./picture.ts');
    const name = count > 1 ? `page ${page} of "${file.label}"` : `"${file.label}"`;
    checkSize(name, await pictureSize(file.label, source), quality);
    const { read, picture, legibility } = await readPicture(file, source, page, recogniser);
    const one = { name, measures: picture.measures, read, legibility };
    judged.push(one);
    checkQuality(one, quality);
    await onPicture?.(source, picture.toPage, read);
    return read;
  };
  // A scan under a text layer is passed on without words: the layer may say anything, and recognising takes
  // too long.
  const onScan = (source: Source, page: number): Promise<void> =>
    unlessUnreadable(async () => {
      onPage();
      await onPicture?.(source, stretched(1, 1), { fileId: file.fileId, number: page, lines: [] });
    });
  const pages = await readPages(file, bytes, type, recognise, onPicture ? onScan : null);
  if (judged.length === pages.length) checkText(file.label, judged, quality);
  return { pages, entries: [] };
};

type Recognise = (source: Source, page: number, count: number) => Promise<Page>;
type OnScan = (source: Source, page: number) => Promise<void>;

const readPages = async (
  file: InputFile,
  bytes: Buffer,
  type: string,
  recognise: Recognise,
  onScan: OnScan | null,
): Promise<readonly Page[]> => {
  if (type === 'application/pdf') return (await import('./pdf.ts')).readPdf(file, bytes, recognise, onScan);
  if (isPicture(type)) return readPictures(file, bytes, recognise);
  throw new Unreadable(
    `"${file.label}" is ${type}, which can't be read: upload a picture, a PDF, a text or JSON.`,
  );
};

const isPicture = (type: string): boolean => pictureFormats.some((format) => format === type);

const readPictures = async (
  file: InputFile,
  bytes: Buffer,
  recognise: Recognise,
): Promise<readonly Page[]> => {
  const { countPages } = await import('./picture.ts');
  const pages: Page[] = [];
  const count = await countPages(file.label, bytes);
  for (let page = 0; page < count; page += 1) pages.push(await recognise({ bytes, page }, page + 1, count));
  return pages;
};
