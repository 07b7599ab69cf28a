import { readFile as readBytes } from 'node:fs/promises';
import { PoorPicture, Unreadable } from '../errors.ts';
import type { Page } from '../page.ts';
import type { Source } from '../picture/pixels.ts';
import type { Straight } from '../picture/straighten.ts';
import type { InputFile, ProcessingVersion } from '../types.ts';
import { type Entry, readJson } from './json.ts';
import type { Recogniser } from './ocr.ts';
import { sniff } from './sniff.ts';
import { readText } from './text.ts';

/** What a file says: pages of lines, or the entries of a JSON document. */
export type Content = Readonly<{ pages: readonly Page[]; entries: readonly Entry[] }>;

/** Tells that a page is being begun, for the limit on the time of each. */
type Progress = () => void;

/** Shown each picture that is read: made straight, of which file and page (from 1). */
export type Seen = (picture: Straight, fileId: string, page: number) => void;

const LEAST_LETTERS = 3;
const SURE = 0.5;

/** Reads one file by its kind. Throws Unreadable or PoorPicture, which tell a person what to mend. */
export const readFile = async (
  file: InputFile,
  { acceptedFormats, extractor }: ProcessingVersion,
  recogniser: Recogniser,
  progress: Progress,
  seen: Seen = () => undefined,
): Promise<Content> => {
  const bytes = await readBytes(file.path);
  const type = await sniff(file, bytes, acceptedFormats);
  if (type === 'application/json') return { pages: [], entries: readJson(file, bytes) };
  if (extractor === 'json')
    throw new Unreadable(`"${file.label}" is ${type}, but this workflow takes its data from JSON files.`);
  if (type.startsWith('text/')) return { pages: [readText(file, bytes)], entries: [] };
  const recognise = async (source: Source, page: number): Promise<Page> => {
    progress();
    const { readPicture } = await import('./picture.ts');
    const { read, picture } = await readPicture(file, source, page, recogniser);
    seen(picture, file.fileId, page);
    return read;
  };
  if (type === 'application/pdf') {
    // Loaded with the first PDF, as pictures are with theirs: a child process that meets none starts in half the time.
    const { readPdf } = await import('./pdf.ts');
    return { pages: legible(file, await readPdf(file, bytes, recognise)), entries: [] };
  }
  if (PICTURES.includes(type))
    return { pages: legible(file, await readPictures(file, bytes, recognise)), entries: [] };
  throw new Unreadable(
    `"${file.label}" is ${type}, which can't be read: upload a picture, a PDF, a text or JSON.`,
  );
};

const PICTURES = ['image/jpeg', 'image/png', 'image/webp', 'image/tiff'];

const readPictures = async (
  file: InputFile,
  bytes: Buffer,
  recognise: (source: Source, page: number) => Promise<Page>,
): Promise<readonly Page[]> => {
  const { countPages } = await import('./image.ts');
  const pages: Page[] = [];
  const count = await countPages(file.label, bytes);
  for (let page = 0; page < count; page += 1) pages.push(await recognise({ bytes, page }, page + 1));
  return pages;
};

const legible = (file: InputFile, pages: readonly Page[]): readonly Page[] => {
  const words = pages.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const sure = words.filter(({ confidence }) => confidence >= SURE).map(({ text }) => text);
  if ((sure.join('').match(/[\p{L}\d]/gu) ?? []).length >= LEAST_LETTERS) return pages;
  throw new PoorPicture(
    `"${file.label}" shows no text that can be read: take the picture again, sharp, in good light, with the whole document in it.`,
  );
};
