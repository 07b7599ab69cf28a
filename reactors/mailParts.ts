import { escapeMarkup } from '../kernel/escape.ts';

const MAX_NAME = 80;
/** Ends of lines, other control characters, and those that turn the direction of what follows. */
const NOT_IN_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * A name that others chose, fit for a subject: it can begin no other header, and is no longer than a line.
 */
export const oneLine = (name: string): string => {
  const line = [...name.replaceAll(NOT_IN_A_LINE, ' ').trim()];
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME - 1).join('')}…` : line.join('');
};

/** A paragraph of plain text. */
export const paragraph = (text: string): string => `<p>${escapeMarkup(text)}</p>`;

/** A mail's HTML, which loads nothing from elsewhere. */
export const htmlOf = (title: string, body: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><title>${escapeMarkup(title)}</title></head>`,
    '<body style="font-family: sans-serif; line-height: 1.5">',
    ...body,
    '</body>',
    '</html>\n',
  ].join('\n');
