import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { createProcessor, type Processor } from '../../processing/engine/processor.ts';
import type { Extracted, InputFile } from '../../processing/types.ts';
import { suite } from '../harness.ts';
import { fileFolder, pdfWith, SAMPLES, sharedProcessor, versionOf } from './files.ts';
import { directories, film, inflatingTo, nestedForms, zipOf } from './hostileFiles.ts';

const test = suite('pages for people');
const processor = sharedProcessor();
let files: Awaited<ReturnType<typeof fileFolder>>;
test.before(async () => {
  files = await fileFolder();
});
test.after(() => files.remove());

const { signal } = new AbortController();
const list = (file: InputFile, by: Processor = processor) => by.list(file, signal);
const sizesOf = async (file: InputFile) => {
  const listed = await list(file);
  if (listed.kind !== 'pages') throw new Error(JSON.stringify(listed));
  return listed.pages.map(({ page, size }) => [page, size?.width, size?.height]);
};

/** A drawn page as a picture. */
const draw = async (file: InputFile, page = 1, width = 1_200) => {
  const drawn = await processor.draw(file, page, width, signal);
  if (drawn.kind !== 'drawn') throw new Error(JSON.stringify(drawn));
  const bytes = Buffer.from(drawn.bytes);
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  /** The darkest and the lightest grey in a part of the picture, by shares of its sides. */
  const range = (left: number, top: number, right: number, bottom: number) => {
    let [darkest, lightest] = [255, 0];
    for (let y = Math.floor(top * info.height); y < bottom * info.height; y += 1)
      for (let x = Math.floor(left * info.width); x < right * info.width; x += 1) {
        const value = data[(y * info.width + x) * info.channels] ?? 0;
        darkest = Math.min(darkest, value);
        lightest = Math.max(lightest, value);
      }
    return { darkest, lightest };
  };
  return { as: drawn.as, bytes, width: info.width, height: info.height, range };
};

/** The places of values that were read of a file, as shares of their page's sides. */
const placesIn = async (file: InputFile) => {
  const outcome = await processor.process(versionOf(), [file], signal);
  assert.is(outcome.kind, 'extracted', JSON.stringify(outcome));
  return Object.entries((outcome as Extracted).result.fields).flatMap(([name, { place }]) => {
    if (!place?.box || !place.size) return [];
    const { box, size } = place;
    const { left, top, right, bottom } = box;
    const share = [left / size.width, top / size.height, right / size.width, bottom / size.height] as const;
    return [{ name, page: place.page, size, share }];
  });
};

const text =
  'BT /F1 14 Tf 40 440 Td (Northgate Hardware) Tj 0 -30 Td (Date: 27 Apr 2026) Tj 0 -30 Td (Total 80.90) Tj ET';
const pdf = (page = '') => files.file(pdfWith(Buffer.from(text), '', page, 'Helvetica'), 'application/pdf');

/** Each value stands where it was read; the rest of its line's end is paper. */
const stands = async (file: InputFile): Promise<void> => {
  const places = await placesIn(file);
  assert.ok(places.length >= 2, `${places.length} values have a place`);
  const sizes = await sizesOf(file);
  for (const { name, page, size, share } of places) {
    assert.equal(sizes[page - 1], [page, size.width, size.height]);
    const { range, width, height } = await draw(file, page);
    assert.ok(Math.abs(width / height - size.width / size.height) < 0.01, 'the shape of the page');
    const { darkest, lightest } = range(...share);
    assert.ok(darkest < 100 && lightest > 150, `${name} is not in its box: ${darkest} to ${lightest}`);
  }
};

for (const [what, page] of [
  ['upright', ''],
  ['turned', '/Rotate 90'],
  ['turned over', '/Rotate 270'],
  ['cropped', '/CropBox [20 300 280 480]'],
  ['in units of its own', '/UserUnit 2'],
] as const)
  test(`a PDF page that is ${what} is drawn as it was read, in a font that it does not bring [file-pages-1]`, async () =>
    stands(await pdf(page)));

test('a photo is drawn as it was read [file-pages-1]', async () =>
  stands(await files.file(await readFile(join(SAMPLES, 'receipt.jpg')), 'image/jpeg')));

test('the PDF that the demo sends is drawn as it was read [file-pages-1]', async () =>
  stands(await files.file(await readFile(join(SAMPLES, 'receipt.pdf')), 'application/pdf')));

/** 40 pixels wide and 20 high: the left half is black. */
const halves = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#fff' } }).composite([
    { input: { create: { width: 20, height: 20, channels: 3, background: '#000' } }, left: 0, top: 0 },
  ]);

test('a picture is turned as its camera says, and keeps nothing of what that says [file-pages-2]', async () => {
  const bytes = await halves()
    .jpeg()
    .withExif({ IFD0: { Copyright: 'a secret of the camera', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const file = await files.file(bytes, 'image/jpeg');
  assert.equal(await sizesOf(file), [[1, 20, 40]]);
  const drawn = await draw(file);
  assert.equal([drawn.width, drawn.height], [20, 40]);
  assert.ok(drawn.range(0, 0, 1, 0.4).lightest < 60 && drawn.range(0, 0.6, 1, 1).darkest > 200);
  const { exif, icc, xmp, orientation } = await sharp(drawn.bytes).metadata();
  assert.equal([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined]);
});

test('what is behind the end of a picture is not in what is shown [file-pages-2]', async () => {
  const planted = Buffer.concat([
    await halves().jpeg().toBuffer(),
    Buffer.from('<script>planted()</script>'),
  ]);
  const { bytes } = await draw(await files.file(planted, 'image/jpeg'));
  assert.not.ok(bytes.includes('planted'));
});

test('transparent parts are white, 16 bits and CMYK are shown too', async () => {
  const transparent = sharp({ create: { width: 30, height: 30, channels: 4, background: '#0000' } });
  assert.ok(
    (await draw(await files.file(await transparent.png().toBuffer(), 'image/png'))).range(0, 0, 1, 1)
      .darkest > 250,
  );
  const deep = await halves().toColourspace('rgb16').png().toBuffer();
  assert.ok((await draw(await files.file(deep, 'image/png'))).range(0, 0, 0.4, 1).lightest < 60);
  const print = await halves().toColourspace('cmyk').jpeg().toBuffer();
  assert.ok((await draw(await files.file(print, 'image/jpeg'))).range(0.6, 0, 1, 1).darkest > 200);
});

test('a picture is shrunk and never enlarged, a PDF is drawn at the width asked for [file-pages-3]', async () => {
  const wide = await sharp({ create: { width: 3_000, height: 1_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const file = await files.file(wide, 'image/png');
  const small = await draw(file, 1, 300);
  assert.equal([small.width, small.height], [300, 100]);
  assert.is((await draw(await files.file(await halves().png().toBuffer(), 'image/png'), 1, 2_400)).width, 40);
  const drawn = await draw(await pdf(), 1, 900);
  assert.equal([drawn.width, drawn.height], [900, 1_500]);
});

test('a page that is a thousand times as high as wide is drawn within limits', async () => {
  const tall = pdfWith(Buffer.from(text), '', '/MediaBox [0 0 10 14000]');
  const { width, height } = await draw(await files.file(tall, 'application/pdf'), 1, 2_400);
  assert.equal([width, height], [6, 8_000]);
  const strip = await sharp({ create: { width: 10, height: 12_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  assert.equal((await draw(await files.file(strip, 'image/png'), 1, 2_400)).height, 8_000);
});

test('each page of a TIFF, and no page that it does not have', async () => {
  const file = await files.file(directories(3), 'image/tiff');
  assert.equal(await sizesOf(file), [
    [1, 8, 8],
    [2, 8, 8],
    [3, 8, 8],
  ]);
  assert.is((await draw(file, 3)).width, 8);
  assert.equal(await processor.draw(file, 4, 100, signal), { kind: 'no_page' });
  assert.equal(await processor.draw(await pdf(), 2, 100, signal), { kind: 'no_page' });
  assert.equal(await processor.draw(await files.file('text', 'text/plain'), 2, 100, signal), {
    kind: 'no_page',
  });
});

for (const [what, content, type] of [
  ['text', 'Total 80.90 €\n', 'text/plain'],
  ['JSON', '{ "total": 80.90 }', 'application/json'],
  ['HTML', '<html><script>alert(1)</script></html>', 'text/html'],
  ['text that is called a picture', 'Total 80.90', 'image/png'],
] as const)
  test(`${what} is given as it is, as text [file-pages-4]`, async () => {
    const file = await files.file(content, type);
    assert.equal(await list(file), { kind: 'pages', as: 'text', pages: [{ page: 1, size: null }] });
    const drawn = await processor.draw(file, 1, 100, signal);
    assert.equal(
      { ...drawn, bytes: 'bytes' in drawn && Buffer.from(drawn.bytes).toString() },
      {
        ...{ kind: 'drawn', as: 'text' },
        bytes: content,
      },
    );
  });

const broken = () => Buffer.from(pdfWith(Buffer.from(text)).toString('latin1').slice(0, 200), 'latin1');
const locked = () =>
  Buffer.from(
    pdfWith(Buffer.from(text))
      .toString('latin1')
      .replace(
        '/Root 1 0 R',
        `/Root 1 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
      ),
    'latin1',
  );
/** A PDF of so many empty pages. */
const many = (count: number) => {
  const kids = Array.from(
    { length: count },
    (_, n) => `${n + 3} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n`,
  );
  const named = kids.map((_, n) => `${n + 3} 0 R`).join(' ');
  const tree = `1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count ${count} /Kids [${named}] >>\nendobj\n`;
  return Buffer.from(`%PDF-1.4\n${tree}${kids.join('')}trailer\n<< /Root 1 0 R >>\n%%EOF\n`);
};
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

for (const [what, bytes, type, listing, drawing] of [
  ['an empty file', () => Buffer.alloc(0), 'image/png', /is empty/, /is empty/],
  [
    'an archive',
    () => zipOf('x'),
    'application/zip',
    /application\/zip, which can't be shown/,
    /application\/zip/,
  ],
  [
    'an SVG',
    () => Buffer.from(`<?xml version="1.0"?>${svg}`),
    'image/svg+xml',
    /xml, which can't be shown/,
    /xml/,
  ],
  ['binary data', () => Buffer.from([0, 1, 2, 3, 255]), null, /octet-stream/, /octet-stream/],
  ['a damaged PDF', broken, 'application/pdf', /damaged/, /can't be drawn/],
  ['a protected PDF', locked, 'application/pdf', /protected by a password/, /can't be drawn/],
  ['a PDF of too many pages', () => many(201), 'application/pdf', /201 pages, at most 200 are shown/, null],
  [
    'a TIFF of too many pages',
    () => directories(201),
    'image/tiff',
    /201 pages, at most 200 are shown/,
    null,
  ],
  [
    'a cut off picture',
    async () => (await readFile(join(SAMPLES, 'receipt.jpg'))).subarray(0, 5_000),
    'image/jpeg',
    null,
    /damaged or cut off/,
  ],
  ['a text in Latin-1', () => Buffer.from('Caf\xe9', 'latin1'), 'text/plain', /octet-stream/, /octet-stream/],
  ['a text of three MiB', () => Buffer.alloc(3 * 1_024 ** 2, 'a'), 'text/plain', null, /over 2 MiB/],
] as const)
  test(`${what} is not shown, and the reason says why [file-pages-5]`, async () => {
    const file = await files.file(await bytes(), type);
    for (const [result, says] of [
      [await list(file), listing],
      [await processor.draw(file, 1, 400, signal), drawing],
    ] as const) {
      if (says === null) assert.not.ok('reason' in result, JSON.stringify(result).slice(0, 300));
      else assert.match('reason' in result ? result.reason : JSON.stringify(result).slice(0, 300), says);
    }
  });

test('two hundred pages are listed, and the last one is drawn', async () => {
  const file = await files.file(many(200), 'application/pdf');
  assert.equal((await sizesOf(file)).at(-1), [200, 9, 9]);
  assert.is((await draw(file, 200, 90)).width, 90);
});

test('a film is drawn picture by picture', async () => {
  const file = await files.file(await film(5), 'image/webp');
  assert.is((await sizesOf(file)).length, 5);
  assert.is((await draw(file, 5)).width, 100);
});

test(
  'a page that takes too much time or memory ends with a reason, and the next one is drawn [file-pages-5]',
  async () => {
    const strict = createProcessor({ stepCpuMs: 1_500, otherCpuMs: 1_500, memoryBytes: 400 * 1_024 ** 2 });
    try {
      const bomb = deflateSync(inflatingTo(500, 'q '));
      const inflating = pdfWith(bomb, '/Filter [/FlateDecode /FlateDecode]');
      for (const bytes of [nestedForms(9), inflating]) {
        const result = await strict.draw(await files.file(bytes, 'application/pdf'), 1, 1_200, signal);
        assert.match('reason' in result ? result.reason : result.kind, /"front"/);
      }
      assert.is((await strict.draw(await pdf(), 1, 300, signal)).kind, 'drawn');
    } finally {
      await strict.close();
    }
  },
  { timeoutMs: 120_000 },
);

test('a processor without work ends its children, and starts them again', async () => {
  const brief = createProcessor({ idleMs: 50 });
  const file = await files.file('text', 'text/plain');
  try {
    for (const _ of [1, 2]) {
      assert.is((await brief.draw(file, 1, 100, signal)).kind, 'drawn');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  } finally {
    await brief.close();
  }
});
