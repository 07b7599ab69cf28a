import * as assert from 'uvu/assert';
import { attempt } from '../../processing/attempt.ts';
import { createRecogniser, type Recogniser } from '../../processing/read/ocr.ts';
import type { Extracted } from '../../processing/types.ts';
import { outputField } from '../controls/workflow.ts';
import { rounds, suite } from '../harness.ts';
import { noRecogniser, pdfWith, versionOf } from './files.ts';
import { at, DECOY, HEAD, HIDDEN, pdfOf, stripes, TOTAL } from './hidingPdfs.ts';

const test = suite('what a page of a PDF does not show is no value [reader-4]');

const FIELDS = [
  outputField('company', { label: 'Company' }),
  outputField('total', { label: 'Total', type: 'number' }),
];
const SURE = 0.8;
const recogniser = createRecogniser();

const read = async (bytes: Buffer, how: Recogniser = noRecogniser): Promise<Extracted> => {
  const file = { fileId: 'f', label: 'file', mimeType: 'application/pdf', content: bytes };
  const outcome = await attempt(versionOf(FIELDS), [file], how, () => undefined);
  if (outcome.kind !== 'extracted') throw new Error(outcome.reason);
  return outcome;
};

/** The total that is found, in a list where it is for a person. */
const totalIn = ({ extractedData, fieldConfidences }: Extracted): unknown => {
  const value = extractedData.total ?? null;
  return value === null || (fieldConfidences.total ?? 0) >= SURE ? value : [value];
};

const wordsOf = ({ words = [] }: Extracted): readonly string[] =>
  words.flatMap(({ pages }) => pages.flatMap((page) => page.map(({ text }) => text)));

for (const [how, content] of Object.entries(HIDDEN))
  test(`a total that is ${how} is none, and that which is seen is the total`, async () => {
    // What is drawn later lies upon it, or is seen.
    const orders = [
      [content, TOTAL],
      [TOTAL, content],
    ].slice(0, how.startsWith('under') ? 1 : rounds(1, 2));
    for (const order of orders) {
      const one = await read(pdfOf(order));
      assert.is(totalIn(one), 412.5, JSON.stringify(one));
      assert.is(one.extractedData.company, 'Nordlicht GmbH');
      assert.not.ok(wordsOf(one).includes('999.00'), 'no word of the page');
    }
    const alone = await read(pdfOf([content, at(20, 300, 'Thank you')]));
    assert.is(totalIn(alone), null);
  });

for (const degrees of [90, 180, 270])
  test(`on a page that is turned by ${degrees}° words that it hides are none, and others are read`, async () => {
    const ways = Object.entries(HIDDEN);
    for (const [how, content] of ways.slice(0, rounds(3, ways.length))) {
      const words = wordsOf(await read(pdfOf([content, TOTAL], `/Rotate ${degrees}`)));
      assert.not.ok(words.includes('999.00'), how);
      for (const word of ['Nordlicht', 'GmbH', '412.50']) assert.ok(words.includes(word), `${how}: ${word}`);
    }
  });

test('a total outside of what is cropped is none', async () => {
  const cropped = await read(pdfOf([TOTAL, DECOY], '/CropBox [0 420 300 500]'));
  assert.is(totalIn(cropped), 412.5);
  assert.equal(wordsOf(cropped), ['Nordlicht', 'GmbH', 'Total:', '412.50']);
});

const SHOWN: Readonly<Record<string, string>> = {
  'white in a dark bar': `0 g 10 430 280 30 re f 1 g ${TOTAL} 0 g`,
  grey: `0.6 g ${TOTAL} 0 g`,
  red: `1 0 0 rg ${TOTAL} 0 g`,
  'of four points': at(20, 440, 'Total: 412.50', 4),
  'within a clip': `q 10 430 200 30 re W n ${TOTAL} Q`,
  'on a background': `${at(20, 400, 'Thank you')} 0.9 g 10 430 280 30 re f 0 g ${TOTAL}`,
  'on a picture': `${stripes(10, 430, 280, 30).replaceAll('40', 'a0')} ${TOTAL}`,
  'in outlines': `q 1 Tr ${TOTAL} Q`,
  'across a light watermark': `${TOTAL} q 0.9 g BT /F1 60 Tf 0.7 0.7 -0.7 0.7 30 380 Tm (DRAFT) Tj ET Q`,
  'upon lines': `${at(20, 440, '______________')} ${TOTAL}`,
};
for (const [how, content] of Object.entries(SHOWN))
  test(`a total that is ${how} is the total`, async () =>
    assert.is(totalIn(await read(pdfOf([content]))), 412.5));

test('of words upon each other the drawn one is read, for a person', async () => {
  const amount = at(62, 440, '412.50');
  const upon: Readonly<Record<string, readonly string[]>> = {
    'invisible later': [amount, `q 3 Tr ${at(62, 440, '999.00')} Q`],
    'invisible before': [`q 3 Tr ${at(62, 440, '999.00')} Q`, amount],
    'transparent and shifted': [amount, `q /Clear gs ${at(64, 442, '999.00')} Q`],
    'painted over': [at(62, 440, '999.00'), '1 g 58 436 60 14 re f 0 g', amount],
  };
  for (const [how, content] of Object.entries(upon)) {
    const one = await read(pdfOf([at(20, 440, 'Total:'), ...content]), recogniser);
    assert.equal(totalIn(one), [412.5], how);
    assert.not.ok(wordsOf(one).includes('999.00'), how);
  }
});

test('a digit or a sign that is hidden is not read in silence', async () => {
  const hidden = (text: string, x: number): string => `1 g ${at(x, 440, text)} 0 g`;
  for (const content of [
    [at(20, 440, 'Total: 412.50'), hidden('9', 98)],
    [at(20, 440, 'Total:'), hidden('-', 62), at(68, 440, '412.50')],
    [at(20, 440, 'Total:'), hidden('9', 62), at(68, 440, '412.50')],
  ]) {
    const total = totalIn(await read(pdfOf(content)));
    assert.ok(total === 412.5 || Array.isArray(total), JSON.stringify(total));
  }
});

test('a total in a layer that is switched off is none', async () => {
  const layer = (isOff: boolean) => {
    const state = isOff ? '/OFF [6 0 R]' : '';
    const catalogue = `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] /D << ${state} /Order [6 0 R] >> >> >>`;
    const bytes = pdfWith(
      Buffer.from(`${HEAD} /OC /L BDC ${TOTAL} EMC`),
      '',
      '/Resources << /Font << /F1 4 0 R >> /Properties << /L 6 0 R >> >>',
      'Courier',
      ['<< /Type /OCG /Name (L) >>'],
      catalogue,
    );
    return read(bytes);
  };
  assert.is(totalIn(await layer(true)), null);
  assert.is(totalIn(await layer(false)), 412.5);
});

test('a digit under a box is not read in silence', async () => {
  // Courier: each letter is 6 points wide.
  for (const box of ['62 437 6 11', '80 437 20 11'])
    for (const grey of [0, 1])
      assert.equal(totalIn(await read(pdfOf([TOTAL, `${grey} g ${box} re f 0 g`]))), [412.5], box);
  assert.is(totalIn(await read(pdfOf([TOTAL, '1 g 20 436 80 2 re f 0 g']))), 412.5, 'a line below');
});
