import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import * as assert from 'uvu/assert';
import type { PictureQuality } from '../../domain/workflow.ts';
import type { Outcome } from '../../processing/types.ts';
import { rounds, suite } from '../harness.ts';
import { fileFolder, SAMPLES, sharedProcessor, versionOf } from './files.ts';

const test = suite('processing/quality');
const processor = sharedProcessor();
let files: Awaited<ReturnType<typeof fileFolder>>;
let receipt: Buffer;
test.before(async () => {
  files = await fileFolder();
  // Its upper third says enough, and is read in a third of the time.
  receipt = await sharp(join(SAMPLES, 'receipt.jpg'))
    .extract({ left: 0, top: 0, width: 760, height: 240 })
    .png()
    .toBuffer();
});
test.after(() => files.remove());

const examine = async (picture: Sharp, quality: Partial<PictureQuality> = {}): Promise<Outcome> => {
  const file = await files.file(await picture.png().toBuffer(), 'image/png');
  return processor.process(versionOf(undefined, 'document', quality), [file], new AbortController().signal);
};

/** Through the amounts, in the lower half of the whole one. */
const cutAtTheRight = (): Sharp =>
  sharp(join(SAMPLES, 'receipt.jpg')).extract({ left: 0, top: 380, width: 560, height: 220 });

const blank = (): Sharp => sharp({ create: { width: 600, height: 800, channels: 3, background: '#f4f4f0' } });

/** Something, but no text. */
const scribble = (): Sharp => {
  const path = 'M80 500 C 200 100, 300 700, 420 260 S 640 640, 700 150';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="720"><rect width="100%" height="100%" fill="#eee"/><path d="${path}" fill="none" stroke="#333" stroke-width="14"/></svg>`;
  return sharp(Buffer.from(svg));
};

/** Far too little light, and the noise that comes with that. */
const dark = async (): Promise<Sharp> => {
  const noise = { type: 'gaussian', mean: 12, sigma: 9 } as const;
  const grains = sharp({ create: { width: 760, height: 240, channels: 3, background: '#000', noise } });
  const input = await grains.png().toBuffer();
  return sharp(await sharp(receipt).linear(0.03).toBuffer()).composite([{ input, blend: 'add' }]);
};

/** A lamp's reflection, so wide and so high, over a grey picture. */
const glaring = async (rx: number, ry: number): Promise<Sharp> => {
  const dark = await sharp(receipt).linear(0.7).toBuffer();
  const lamp = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="760" height="240"><ellipse cx="380" cy="117" rx="${rx}" ry="${ry}" fill="#fff"/></svg>`,
  );
  return sharp(dark).composite([{ input: lamp }]);
};

type Given = readonly [
  title: string,
  picture: () => Sharp | Promise<Sharp>,
  says: RegExp,
  quality?: Partial<PictureQuality>,
];

const blocked: readonly Given[] = [
  ['a blurred picture', () => sharp(receipt).blur(9), /"front" is blurred .* steady hand/],
  ['a dark picture', dark, /"front" is too dark .* more light/],
  ['a picture with glare', () => glaring(370, 115), /"front" has glare on \d+ % .* lamps/],
  [
    'one of which enough can be read, where that is no excuse',
    () => glaring(150, 67),
    /glare/,
    { maxGlare: 0.1, legible: 1 },
  ],
  [
    'a picture that is too small',
    () => sharp(receipt).resize({ width: 180 }),
    /"front" is only 180 x 57 pixels/,
  ],
  [
    'one smaller than its version asks',
    () => sharp(receipt),
    /only 760 x 240 pixels, its shorter side must have 800/,
    { minSide: 800 },
  ],
  ['a blank page', blank, /"front" is blank/],
  ['a picture in which nothing can be read', scribble, /"front" shows no text that can be read/],
  [
    'a text cut off at its side',
    cutAtTheRight,
    /"front" is cut off at the right: .* whole document/,
    { cutOff: 'block' },
  ],
  [
    'the worst of a well read picture, where being read is no excuse',
    () => sharp(receipt).blur(2),
    /is blurred/,
    { minSharpness: 0.5, legible: 1 },
  ],
];
for (const [title, picture, says, quality] of blocked)
  test(
    `${title} is blocked`,
    async () => {
      const outcome = await examine(await picture(), quality);
      assert.is(outcome.kind, 'capture_quality_blocked', JSON.stringify(outcome));
      if (outcome.kind === 'capture_quality_blocked') assert.match(outcome.reason, says);
    },
    { timeoutMs: 60_000 },
  );

type Passing = readonly [
  title: string,
  picture: () => Sharp | Promise<Sharp>,
  quality?: Partial<PictureQuality>,
];

const passing: readonly Passing[] = [
  ['the whole picture', () => sharp(receipt), { cutOff: 'block' }],
  ['one that is a little blurred', () => sharp(receipt).blur(2)],
  ['one that is blurred by its measure, and read well', () => sharp(receipt).blur(2), { minSharpness: 0.9 }],
  ['one with glare on a part of it', () => glaring(150, 67)],
  ['one in little light', () => sharp(receipt).linear(0.25)],
  ['one cut off, by default', cutAtTheRight],
  ['a blank one where that may be', blank, { blank: 'allow' }],
  ['one exactly as small as it may be', () => sharp(receipt), { minSide: 240 }],
];
for (const [title, picture, quality] of passing.slice(0, rounds(3, passing.length)))
  test(
    `${title} passes`,
    async () => {
      const outcome = await examine(await picture(), quality);
      assert.is(outcome.kind, 'extracted', JSON.stringify(outcome));
    },
    { timeoutMs: 60_000 },
  );
