import { Unreadable } from '../errors.ts';

/** How many pages of a file are read. */
export const MOST_PAGES = 30;
/** How many characters of a text, or of the text layer of a PDF, are read: looking through more takes longer than one document may. */
export const MOST_CHARACTERS = 500_000;

/** Throws Unreadable for a file of too many pages. */
export const checkPages = (label: string, pages: number): void => {
  if (pages > MOST_PAGES)
    throw new Unreadable(`"${label}" has ${pages} pages, at most ${MOST_PAGES} are read: split it up.`);
};

/** Throws Unreadable for a text of too many characters. */
export const checkCharacters = (label: string, characters: number): void => {
  if (characters > MOST_CHARACTERS)
    throw new Unreadable(
      `"${label}" has more than ${MOST_CHARACTERS} characters: upload a shorter document.`,
    );
};
