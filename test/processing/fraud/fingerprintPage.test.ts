import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import type { FingerprintedPage } from '../../../domain/fraud/pages.ts';
import { attempt } from '../../../processing/attempt.ts';
import { compareAll } from '../../../processing/fraud/similarity/compareAll.ts';
import { fingerprintPage } from '../../../processing/fraud/similarity/fingerprintPage.ts';
import type { Affine } from '../../../processing/picture/affine.ts';
import type { Recogniser } from '../../../processing/read/ocr.ts';
import { suite } from '../../harness.ts';
import { upperPart } from '../../support/alterations.ts';
import { fileFolder, SAMPLES, versionOf } from '../files.ts';

const test = suite('processing/fraud/fingerprintPage');
const file = { fileId: 'fil_1', label: 'front' };
let receipt: Buffer;
let files: Awaited<ReturnType<typeof fileFolder>>;
test.before(async () => {
  receipt = await upperPart(readFileSync(join(SAMPLES, 'receipt.jpg')));
  files = await fileFolder();
});
test.after(() => files.remove());

const fingerprinted = async (bytes: Buffer, toPage: Affine): Promise<FingerprintedPage> => {
  const found = await fingerprintPage({ bytes, page: 0 }, toPage, { number: 1, lines: [] }, file);
  if (!found) throw new Error('it has no strokes');
  return found;
};
/** Where a picture's pixels are once it was turned clockwise. */
const turnedBy = (degrees: number): Affine => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [cos, -sin, 0, sin, cos, 0];
};

test('a picture on its side, upside down or far from level has a similar fingerprint', async () => {
  const { visual, keys } = await fingerprinted(receipt, turnedBy(0));
  for (const degrees of [90, 180, 270, 15]) {
    const bytes = await sharp(receipt).rotate(degrees, { background: '#fff' }).jpeg().toBuffer();
    const turned = await fingerprinted(bytes, turnedBy(degrees));
    const { similar } = compareAll([turned.visual], [[visual]], () => 0);
    assert.is(similar[0]?.length, 1, `turned by ${degrees}`);
    const common = turned.keys.filter(({ text, near }) =>
      keys.some((key) => [text, ...near].includes(key.text)),
    );
    assert.ok(common.length > 0, `turned by ${degrees} it has a key in common`);
  }
});

test('where only fingerprints are made, a damaged picture has none, and others have theirs', async () => {
  const recogniser: Recogniser = {
    recognise: async (_picture, fileId, number) => ({
      read: { fileId, number, lines: [] },
      isUpsideDown: false,
    }),
  };
  const photograph = await files.file(receipt, 'image/jpeg');
  const broken = await files.file(receipt.subarray(0, receipt.length / 2), 'image/jpeg');
  const looked = (alone: 'alone' | true) =>
    attempt({ ...versionOf([]), fingerprints: alone }, [broken, photograph], recogniser, () => undefined);
  const found = await looked('alone');
  assert.equal(found.kind === 'extracted' && found.fingerprintedPages?.map(({ visual }) => visual.fileId), [
    photograph.fileId,
  ]);
  assert.is((await looked(true)).kind, 'failed');
});
