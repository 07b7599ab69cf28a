const NUMERALS = 'zero one two three four five six seven eight nine ten'.split(' ');

/** A number in digits or words, as a part of a regular expression without groups. */
export const COUNT = `(?:\\d{1,4}|an?|${NUMERALS.join('|')})`;

/** The value of such a number. */
export const countOf = (text: string): number => {
  const word = text.toLowerCase();
  if (word === 'a' || word === 'an') return 1;
  return NUMERALS.includes(word) ? NUMERALS.indexOf(word) : Number(word);
};

/** The clauses of an instruction: its sentences, lines, and parts between semicolons. */
export const clausesOf = (instruction: string): readonly string[] =>
  joinLists(instruction)
    .split(/[;\n]+|[.!?]+(?=\s|$)/)
    .map((clause) => clause.replaceAll(/\s+/g, ' ').trim())
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));

/** Joins the points of a list to the line that ends in a colon before them. */
const joinLists = (text: string): string =>
  text
    .replaceAll(/\r/g, '')
    .replaceAll(/\n\s*(?:[-*•]|\d+[.)])\s+/g, (_, index: number) =>
      /:\s*$/.test(text.slice(0, index)) ? ' ' : ', ',
    );

/** The items of a list, which commas and "and" separate outside parentheses. */
export const itemsOf = (list: string): readonly string[] => {
  const kept = list.replaceAll(/\([^)]*\)/g, (inner) =>
    inner.replaceAll(',', '\u0001').replaceAll(/\b(and|or|plus)\b/gi, '\u0002$1'),
  );
  return kept
    .split(/\s*,\s*(?:and|plus|as well as)?\s*|\s+(?:and|plus|as well as)\s+|\s*&\s*/i)
    .map((item) => item.replaceAll('\u0001', ',').replaceAll('\u0002', '').trim())
    .filter((item) => item !== '');
};

/** Words without articles, quotes and introductory words. */
export const bare = (text: string): string =>
  text
    .replaceAll(/["“”'‘’`*]/g, '')
    .replace(/^(?:(?:the|an?|its|their|his|her|also|please|each|every|any)\s+)+/i, '')
    .replace(/\s+(?:fields?|columns?|too|also|as well)$/i, '')
    .trim();

/** `dueDate` for "due date": a valid field name of at most 64 characters; may be empty. */
export const nameOf = (words: string): string => {
  const parts = words
    .normalize('NFKD')
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '');
  const [first = '', ...rest] = parts;
  const head = /^[A-Z0-9]+$/.test(first)
    ? first.toLowerCase()
    : first.charAt(0).toLowerCase() + first.slice(1);
  const name = head + rest.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  return (/^\d/.test(name) ? `_${name}` : name).slice(0, 64);
};

/** The text with its first letter in upper case. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
