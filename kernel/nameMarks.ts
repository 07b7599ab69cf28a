/**
 * What is in no name of people or companies, as part of a class of characters of a pattern: control
 * characters, ends of lines, spaces without width, and marks that turn the direction of what stands beside
 * them. The joiners that scripts need (U+200C, U+200D) are none of them.
 */
const NAME_MARKS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';

/** What a name is: without these characters, and with one that shows. */
export const NAME_PATTERN = `^[^${NAME_MARKS}]*[^\\s\\u200c\\u200d${NAME_MARKS}][^${NAME_MARKS}]*$`;

/** A name without these characters. */
export const withoutNameMarks = (name: string): string =>
  name.replace(new RegExp(`[${NAME_MARKS}]`, 'g'), '');
