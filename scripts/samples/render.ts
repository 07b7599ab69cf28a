/**
 * Renders the sample documents beside it (receipt.jpg, receipt.pdf, receipt-stained.png). They are committed,
 * as a bare machine has no fonts; this needs DejaVu Sans Mono installed. Run: `node
 * dist/scripts/samples/render.js`
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { type PdfPage, pdfOf } from './pdf.ts';

const FOLDER = join(import.meta.dirname, '../../../scripts/samples');
const WIDTH = 760;
const LINE = 40;
const MARGIN = 60;

type Receipt = Readonly<{ head: readonly string[]; items: readonly string[]; total: string }>;

const BAKERY: Receipt = {
  head: ['Linden Bakery Ltd', '14 Orchard Street', 'Bristol BS1 4QA', 'Tel: 0117 496 0182', '', 'RECEIPT'],
  items: ['Date: 12/03/2026 09:41', '', row('2 Sourdough loaf', '9.00'), row('6 Almond croissant', '16.50')],
  total: '25.50',
};

const HARDWARE: Receipt = {
  head: ['Northgate Hardware Ltd', '88 Mill Road', 'Leeds LS9 8EQ', 'Tel: 0113 496 0055', '', 'RECEIPT'],
  items: ['Date: 27 Apr 2026 15:20', '', row('1 Cordless drill', '64.90'), row('4 Wall plug box', '16.00')],
  total: '80.90',
};

const CAFE: Receipt = {
  head: ['Harbour Cafe Ltd', '3 Quay Lane', 'Falmouth TR11 3AA', 'Tel: 01326 496 011', '', 'RECEIPT'],
  items: ['Date: 30/05/2026 13:05', '', row('2 Flat white', '7.60'), row('1 Crab sandwich', '11.40')],
  total: '19.00',
};

function row(text: string, amount: string): string {
  return text.padEnd(22) + amount.padStart(8);
}

const linesOf = ({ head, items, total }: Receipt, stained = false): readonly string[] => [
  ...head,
  ...items,
  '',
  row('TOTAL', stained ? '' : total),
  ...(stained ? [] : [row('CARD', total)]),
  '',
  'Thank you for your visit',
];

/** A receipt as a picture; a stained one has a blot where its amounts were. */
const svgOf = (lines: readonly string[], blotAt: number | null): string => {
  const height = 2 * MARGIN + lines.length * LINE;
  const text = lines.map(
    (line, index) =>
      `<text x="${MARGIN}" y="${MARGIN + (index + 1) * LINE}" xml:space="preserve">${line}</text>`,
  );
  const blot =
    blotAt === null
      ? ''
      : `<ellipse cx="${WIDTH / 2}" cy="${MARGIN + blotAt * LINE}" rx="330" ry="80" fill="#a98a66"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}">
    <rect width="100%" height="100%" fill="#fbfaf6"/>${blot}
    <g font-family="DejaVu Sans Mono" font-size="30" fill="#222">${text.join('')}</g></svg>`;
};

/** Lines on one page. */
const pageOf = (lines: readonly string[]): PdfPage => ({
  ...{ width: 320, height: 600 },
  marks: lines.map((text, index) => ({ text, x: 50, y: 56 + 16 * index, size: 11, font: 'typed' })),
});

const bakery = sharp(Buffer.from(svgOf(linesOf(BAKERY), null)));
await bakery.jpeg({ quality: 80 }).toFile(join(FOLDER, 'receipt.jpg'));
await writeFile(join(FOLDER, 'receipt.pdf'), pdfOf([pageOf(linesOf(HARDWARE))]));
const cafe = linesOf(CAFE, true);
const stained = sharp(Buffer.from(svgOf(cafe, cafe.length - 2.4)));
await stained.png({ palette: true }).toFile(join(FOLDER, 'receipt-stained.png'));
