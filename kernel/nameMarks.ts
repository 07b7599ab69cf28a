/**
 * What is in no name of people or companies, as part of a class of characters of a pattern: control
 * characters, and marks that turn the direction of what stands beside them. The joiners that scripts need
 * (U+200C, U+200D) are none of them.
 */
export const NAME_MARKS = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

/** Whether a name has one of these characters. */
export const hasNameMarks = (name: string): boolean => new RegExp(`[${NAME_MARKS}]`).test(name);

/** A name without these characters. */
export const withoutNameMarks = (name: string): string =>
  name.replace(new RegExp(`[${NAME_MARKS}]`, 'g'), '');
