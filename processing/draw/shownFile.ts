import { isTextual, pictureFormats, plainType } from '../../domain/formats.ts';
import { Unreadable } from '../errors.ts';
import { bytesOf } from '../read/readFile.ts';
import { typeOf } from '../read/sniff.ts';
import type { InputFile } from '../types.ts';

/** A file to be shown, by what its bytes are: what was declared need not be true. */
export type ShownFile = Readonly<{ format: 'picture' | 'pdf' | 'text'; bytes: Buffer }>;

/**
 * Opens a file to be shown. Markup is text like any other, and what is no picture, PDF or text is never
 * shown. Throws Unreadable, whose message says why.
 */
export const openShown = async (file: InputFile): Promise<ShownFile> => {
  const bytes = await bytesOf(file);
  if (bytes.length === 0) throw new Unreadable(`"${file.label}" is empty.`);
  const type = await typeOf(bytes, file.mimeType === null ? null : plainType(file.mimeType));
  if (type === 'application/pdf') return { format: 'pdf', bytes };
  if (pictureFormats.some((format) => format === type)) return { format: 'picture', bytes };
  if (isTextual(type)) return { format: 'text', bytes };
  throw new Unreadable(`"${file.label}" is ${type}, which can't be shown: download the file.`);
};
