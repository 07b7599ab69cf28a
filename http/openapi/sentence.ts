/**
 * A description as a sentence: it begins with a capital and ends with a full stop, unless it has an end of
 * its own.
 */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
