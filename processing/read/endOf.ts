/** Where a picture ends and what was put behind it begins; at the end of the bytes where its format tells no end, or it is cut off. */
export const endOf = (bytes: Buffer, type: string): number => {
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
    // Markers may be filled up with further bytes of this value.
    if (marker === 0xff) at += 1;
    else if (at + 4 > bytes.length) return bytes.length;
    else {
      at += 2 + bytes.readUInt16BE(at + 2);
      if (marker === SCAN) at = endOfScan(bytes, at);
    }
  }
  return bytes.length;
};

/** In a scan a marker's first byte stands for itself when a zero follows; restarts go on with it. */
const endOfScan = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
};

const SIGNATURE = 8;
/** A chunk's length, type and checksum. */
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
