import * as assert from 'uvu/assert';
import { openPage, openPdf } from '../../processing/read/pdf/openPage.ts';
import { suite } from '../harness.ts';
import { at, HEAD, HIDDEN, pdfOf, stripes, TOTAL } from './hidingPdfs.ts';

const test = suite('which pages of a PDF are drawn to see what they hide');

/** How often a page is drawn with and without its text. */
const looksAt = async (bytes: Buffer): Promise<number> => {
  const file = { fileId: 'f', label: 'file', mimeType: 'application/pdf', content: bytes };
  let looks = 0;
  const sights = async (): Promise<null> => {
    looks += 1;
    return null;
  };
  await openPage(await openPdf(bytes), { file, bytes, sights, number: 1, wantsScan: false });
  return looks;
};

const PLAIN: Readonly<Record<string, readonly string[]>> = {
  'black text': [TOTAL],
  'grey and dark coloured text': [`0.4 g ${TOTAL} 0.6 0 0.2 rg ${at(20, 300, 'Thank you')} 0 g`],
  'text on light bars, each before its text': [
    `0.9 g 10 430 280 20 re f 0 g ${TOTAL} 0.8 0.9 1 rg 10 390 280 20 re f 0 g ${at(20, 400, 'Thank you')}`,
  ],
  'text between rules and in boxes': ['0.5 w 10 430 280 20 re S 10 425 m 290 425 l S', TOTAL],
  'a picture beside the text': [stripes(200, 300, 60, 40), TOTAL],
  'a dark bar beside the text': [TOTAL, '0 g 10 300 280 20 re f'],
  'text within a clip': [`q 10 430 280 30 re W n ${TOTAL} Q`],
};
for (const [what, content] of Object.entries(PLAIN))
  test(`a page with ${what} is not drawn`, async () => {
    for (const page of ['', '/Rotate 90']) assert.is(await looksAt(pdfOf(content, page)), 0, page);
  });

test('a page that may hide something is drawn once', async () => {
  for (const [how, content] of Object.entries({
    ...HIDDEN,
    'white on a dark bar': `0 g 10 390 200 30 re f 1 g ${at(20, 400, 'Thank you')}`,
    'on a picture': `${stripes(10, 430, 280, 30)} ${TOTAL}`,
    'two upon each other': at(22, 480, 'Suedlicht AG'),
  }))
    assert.is(await looksAt(pdfOf([HEAD, content, TOTAL])), 1, how);
});
