import { agrees, isTextual, plainType, UNKNOWN_FORMAT } from '../../domain/formats.ts';
import { Unreadable } from '../errors.ts';
import type { InputFile } from '../types.ts';
import { otherFormat } from './polyglot.ts';
import { decodeText, isText } from './text.ts';

/**
 * The media type of a file, detected from its bytes. Throws Unreadable when it is empty, is not what was
 * declared, is valid in two formats, or is not of a format that the version accepts.
 */
export const sniff = async (file: InputFile, bytes: Buffer, accepted: readonly string[]): Promise<string> => {
  if (bytes.length === 0) throw new Unreadable(`"${file.label}" is empty: upload the file again.`);
  const declared = file.mimeType === null ? null : plainType(file.mimeType);
  const type = await typeOf(bytes, declared);
  // Throws with what is wrong with the text.
  if (type === UNKNOWN_FORMAT && (declared === null || isTextual(declared))) decodeText(file.label, bytes);
  if (declared !== null && !agrees(declared, type))
    throw new Unreadable(
      `"${file.label}" says it is ${declared}, but its content is ${type}: upload it again as what it is.`,
    );
  if (!accepted.map(plainType).includes(declared ?? type))
    throw new Unreadable(
      `"${file.label}" is ${type}, which this workflow does not accept: it takes ${accepted.join(', ')}.`,
    );
  const other = await otherFormat(bytes, type, detectedType);
  if (other)
    throw new Unreadable(
      `"${file.label}" is ${type} and ${other} in one file: save it anew and upload nothing but the document.`,
    );
  return type;
};

/**
 * The media type of bytes, which may be the start of a file (`cut`); `UNKNOWN_FORMAT` when they are neither a
 * known format nor text. Text has its declared type, which bytes do not show.
 */
export const typeOf = async (
  bytes: Buffer,
  declared: string | null,
  { cut = false } = {},
): Promise<string> => {
  // Text first: "BMW" or "ID3" at the start of a note, or UTF-16, would pass for a picture or a song.
  const asText = declaredText(bytes, declared, { cut });
  if (asText !== null) return asText;
  const found = await detectedType(bytes);
  if (found) return plainType(found);
  if (declared !== null && plainType(declared) === PDF_TYPE && isLatePdf(bytes)) return PDF_TYPE;
  if (!isText(bytes, { cut })) return UNKNOWN_FORMAT;
  if (declared !== null && isTextual(plainType(declared))) return plainType(declared);
  return looksLikeJson(bytes) ? 'application/json' : 'text/plain';
};

/**
 * The media type of bytes that were declared as text and are, or are in UTF-16; null for all others. It
 * parses nothing.
 */
export const declaredText = (bytes: Buffer, declared: string | null, { cut = false } = {}): string | null => {
  if (declared === null || !isTextual(plainType(declared))) return null;
  if (isText(bytes, { cut }) && !bytes.subarray(0, 5).equals(PDF)) return plainType(declared);
  return isUtf16(bytes) ? UNKNOWN_FORMAT : null;
};

/** The media type by the first bytes. Declared text does not need the library. */
const detectedType = async (bytes: Buffer): Promise<string | undefined> => {
  const { fileTypeFromBuffer } = await import('file-type');
  // It searches a TIFF's directory, which mostly follows the pictures and is missing in the start of a file.
  return (await fileTypeFromBuffer(bytes))?.mime ?? (isTiff(bytes) ? 'image/tiff' : undefined);
};

const isTiff = (bytes: Buffer): boolean => ['49492a00', '4d4d002a'].includes(bytes.toString('hex', 0, 4));

const isUtf16 = (bytes: Buffer): boolean => ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2));

const PDF = Buffer.from('%PDF-');
const PDF_TYPE = 'application/pdf';

/** Readers accept a signature after what a printer or mailer inserted; here not after markup. */
const isLatePdf = (bytes: Buffer): boolean =>
  bytes.subarray(0, 1_024).includes(PDF) && !/^\s*</.test(bytes.toString('latin1', 0, 1_024));

const looksLikeJson = (bytes: Buffer): boolean => /^\s*[[{]/.test(bytes.toString('utf8', 0, 100));
