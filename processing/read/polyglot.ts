/** How far from the start readers search for a PDF's signature, and browsers for markup. */
const HEAD = 1_024;
/** The end of a zip archive, with the longest comment. */
const ZIP_TAIL = 22 + 0xffff;
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1');
const MARKUP = /^\s*<(\?|!|html|script|svg)/i;

type Detect = (bytes: Buffer) => Promise<string | undefined>;

/**
 * The other format that a picture or PDF of `type` is valid as: an archive, a PDF or markup after or inside
 * it; null for none. Films and other pictures, which cameras append, do not count.
 */
export const otherFormat = async (bytes: Buffer, type: string, detect: Detect): Promise<string | null> => {
  const isPicture = type.startsWith('image/');
  if (!isPicture && type !== 'application/pdf') return null;
  if (endsAsZip(bytes)) return 'application/zip';
  if (!isPicture) return null;
  const head = bytes.subarray(0, HEAD).toString('latin1');
  if (head.includes('%PDF-')) return 'application/pdf';
  if (/<(html|script)\b/i.test(head)) return 'text/html';
  const rest = bytes.subarray(endOf(bytes, type));
  if (MARKUP.test(rest.subarray(0, HEAD).toString('latin1'))) return 'text/html';
  const behind = rest.length === 0 ? undefined : await detect(rest);
  return behind?.startsWith('application/') ? behind : null;
};

const endsAsZip = (bytes: Buffer): boolean => {
  const tail = bytes.subarray(-ZIP_TAIL);
  const at = tail.lastIndexOf(ZIP_END);
  return at >= 0 && at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length;
};

/** The end of a picture's own bytes; that of all bytes where its format marks no end, or it is cut off. */
const endOf = (bytes: Buffer, type: string): number => {
  if (type === 'image/jpeg') return endOfJpeg(bytes);
  if (type === 'image/png') return endOfPng(bytes);
  return bytes.length;
};

const SCAN = 0xda;
const END = 0xd9;

const endOfJpeg = (bytes: Buffer): number => {
  let at = 2;
  while (at + 2 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (marker === END) return at + 2;
    // Markers may be padded with further bytes of this value.
    if (marker === 0xff) at += 1;
    else if (at + 4 > bytes.length) return bytes.length;
    else {
      at += 2 + bytes.readUInt16BE(at + 2);
      if (marker === SCAN) at = endOfScan(bytes, at);
    }
  }
  return bytes.length;
};

/** In a scan a zero escapes the first byte of a marker; restart markers continue it. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
};

const SIGNATURE = 8;
const FRAME = 12;

const endOfPng = (bytes: Buffer): number => {
  let at = SIGNATURE;
  while (at + FRAME <= bytes.length) {
    const isLast = bytes.toString('latin1', at + 4, at + 8) === 'IEND';
    at += FRAME + bytes.readUInt32BE(at);
    if (isLast) return Math.min(at, bytes.length);
  }
  return bytes.length;
};
