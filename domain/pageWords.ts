/** How many words of a page are kept, those read first (words-2). */
export const MAX_WORDS = 3_000;
/** How long a word that is kept may be, in characters: longer ones are left out. */
export const MAX_WORD_LENGTH = 200;
