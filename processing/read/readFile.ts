import { readFile as readBytes } from 'node:fs/promises';
import { pictureFormats } from '../../domain/formats.ts';
import { Unreadable, unlessUnreadable } from '../errors.ts';
import type { Page } from '../page.ts';
import { type Affine, stretched } from '../picture/affine.ts';
import type { Source } from '../picture/pixels.ts';
import type { Straight } from '../picture/straighten.ts';
import type { InputFile, ProcessingVersion } from '../types.ts';
import { type Entry, readJson } from './json.ts';
import type { Recogniser } from './ocr.ts';
import { checkQuality, checkSize, checkText, type Looked } from './quality.ts';
import { sniff } from './sniff.ts';
import { readText } from './text.ts';

/** What a file says: pages of lines, or the entries of a JSON document. */
export type Content = Readonly<{ pages: readonly Page[]; entries: readonly Entry[] }>;

/** Tells that a page is being begun, for the limit on the time of each. */
type Progress = () => void;

/** Shown each picture that is read: made straight, of which file and page (from 1). */
export type Seen = (picture: Straight, fileId: string, page: number) => void;

/** Shown each picture that was read, as it came, where what was read of it stands there (`Straight.toPage`), and what was read. */
type Known = (source: Source, toPage: Affine, page: Page) => Promise<void>;

type Hooks = Readonly<{ seen?: Seen; known?: Known }>;

/** Reads one file by its kind. Throws Unreadable or PoorPicture, which tell a person what to mend. */
export const readFile = async (
  file: InputFile,
  { acceptedFormats, extractor, quality }: ProcessingVersion,
  recogniser: Recogniser,
  progress: Progress,
  { seen, known }: Hooks = {},
): Promise<Content> => {
  const bytes = await readBytes(file.path);
  const type = await sniff(file, bytes, acceptedFormats);
  if (type === 'application/json') return { pages: [], entries: readJson(file, bytes) };
  if (extractor === 'json')
    throw new Unreadable(`"${file.label}" is ${type}, but this workflow takes its data from JSON files.`);
  if (type.startsWith('text/')) return { pages: [readText(file, bytes)], entries: [] };
  const looked: Looked[] = [];
  const recognise = async (source: Source, page: number, count: number): Promise<Page> => {
    progress();
    // Loaded with the first picture, as PDF.js is with the first PDF: a child process that meets none starts in half the time.
    const { readPicture } = await import('./picture.ts');
    const { pictureSize } = await import('./image.ts');
    const name = count > 1 ? `page ${page} of "${file.label}"` : `"${file.label}"`;
    checkSize(name, await pictureSize(file.label, source), quality);
    const { read, picture, legibility } = await readPicture(file, source, page, recogniser);
    looked.push({ name, measures: picture.measures, read, legibility });
    checkQuality({ name, measures: picture.measures, read, legibility }, quality);
    seen?.(picture, file.fileId, page);
    await known?.(source, picture.toPage, read);
    return read;
  };
  /** A scan whose text was read without it is known by its strokes alone: that text may say anything, and to recognise it may cost the document its time. */
  const remember = (source: Source, page: number): Promise<void> =>
    unlessUnreadable(async () => {
      progress();
      await known?.(source, UNCHANGED, { fileId: file.fileId, number: page, lines: [] });
    });
  const pages = await readPages(file, bytes, type, recognise, known ? remember : null);
  if (looked.length === pages.length) checkText(file.label, looked, quality);
  return { pages, entries: [] };
};

const UNCHANGED = stretched(1, 1);

type Recognise = (source: Source, page: number, count: number) => Promise<Page>;
type Remember = (source: Source, page: number) => Promise<void>;

const readPages = async (
  file: InputFile,
  bytes: Buffer,
  type: string,
  recognise: Recognise,
  remember: Remember | null,
): Promise<readonly Page[]> => {
  if (type === 'application/pdf') return (await import('./pdf.ts')).readPdf(file, bytes, recognise, remember);
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
  const { countPages } = await import('./image.ts');
  const pages: Page[] = [];
  const count = await countPages(file.label, bytes);
  for (let page = 0; page < count; page += 1) pages.push(await recognise({ bytes, page }, page + 1, count));
  return pages;
};
