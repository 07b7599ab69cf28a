import * as assert from 'uvu/assert';
import type { Box } from '../../domain/submission/processingResult.ts';
import { lineOf, type Page } from '../../processing/page.ts';
import type { Source } from '../../processing/picture/pixels.ts';
import { readPdf } from '../../processing/read/pdf.ts';
import { suite } from '../harness.ts';
import { fileFolder, pdfWith } from './files.ts';

const test = suite('processing/pdf');
let files: Awaited<ReturnType<typeof fileFolder>>;
test.before(async () => {
  files = await fileFolder();
});
test.after(() => files.remove());

/** A picture of 4 by 6 pixels, each of another grey, on which black letters can be seen. */
const PIXELS = Array.from({ length: 24 }, (_, index) => 100 + index * 5);
/** Where a recogniser that is no recogniser sees a word: the pixels of its last two rows and columns. */
const SEEN: Box = { left: 2, top: 4, right: 4, bottom: 6 };

const drawn = (matrix: string, head: string, data: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from(`q ${matrix} cm\nBI ${head} /L ${data.length}\nID `),
    Buffer.from(data),
    Buffer.from('\nEI\nQ\n'),
  ]);

const grey = (matrix: string, data = PIXELS): Buffer =>
  drawn(matrix, `/W 4 /H ${data.length / 4} /CS /G /BPC 8`, data);

const text = (...words: string[]): Buffer =>
  Buffer.from(`BT /F1 10 Tf 14 TL 20 480 Td ${words.map((word) => `(${word}) Tj T*`).join(' ')} ET\n`);

type Read = Readonly<{ page: Page | undefined; shown: readonly number[][]; scans: number }>;

/** What is read of a page with such a content, and the rows of the picture that was shown. */
const read = async (content: readonly Buffer[], page = '', wantsScans = false): Promise<Read> => {
  const bytes = pdfWith(Buffer.concat(content), '', page);
  const shown: number[][] = [];
  const recognise = async (source: Source, number: number): Promise<Page> => {
    if (!('data' in source)) throw new Error('a file was shown');
    const { data, width, height } = source;
    for (let row = 0; row < height; row += 1) shown.push([...data.subarray(row * width, (row + 1) * width)]);
    const sheet = { fileId: 'scan', page: number, size: { width, height } };
    return {
      fileId: 'scan',
      number,
      lines: [lineOf([{ text: 'seen', confidence: 1, box: SEEN }], sheet, 0)],
    };
  };
  let scans = 0;
  const onScan = async (): Promise<void> => {
    scans += 1;
  };
  const file = await files.file(bytes, 'application/pdf');
  const [only] = await readPdf(file, bytes, recognise, wantsScans ? onScan : null);
  return { page: only, shown, scans };
};

const rowsOf = (pixels: readonly number[], width: number): readonly number[][] =>
  Array.from({ length: pixels.length / width }, (_, row) => pixels.slice(row * width, (row + 1) * width));

const texts = ({ page }: Read): readonly string[] => (page?.lines ?? []).map((line) => line.text);

const placeOf = ({ page }: Read, word: string) => {
  const found = page?.lines.flatMap(({ words, place }) => words.map((one) => ({ ...one, place })));
  const { box, place } = found?.find((one) => one.text === word) ?? {};
  const rounded = box && Object.fromEntries(Object.entries(box).map(([side, at]) => [side, Math.round(at)]));
  return { box: rounded, size: place?.size };
};

/** All of the page but its margins of 10 and 40 points. */
const FULL = '280 0 0 420 10 40';

test('a scan with a line of text over it is read with it, and its words stand at points of the page', async () => {
  const both = await read([grey(FULL), text('', '', '', '', 'Typed into a form')]);
  assert.equal(both.shown, rowsOf(PIXELS, 4));
  assert.equal(texts(both), ['Typed into a form', 'seen']);
  assert.equal(placeOf(both, 'seen'), {
    box: { left: 150, top: 320, right: 290, bottom: 460 },
    size: { width: 300, height: 500 },
  });
});

test('what is stamped at the edge of a scanned page, beyond what the scan shows, is no part of the document', async () => {
  const stamps = text('FROM: ANOTHER COMPANY 01/02/2019');
  const raised = Buffer.from(stamps.toString().replace('20 480 Td', '20 488 Td'));
  assert.equal(texts(await read([grey(FULL), raised])), ['seen']);
  assert.equal(texts(await read([raised])), ['FROM: ANOTHER COMPANY 01/02/2019']);
});

test('pictures beside a text are not read: small ones, and any where there is much text', async () => {
  assert.equal((await read([grey('40 0 0 40 50 400'), text('A letter with a logo')])).shown, []);
  const much = text(...Array.from({ length: 30 }, (_, index) => `word${index}`));
  assert.equal((await read([grey(FULL), much])).shown, []);
});

test('a scan in strips is read as one picture', async () => {
  const lower = grey('280 0 0 210 10 40', PIXELS.slice(12));
  const upper = grey('280 0 0 210 10 250', PIXELS.slice(0, 12));
  const whole = await read([lower, upper]);
  assert.equal(whole.shown, rowsOf(PIXELS, 4));
  assert.equal(placeOf(whole, 'seen').box, { left: 150, top: 320, right: 290, bottom: 460 });
});

test('a scan with other pixels than square ones, as faxes have, gets square ones', async () => {
  const flat = await read([grey('280 0 0 210 10 40')]);
  assert.equal(flat.shown[0]?.length, 8);
  assert.equal(
    flat.shown.map((row) => row[0]),
    PIXELS.filter((_, index) => index % 4 === 0),
  );
});

test('a scan that is drawn turned is read as a viewer shows it', async () => {
  // Its top is at the left of the page as it is written, which the viewer turns clockwise.
  const turned = await read([grey('0 160 -240 0 270 100')], '/Rotate 90');
  assert.equal(placeOf(turned, 'seen').size, { width: 500, height: 300 });
  assert.equal(turned.shown, rowsOf(PIXELS, 4));
});

test('text on a turned page stands as a viewer shows it', async () => {
  const lines = ['first line', 'second line'];
  const runs = lines.map((line, index) => `0 1 -1 0 ${40 + index * 20} 30 Tm (${line}) Tj`).join(' ');
  const turned = await read([Buffer.from(`BT /F1 10 Tf ${runs} ET`)], '/Rotate 90');
  assert.equal(texts(turned), lines);
  const { box, size } = placeOf(turned, 'first');
  assert.equal(size, { width: 500, height: 300 });
  assert.equal(box, { left: 30, top: 30, right: 60, bottom: 40 });
});

test('one-bit scans, and masks over a picture, are read', async () => {
  const bits = [0b10100000, 0b01010000];
  const black = [
    [255, 0, 255, 0],
    [0, 255, 0, 255],
  ];
  const matrix = '240 0 0 120 20 20';
  assert.equal((await read([drawn(matrix, '/W 4 /H 2 /CS /G /BPC 1', bits)])).shown, black);
  const mask = drawn(matrix, '/W 4 /H 2 /IM true', bits);
  assert.equal((await read([mask])).shown, black);
  const under = drawn(matrix, '/W 1 /H 1 /CS /G /BPC 8', [200]);
  assert.equal((await read([under, mask])).shown, [
    [200, 0, 200, 0],
    [0, 200, 0, 200],
  ]);
});

test('a scan that is drawn after the text is seen like one before it', async () => {
  const words = Array.from({ length: 33 }, (_, n) => `word${n}`);
  const { shown } = await read([grey(FULL), text('Fax')]);
  assert.equal((await read([text('Fax'), grey(FULL)])).shown, shown);
  // What lies under a scan, or is not drawn, is what a program has recognised: the scan itself is read.
  const under = await read([text(...words), grey(FULL)], '', true);
  assert.equal([under.shown, under.scans], [shown, 0]);
  const invisible = Buffer.concat([Buffer.from('3 Tr\n'), text(...words)]);
  assert.equal((await read([grey(FULL), invisible], '', true)).shown, shown);
});

test('a scan under a whole text is passed on where it is wanted, and its text is the page', async () => {
  const words = Array.from({ length: 33 }, (_, n) => `word${n}`);
  const searchable = [grey(FULL), text(...words)];
  const [passing, reading] = [await read(searchable, '', true), await read(searchable)];
  assert.equal([passing.scans, reading.scans], [1, 0]);
  for (const { shown, page } of [passing, reading]) assert.equal([shown.length, page?.lines.length], [0, 33]);
  assert.is((await read([grey('20 0 0 30 10 40'), text(...words)], '', true)).scans, 0, 'a logo');
  assert.is((await read([grey(FULL)], '', true)).scans, 0, 'it is read');
});
