import { endOf } from './endOf.ts';

/** How far from the beginning readers look for a PDF's first words, and browsers for a page's. */
const HEAD = 1_024;
/** The end of a zip archive, with the longest comment. */
const ZIP_TAIL = 22 + 0xffff;
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
const MARKUP = /^\s*<(\?|!|html|script|svg)/i;

/** Tells the media type by first bytes. */
type Known = (bytes: Buffer) => Promise<string | undefined>;

/**
 * What else than `type` a picture or PDF would be taken for by another reader, null for nothing: an archive, a PDF or markup that lies behind or inside
 * it. What cameras put behind their pictures, films and other pictures, is none of these.
 */
export const otherFormat = async (bytes: Buffer, type: string, known: Known): Promise<string | null> => {
  const isPicture = type.startsWith('image/');
  if (!isPicture && type !== 'application/pdf') return null;
  if (endsAsZip(bytes)) return 'application/zip';
  if (!isPicture) return null;
  const head = bytes.subarray(0, HEAD).toString('latin1');
  if (head.includes('%PDF-')) return 'application/pdf';
  if (/<(html|script)\b/i.test(head)) return 'text/html';
  const rest = bytes.subarray(endOf(bytes, type));
  if (MARKUP.test(rest.subarray(0, HEAD).toString('latin1'))) return 'text/html';
  const behind = rest.length === 0 ? undefined : await known(rest);
  return behind?.startsWith('application/') ? behind : null;
};

const endsAsZip = (bytes: Buffer): boolean => {
  const tail = bytes.subarray(-ZIP_TAIL);
  const at = tail.lastIndexOf(ZIP_END);
  return at >= 0 && at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length;
};
