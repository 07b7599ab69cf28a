import { Unreadable } from '../errors.ts';
import type { InputFile } from '../types.ts';
import { otherFormat } from './polyglot.ts';
import { decodeText, isText } from './text.ts';

/**
 * The media type of a file, judged by its bytes. Throws Unreadable when it is empty, is not what it says it is, is two things at once, or
 * is not among the formats that the version accepts.
 */
export const sniff = async (file: InputFile, bytes: Buffer, accepted: readonly string[]): Promise<string> => {
  if (bytes.length === 0) throw new Unreadable(`"${file.label}" is empty: upload the file again.`);
  const declared = file.mimeType === null ? null : plain(file.mimeType);
  const type = await judge(file, bytes, declared);
  if (declared !== null && declared !== type)
    throw new Unreadable(
      `"${file.label}" says it is ${declared}, but its content is ${type}: upload it again as what it is.`,
    );
  if (!accepted.map(plain).includes(type))
    throw new Unreadable(
      `"${file.label}" is ${type}, which this workflow does not accept: it takes ${accepted.join(', ')}.`,
    );
  const other = await otherFormat(bytes, type, knownType);
  if (other)
    throw new Unreadable(
      `"${file.label}" is ${type} and ${other} in one file: save it anew and upload nothing but the document.`,
    );
  return type;
};

/**
 * The media type of a file of which only the beginning is at hand; `application/octet-stream` when that is neither a
 * known format nor text.
 */
export const typeOfHead = async (head: Buffer): Promise<string> => {
  const found = await knownType(head);
  if (found) return plain(found);
  if (!isText(head, { cut: true })) return 'application/octet-stream';
  return looksLikeJson(head) ? JSON_TYPE : 'text/plain';
};

const judge = async (file: InputFile, bytes: Buffer, declared: string | null): Promise<string> => {
  // Text is asked first: "BMW" or "ID3" at the start of a note would pass for a picture or a song.
  if (declared !== null && textual(declared) && isText(bytes) && !bytes.subarray(0, 5).equals(PDF))
    return declared;
  // Its byte order mark would pass for a song's.
  if (declared !== null && textual(declared) && isUtf16(bytes)) decodeText(file.label, bytes);
  const found = await knownType(bytes);
  if (found) return plain(found);
  decodeText(file.label, bytes);
  return declared !== null && textual(declared) ? declared : looksLikeJson(bytes) ? JSON_TYPE : 'text/plain';
};

/** The media type that is known by its first bytes. Loaded when it is first asked: text that says what it is does without. */
const knownType = async (bytes: Buffer): Promise<string | undefined> => {
  const { fileTypeFromBuffer } = await import('file-type');
  return (await fileTypeFromBuffer(bytes))?.mime;
};

const isUtf16 = (bytes: Buffer): boolean => ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2));

const PDF = Buffer.from('%PDF-');
const JSON_TYPE = 'application/json';

const textual = (type: string): boolean => type.startsWith('text/') || type === JSON_TYPE;

const looksLikeJson = (bytes: Buffer): boolean => /^\s*[[{]/.test(bytes.toString('utf8', 0, 100));

const plain = (type: string): string => {
  const bare = (type.split(';')[0] ?? '').trim().toLowerCase();
  return bare === 'image/jpg' ? 'image/jpeg' : bare;
};
