import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { isNoise } from '../../processing/picture/measure.ts';
import { suite } from '../harness.ts';
import { SAMPLES } from './files.ts';
import { noise } from './hostileFiles.ts';

const test = suite('noise');

const judged = async (bytes: Buffer): Promise<boolean> => {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  return isNoise({ data, width: info.width, height: info.height });
};

test('noise is told from a document, however coarse it is', async () => {
  assert.is(await judged(await noise(900, 1_200)), true);
  const raw = { raw: { width: 900, height: 1_200, channels: 1 } } as const;
  const coarse = sharp(randomBytes(1_080_000), raw).blur(3).normalise().png();
  assert.is(await judged(await coarse.toBuffer()), true);
});

test('a document is no noise, nor is one on restless ground, or a blank page', async () => {
  const receipt = await sharp(join(SAMPLES, 'receipt.jpg')).resize(500).png().toBuffer();
  assert.is(await judged(receipt), false);
  const { width, height } = await sharp(receipt).metadata();
  const grain = Buffer.from(randomBytes(width * height)).map((value) => 200 + (value % 40));
  const grained = await sharp(receipt)
    .composite([
      {
        input: await sharp(grain, { raw: { width, height, channels: 1 } })
          .png()
          .toBuffer(),
        blend: 'multiply',
      },
    ])
    .png()
    .toBuffer();
  assert.is(await judged(grained), false);
  const blank = sharp({ create: { width: 300, height: 400, channels: 3, background: '#eee' } });
  assert.is(await judged(await blank.png().toBuffer()), false);
});
