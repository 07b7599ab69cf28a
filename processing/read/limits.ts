import { Unreadable } from '../errors.ts';

const MAX_PAGES = 30;
const MAX_SHOWN_PAGES = 200;
/** Of a text, or of the text layer of a PDF: to search more takes longer than one document may. */
const MAX_CHARACTERS = 500_000;

/** Of a file that is read or shown, since that takes it into memory: 100 MiB. */
export const MAX_BYTES = 104_857_600;

/** Throws Unreadable for a file of too many bytes. */
export const checkBytes = (label: string, bytes: number): void => {
  if (bytes > MAX_BYTES)
    throw new Unreadable(`"${label}" has ${bytes} bytes, at most ${MAX_BYTES} are read: split it up.`);
};

/** Throws Unreadable for a file of too many pages. */
export const checkPages = (label: string, pages: number): void => {
  if (pages > MAX_PAGES)
    throw new Unreadable(`"${label}" has ${pages} pages, at most ${MAX_PAGES} are read: split it up.`);
};

/** Throws Unreadable for a file of too many pages to be shown. */
export const checkShownPages = (label: string, pages: number): void => {
  if (pages > MAX_SHOWN_PAGES)
    throw new Unreadable(
      `"${label}" has ${pages} pages, at most ${MAX_SHOWN_PAGES} are shown: download the file.`,
    );
};

/** Throws Unreadable for a text of too many characters. */
export const checkCharacters = (label: string, characters: number): void => {
  if (characters > MAX_CHARACTERS)
    throw new Unreadable(`"${label}" has more than ${MAX_CHARACTERS} characters: upload a shorter document.`);
};
