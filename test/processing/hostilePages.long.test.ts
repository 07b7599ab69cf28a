import { readdirSync, readFileSync } from 'node:fs';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { LIMITS } from '../../processing/engine/messages.ts';
import { createProcessor, type Processor } from '../../processing/engine/processor.ts';
import { DRAWING } from '../../processing/showPages.ts';
import { long, suite } from '../harness.ts';
import { fileFolder } from './files.ts';
import { nestedForms } from './hostileFiles.ts';

const test = suite('hostile files that people look at');
const MIB = 1_024 ** 2;
const { signal } = new AbortController();
let files: Awaited<ReturnType<typeof fileFolder>>;
/** As the API has it. */
let processor: Processor;
test.before(async () => {
  files = await fileFolder();
  processor = createProcessor(DRAWING);
});
test.after(async () => {
  await processor.close();
  await files.remove();
});

/** A PDF of these objects, the first of which is its catalog. */
const pdfOf = (objects: readonly string[]): Buffer => {
  const body = objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\n%%EOF\n`, 'latin1');
};
const stream = (content: Buffer, more = ''): string =>
  `<< ${more} /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream`;
/** A PDF of one page, on which a black square stands, if nothing else is said. */
const onePage = (page = '/MediaBox [0 0 300 500]', catalog = '', more: readonly string[] = []): Buffer =>
  pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${page} >>`,
    ...(more.length > 0 ? more : [stream(Buffer.from('0 0 100 100 re f'))]),
  ]);
const pages = (count: number): Buffer =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, n) => `${n + 3} 0 R`).join(' ')}] >>`,
    ...Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] >>'),
  ]);
/** A picture on the page, which says that it has such sides. */
const picture = (side: number, bytes: number): Buffer =>
  onePage('/MediaBox [0 0 300 500] /Resources << /XObject << /I 5 0 R >> >>', '', [
    stream(Buffer.from('300 0 0 500 0 0 cm /I Do')),
    stream(
      deflateSync(Buffer.alloc(bytes), { level: 1 }),
      `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
    ),
  ]);

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
/** A black PNG of one bit, which says that it has such sides. */
const png = (side: number, rows: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const data = deflateSync(Buffer.alloc(rows * (Math.ceil(Math.min(side, 20_000) / 8) + 1)), { level: 1 });
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const drawOf = async (bytes: Buffer, type: string | null = 'application/pdf', page = 1) =>
  processor.draw(await files.file(bytes, type), page, 600, signal);
const pictureOf = async (bytes: Buffer, page = 1) => {
  const drawn = await drawOf(bytes, undefined, page);
  if (drawn.kind !== 'drawn') throw new Error(JSON.stringify(drawn));
  return Buffer.from(drawn.bytes);
};
const reasonOf = (result: object): string => ('reason' in result ? String(result.reason) : 'it is shown');

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect/></svg>';
const page = '<!doctype html><img src="https://evil.example/x" onerror="alert(1)">';

for (const type of ['image/png', 'image/jpeg', 'image/svg+xml', 'text/html', null])
  test(`SVG and HTML that are called ${type} are text or nothing, and never drawn [file-pages-4, file-pages-5]`, async () => {
    for (const [content, says] of [
      [Buffer.from(svg), null],
      [Buffer.from(page), null],
      [Buffer.from(`<?xml version="1.0"?>${svg}`), type === 'text/html' ? null : /xml, which can't be shown/],
      [gzipSync(svg), /gzip, which can't be shown/],
      [Buffer.from(`${page}%PDF-1.4`), null],
    ] as const) {
      const drawn = await drawOf(content, type);
      if (says !== null) assert.match(reasonOf(drawn), says);
      else
        assert.equal(
          [drawn.kind, 'as' in drawn && drawn.as, 'bytes' in drawn && Buffer.from(drawn.bytes)],
          ['drawn', 'text', content],
        );
    }
  });

test('scripts, actions and files in a PDF do nothing: its picture is that of the page without them [file-pages-2]', async () => {
  const act = '<< /S /JavaScript /JS (while \\(true\\) {}) >>';
  const run = '<< /S /Launch /F (/bin/sh) >>';
  const fetched = '<< /S /URI /URI (https://evil.example/) >>';
  const active = onePage(
    `/MediaBox [0 0 300 500] /AA << /O ${act} /C ${run} >> /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 300 500] /Border [0 0 0] /A ${fetched} >>]`,
    `/OpenAction ${act} /AA << /WC ${run} >> /Names << /JavaScript << /Names [(a) ${act}] >> >>`,
  );
  assert.equal(await pictureOf(active), await pictureOf(onePage()));
});

test('ten thousand pages are not listed, and one of them is drawn all the same [file-pages-5]', async () => {
  const bytes = pages(10_000);
  const file = await files.file(bytes, 'application/pdf');
  assert.match(reasonOf(await processor.list(file, signal)), /10000 pages, at most 200 are shown/);
  assert.equal((await sharp(await pictureOf(bytes, 10_000)).metadata()).width, 600);
  assert.equal(await processor.draw(file, 10_001, 600, signal), { kind: 'no_page' });
});

test('a tree of pages that never ends, or says that it has billions, ends [file-pages-5]', async () => {
  const tree = (count: number, kids: string) =>
    pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count ${count} /Kids [${kids}] >>`]);
  for (const bytes of [tree(100, '2 0 R 2 0 R'), tree(2_000_000_000, '3 0 R')]) {
    const file = await files.file(bytes, 'application/pdf');
    assert.ok(['pages', 'failed'].includes((await processor.list(file, signal)).kind));
    assert.match(reasonOf(await processor.draw(file, 1, 600, signal)), /can't be drawn/);
  }
});

test('pages of no size, of a negative one and of millions of miles are drawn within limits or not at all', async () => {
  for (const size of [
    '0 0 1000000000 1000000000',
    '0 0 0.0000001 0.0000001',
    '0 0 -10 -20',
    '0 0 0 0',
    'x',
  ]) {
    const file = await files.file(onePage(`/MediaBox [${size}]`), 'application/pdf');
    const drawn = await processor.draw(file, 1, 2_400, signal);
    if (drawn.kind !== 'drawn') assert.match(reasonOf(drawn), /can't be drawn/, size);
    else {
      const { width = 0, height = 0 } = await sharp(Buffer.from(drawn.bytes)).metadata();
      assert.ok(width <= 2_400 && height <= 8_000 && width * height > 0, `${size}: ${width} × ${height}`);
    }
  }
  const enlarged = onePage('/MediaBox [0 0 100 100] /UserUnit 1000000000');
  assert.is((await sharp(await pictureOf(enlarged)).metadata()).width, 600);
});

test('a picture that says it has more pixels than are shown is refused before they are made [file-pages-5]', async () => {
  for (const [bytes, says] of [
    [png(20_000, 20_000), /more than 80 million pixels/],
    [png(2 ** 31 - 1, 4), /damaged|million pixels/],
  ] as const) {
    const file = await files.file(bytes, 'image/png');
    assert.match(reasonOf(await processor.list(file, signal)), says);
    assert.match(reasonOf(await processor.draw(file, 1, 600, signal)), says);
  }
  const largest = await files.file(png(8_900, 8_900), 'image/png');
  assert.is((await processor.draw(largest, 1, 600, signal)).kind, 'drawn');
});

/**
 * The children of this process that draw by these limits: their number, and the most memory that one had, in
 * bytes.
 */
const children = (otherCpuMs: number) => {
  const own = `/proc/${process.pid}/task`;
  const pids = readdirSync(own).flatMap((task) => readOf(`${own}/${task}/children`).trim().split(' '));
  const found = pids
    .filter((pid) => readOf(`/proc/${pid}/cmdline`).includes(`"otherCpuMs":${otherCpuMs}`))
    .map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024);
  return { count: found.length, memory: Math.max(0, ...found) };
};

/** Empty for what has ended meanwhile. */
const readOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** How far a child gets beyond its limit before it looks. */
const OVERSHOOT = 256 * MIB;

/** Does some work while the children are counted. */
const counted = async <T>(otherCpuMs: number, work: Promise<T>) => {
  let [count, memory] = [0, 0];
  const timer = setInterval(() => {
    const now = children(otherCpuMs);
    [count, memory] = [Math.max(count, now.count), Math.max(memory, now.memory)];
  }, 50);
  const result = await work.finally(() => clearInterval(timer));
  return { result, count, memory };
};

const bounded: typeof test = Object.assign(
  (...[title, ...rest]: Parameters<typeof test>) =>
    process.platform === 'linux' ? test(title, ...rest) : test.skip(title, 'it reads /proc'),
  test,
);

bounded(
  'however many hostile pages are asked for, two processes draw, each within its time and memory, and a good page then comes [file-pages-5]',
  async () => {
    const otherCpuMs = 801;
    const own = createProcessor({ ...DRAWING, stepCpuMs: 800, otherCpuMs });
    try {
      const strokes = deflateSync(Buffer.from('0 0 m 300 500 l S\n'.repeat(3_000_000)), { level: 1 });
      const drawing = onePage(undefined, '', [stream(strokes, '/Filter /FlateDecode')]);
      const hostile = [nestedForms(9), drawing];
      const asked = [...hostile, ...hostile].map(async (bytes) =>
        own.draw(await files.file(bytes, 'application/pdf'), 1, 1_200, signal),
      );
      const { result, count, memory } = await counted(otherCpuMs, Promise.all(asked));
      for (const one of result) assert.match(reasonOf(one), /^"front" takes more/);
      assert.is(count, DRAWING.concurrency);
      assert.ok(memory < LIMITS.memoryBytes + OVERSHOOT, `${memory / MIB} MiB`);
      assert.is(
        (await own.draw(await files.file(onePage(), 'application/pdf'), 1, 90, signal)).kind,
        'drawn',
      );
    } finally {
      await own.close();
    }
  },
  { timeoutMs: 180_000 },
);

if (long)
  bounded(
    'a picture of a billion pixels in a PDF, and ten million strokes, stay within what the API gives [file-pages-5]',
    async () => {
      const strokes = deflateSync(Buffer.from('0 0 m 300 500 l S\n'.repeat(10_000_000)), { level: 1 });
      const drawing = onePage(undefined, '', [stream(strokes, '/Filter /FlateDecode')]);
      for (const bytes of [drawing, picture(30_000, 900 * MIB), picture(2_000_000_000, MIB)]) {
        const { result, memory } = await counted(DRAWING.otherCpuMs, drawOf(bytes));
        if (result.kind !== 'drawn') assert.match(reasonOf(result), /takes more|can't be drawn/);
        assert.ok(memory < LIMITS.memoryBytes + OVERSHOOT, `${memory / MIB} MiB`);
      }
    },
    { timeoutMs: 300_000 },
  );
