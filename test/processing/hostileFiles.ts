import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { constants, deflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { ZipFile } from 'yazl';

/** A picture of nothing but noise. */
export const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(width * height), { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 70 })
    .toBuffer();

/** A zip archive of one file. */
export const zipOf = (content: string): Promise<Buffer> => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(content), 'inside.txt');
  zip.end();
  return buffer(zip.outputStream);
};

/** A film of so many different pictures. */
export const film = (frames: number): Promise<Buffer> => {
  const side = 100;
  const rows = randomBytes(side * side * 3 * frames);
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const;
  return sharp(rows, { raw })
    .webp({ loop: 0, delay: Array(frames).fill(40) })
    .toBuffer();
};

const ENTRIES: readonly (readonly [tag: number, value: number])[] = [
  ...([
    [256, 8],
    [257, 8],
    [258, 8],
    [259, 1],
    [262, 1],
  ] as const),
  ...([
    [273, 0],
    [277, 1],
    [278, 8],
    [279, 64],
    [284, 1],
  ] as const),
];
const WORDS = [273, 279];
const DIRECTORY = 2 + ENTRIES.length * 12 + 4;
const HEADER = 8;

const SIDE = 8;

/**
 * A TIFF of so many white pages of eight by eight pixels, or of other sides by their place; `endless`: after
 * the last comes the first.
 */
export const directories = (count: number, endless = false, sides: readonly number[] = []): Buffer => {
  const pixels = HEADER + count * DIRECTORY;
  const file = Buffer.alloc(pixels + Math.max(SIDE, ...sides) ** 2, 0xff);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(HEADER, 4);
  for (let page = 0; page < count; page += 1) {
    const at = HEADER + page * DIRECTORY;
    file.writeUInt16LE(ENTRIES.length, at);
    for (const [index, [tag, value]] of ENTRIES.entries()) {
      const entry = at + 2 + index * 12;
      file.writeUInt16LE(tag, entry);
      file.writeUInt16LE(WORDS.includes(tag) ? 4 : 3, entry + 2);
      file.writeUInt32LE(1, entry + 4);
      const side = sides[page] ?? SIDE;
      const own = new Map([
        [256, side],
        [257, side],
        [273, pixels],
        [278, side],
        [279, side * side],
      ]);
      file.writeUInt32LE(own.get(tag) ?? value, entry + 8);
    }
    const next = page < count - 1 ? at + DIRECTORY : endless ? HEADER : 0;
    file.writeUInt32LE(next, at + DIRECTORY - 4);
  }
  return file;
};

/** A PDF whose page draws ten forms, each of which draws ten others, so often. */
export const nestedForms = (depth: number): Buffer => {
  const form = (content: string, resources: string): string =>
    `<< /Type /XObject /Subtype /Form /BBox [0 0 300 500] /Resources << ${resources} >> /Length ${content.length} >>\nstream\n${content}\nendstream`;
  const font = '/Font << /F1 4 0 R >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 500] /Contents 5 0 R /Resources << /XObject << /F 6 0 R >> ${font} >> >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    '<< /Length 5 >>\nstream\n/F Do\nendstream',
    ...Array.from({ length: depth }, (_, n) =>
      form('/F Do '.repeat(10), `/XObject << /F ${7 + n} 0 R >> ${font}`),
    ),
    form('BT /F1 9 Tf 9 9 Td (x) Tj ET '.repeat(10), font),
  ];
  const body = objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('');
  // Without a table of its objects, which readers then look for themselves.
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n%%EOF\n`);
};

const MIB = 1_024 ** 2;
const ADLER = 65_521;

/** A zlib stream of so many MiB of this text over and over; one MiB is compressed, its block is repeated. */
export const inflatingTo = (mebibytes: number, text: string): Buffer => {
  const one = Buffer.alloc(MIB, text);
  const block = deflateRawSync(one, { finishFlush: constants.Z_FULL_FLUSH });
  let [sum, weighted] = [0, 0];
  for (const byte of one) {
    sum = (sum + byte) % ADLER;
    weighted = (weighted + sum) % ADLER;
  }
  let [low, high] = [1, 0];
  for (let n = 0; n < mebibytes; n += 1) {
    high = (high + MIB * low + weighted) % ADLER;
    low = (low + sum) % ADLER;
  }
  const end = Buffer.from([3, 0, 0, 0, 0, 0]);
  end.writeUInt32BE(high * 65_536 + low, 2);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...new Array<Buffer>(mebibytes).fill(block), end]);
};
