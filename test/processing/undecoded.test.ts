import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { Unreadable } from '../../processing/errors.ts';
import { lineOf, type Page } from '../../processing/page.ts';
import type { Grey, Source } from '../../processing/picture/pixels.ts';
import { readPdf } from '../../processing/read/pdf.ts';
import { understand } from '../../processing/understand.ts';
import { suite } from '../harness.ts';
import { pdfOfObjects, pdfStream, pdfWith, versionOf } from './files.ts';

const test = suite('processing/undecoded');

const SIDE = 16;
/** A picture as JPEG 2000, black on its left half: PDF.js does not decode it here, PDFium does. */
const JPX = Buffer.from(
  'AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAEAAAABAAAQcHAAAAAAAPY29scgEAAAAAABEAAACpanAyY/9P/1EAKQAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAQcBAf9SAAwAAAABAAQEBAAB/1wAEEBASEhQSEhQSEhQSEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAKwAB/5PPpBAHH8+8CABpz5ggCPFLXc4MFyyox9IQIW4H+v/Z',
  'base64',
);

const NOISE = Buffer.from(Array.from({ length: SIDE * SIDE * 64 }, (_, index) => (index * 7_919) % 251));

const jpeg = (): Promise<Buffer> =>
  sharp(NOISE, {
    raw: { width: SIDE * 8, height: SIDE * 8, channels: 1 },
  })
    .jpeg()
    .toBuffer();

type Stored = Readonly<{ filter: string; data: Buffer; side?: number; isInForm?: boolean }>;

/** A PDF whose pages are text, in a font of its own or none, or a picture as it is stored. */
const pdfOf = (pages: readonly (string | Stored)[], font = 'Helvetica'): Buffer => {
  const objects: Buffer[] = [];
  const forms: (readonly [number: number, picture: Buffer])[] = [];
  const add = (object: Buffer | string): number => objects.push(Buffer.from(object));
  add('<< /Type /Catalog /Pages 2 0 R >>');
  const kids = pages.map((_, index) => `${4 + 3 * index} 0 R`);
  add(`<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`);
  add(FONTS[font] ?? `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`);
  for (const page of pages) {
    const number = objects.length + 1;
    const resources = '/Resources << /Font << /F1 3 0 R >> /XObject << /I1 ';
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${number + 1} 0 R ${resources}${number + 2} 0 R >> >> >>`,
    );
    const isText = typeof page === 'string';
    add(
      pdfStream(
        '',
        Buffer.from(isText ? `BT /F1 12 Tf 20 250 Td ${page} Tj ET` : '300 0 0 300 0 0 cm /I1 Do'),
      ),
    );
    const {
      filter,
      data,
      side = SIDE,
      isInForm = false,
    } = isText ? { filter: 'JPXDecode', data: JPX } : page;
    const about = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8`;
    const picture = pdfStream(`${about} /Filter /${filter}`, data);
    if (!isInForm) add(picture);
    else forms.push([add(''), picture]);
  }
  for (const [number, picture] of forms) {
    const own = `/Resources << /XObject << /I1 ${add(picture)} 0 R >> >>`;
    objects[number - 1] = pdfStream(
      `/Type /XObject /Subtype /Form /BBox [0 0 1 1] ${own}`,
      Buffer.from('/I1 Do'),
    );
  }
  return pdfOfObjects(objects);
};

/** Fonts of which a PDF has the names alone: their letters are those of the reader's machine. */
const FONTS: Readonly<Record<string, string>> = {
  'STSong-Light':
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 0 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 752 /Descent -271 /CapHeight 737 /StemV 58 >> >>] >>',
};

const hex = (text: string): string => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

type Read = Readonly<{ pages: readonly Page[]; shown: readonly Grey[] }>;

const read = async (bytes: Buffer): Promise<Read> => {
  const shown: Grey[] = [];
  const recognise = async (source: Source, number: number): Promise<Page> => {
    if (!('data' in source)) throw new Error('a file was shown');
    shown.push(source);
    const words = [{ text: 'seen', confidence: 1, box: { left: 0, top: 0, right: 4, bottom: 4 } }];
    const sheet = { fileId: 'fil_1', page: number, size: source };
    return { fileId: 'fil_1', number, lines: [lineOf(words, sheet, 0)] };
  };
  const file = { fileId: 'fil_1', label: 'front', mimeType: 'application/pdf', content: bytes };
  return { pages: await readPdf(file, bytes, recognise, null), shown };
};

const told = ({ pages }: Read) =>
  pages.map(({ number, lines, doubt = null }) => [number, lines.map(({ text }) => text).join('\n'), doubt]);

const failure = (bytes: Buffer): Promise<string | null> =>
  read(bytes).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Unreadable) return error.message;
      throw error;
    },
  );

test('a scan that PDF.js does not decode is read from the page as PDFium draws it', async () => {
  const one = await read(pdfOf(['(Invoice)', { filter: 'JPXDecode', data: JPX }]));
  assert.equal(told(one), [
    [1, 'Invoice', null],
    [2, 'seen', null],
  ]);
  const [{ data, width, height } = { data: [], width: 0, height: 0 }] = one.shown;
  const at = (x: number, y: number) => data[Math.floor(y * height) * width + Math.floor(x * width)] ?? 0;
  assert.ok(at(0.2, 0.5) < 64 && at(0.8, 0.5) > 192, `${at(0.2, 0.5)} ${at(0.8, 0.5)}`);
});

test('a page that nothing decodes is doubted, and what the others say is kept', async () => {
  const cut = await jpeg();
  const packed = deflateSync(NOISE);
  const broken: readonly Stored[] = [
    { filter: 'JPXDecode', data: Buffer.from('no picture') },
    { filter: 'DCTDecode', data: Buffer.from('no picture') },
    { filter: 'JBIG2Decode', data: Buffer.from('no picture') },
    { filter: 'DCTDecode', data: cut.subarray(0, cut.length / 2), side: SIDE * 8 },
    { filter: 'DCTDecode', data: cut.subarray(0, cut.length / 2), side: SIDE * 8, isInForm: true },
    { filter: 'FlateDecode', data: packed.subarray(0, packed.length / 2), side: SIDE * 8 },
  ];
  for (const page of broken) {
    assert.equal(told(await read(pdfOf(['(Invoice)', page]))), [
      [1, 'Invoice', null],
      [2, '', 'unread_page'],
    ]);
    assert.match((await failure(pdfOf([page]))) ?? '', /^Page 1 of "front" can't be decoded/);
  }
  const whole = await read(pdfOf(['(Invoice)', { filter: 'DCTDecode', data: cut, side: SIDE * 8 }]));
  assert.equal(told(whole)[1], [2, 'seen', null]);
});

test('values of a document with a page that was not read are below 0.8, and the review names the page [review-9]', () => {
  const lines = ['Nordlicht GmbH', 'Date: 2026-10-05', 'Total: 412.50'].map((text, row) => {
    const word = (one: string, column: number) => ({
      text: one,
      confidence: 1,
      box: { left: 20 + 80 * column, top: 20 * row, right: 90 + 80 * column, bottom: 20 * row + 12 },
    });
    return lineOf(text.split(' ').map(word), { fileId: 'fil_1', page: 1, size: null }, 0);
  });
  const pages: readonly Page[] = [{ fileId: 'fil_1', number: 1, lines }];
  const whole = understand(versionOf(), { pages, entries: [] });
  assert.ok(whole.confidence >= 0.8, String(whole.confidence));
  const unread: Page = { fileId: 'fil_1', number: 2, lines: [], doubt: 'unread_page' };
  const partial = understand(versionOf(), { pages: [...pages, unread], entries: [] });
  assert.equal(partial.extractedData, whole.extractedData);
  assert.ok(partial.confidence < 0.8, String(partial.confidence));
  assert.equal(partial.findings, [{ code: 'unread_page', field: null, place: { fileId: 'fil_1', page: 2 } }]);
});

test('text in a font that a PDF only names is read, and doubted where it can not be drawn', async () => {
  const chinese = await read(pdfOf([hex('合计 412')], 'STSong-Light'));
  assert.equal(told(chinese), [[1, '合计 412', 'undrawn_page']]);
  assert.equal(told(await read(pdfOf(['(Total 412)'], 'Arial'))), [[1, 'Total 412', null]]);
});

test('a page of lines without text is read as it is drawn, and an empty one is none', async () => {
  const box = ') Tj ET 0 0 100 200 re f BT (';
  const drawn = await read(pdfOf(['(Invoice)', `(${box})`, '()']));
  assert.equal(told(drawn), [
    [1, 'Invoice', null],
    [2, 'seen', null],
  ]);
});

test('a picture that nothing decodes is missed under a few words too', async () => {
  const page = '/Resources << /Font << /F1 4 0 R >> /XObject << /I1 6 0 R >> >>';
  const picture = pdfStream(
    '/Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode',
    Buffer.from('no picture'),
  ).toString('latin1');
  const content = 'q 300 0 0 500 0 0 cm /I1 Do Q BT /F1 12 Tf 20 250 Td (Total: 412.50) Tj ET';
  const bytes = pdfWith(Buffer.from(content), '', page, 'Courier', [picture]);
  assert.equal(told(await read(bytes)), [[1, 'Total: 412.50', 'unread_page']]);
});

test('a font that is only named, and says that its digits are others, is doubted', async () => {
  const cmap =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <34> <0039> endbfchar endcmap end end';
  const font =
    '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >> >> >>';
  const content = Buffer.from('BT /F1 12 Tf 20 250 Td (Total: 412.50) Tj ET');
  const more = [pdfStream('', Buffer.from(cmap)).toString()];
  const { pages } = await read(pdfWith(content, '', font, 'Courier', more));
  const words = pages.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  assert.equal(
    words.map(({ text, confidence }) => [text, confidence >= 0.8]),
    [
      ['Total:', true],
      ['912.50', false],
    ],
  );
});

test('a page whose contents are damaged is doubted, with what there is of it or nothing', async () => {
  const lines = Array.from(
    { length: 200 },
    (_, row) => `BT /F1 8 Tf 20 ${480 - 2 * row} Td (row ${row} ${Math.sin(row)}) Tj ET`,
  );
  const whole = deflateSync(lines.join('\n'));
  const pdf = (data: Buffer): Buffer => pdfWith(data, '/Filter /FlateDecode');
  const rowsOf = ({ pages: [page] }: Read): number => page?.lines.length ?? 0;
  const good = await read(pdf(whole));
  assert.equal([rowsOf(good) > 0, good.pages[0]?.doubt ?? null], [true, null]);
  const torn = Buffer.from(whole).fill(0x5a, whole.length / 2, whole.length / 2 + 30);
  const part = await read(pdf(torn));
  assert.ok(rowsOf(part) < rowsOf(good));
  assert.is(part.pages[0]?.doubt, 'unread_page');
  assert.match((await failure(pdf(Buffer.alloc(99, 77)))) ?? '', /^Page 1 of "front" can't be decoded/);
  assert.match((await failure(pdf(deflateSync('')))) ?? '', /neither text nor a scanned page/);
});
