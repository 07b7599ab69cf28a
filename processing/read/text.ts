import { Unreadable } from '../errors.ts';
import { type Page, textPage } from '../page.ts';
import type { InputFile } from '../types.ts';
import { checkCharacters } from './limits.ts';

/** The lines of a text file. Throws Unreadable when it is no UTF-8 text, empty, or too long. */
export const readText = (file: InputFile, bytes: Buffer): Page => {
  const text = decodeText(file.label, bytes);
  if (text.trim() === '') throw new Unreadable(`"${file.label}" holds no text: upload the file again.`);
  checkCharacters(file.label, text.length);
  return textPage(file.fileId, text);
};

/** UTF-8 text without its byte order mark. Throws Unreadable when the bytes are no such text. */
export const decodeText = (label: string, bytes: Buffer): string => {
  if (!isText(bytes))
    throw new Unreadable(`"${label}" is no text that can be read: save it as plain text in UTF-8.`);
  return new TextDecoder().decode(bytes);
};

/**
 * Whether bytes are UTF-8 without control characters other than tab, line and form feed, and carriage return.
 * `cut`: they may end within a character.
 */
export const isText = (bytes: Buffer, { cut = false } = {}): boolean => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they distinguish binary data from text
  const control = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
  try {
    return !control.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut }));
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};
