/**
 * Renders the sample documents beside it (receipt.jpg, receipt.pdf, receipt-stained.png). They are committed,
 * as a bare machine has no fonts; this needs DejaVu Sans Mono installed. Run: `node
 * dist/scripts/samples/render.js`
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

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

/** The smallest PDF that shows lines in a font that every reader has. */
const pdfOf = (lines: readonly string[]): string => {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) '`).join('\n');
  const content = `BT /F1 11 Tf 16 TL 50 560 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 320 600] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  const parts = ['%PDF-1.4\n'];
  const offsets = objects.map((object, index) => {
    const offset = parts.join('').length;
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`);
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = parts.join('').length;
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${parts.join('')}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
};

const bakery = sharp(Buffer.from(svgOf(linesOf(BAKERY), null)));
await bakery.jpeg({ quality: 80 }).toFile(join(FOLDER, 'receipt.jpg'));
await writeFile(join(FOLDER, 'receipt.pdf'), pdfOf(linesOf(HARDWARE)));
const cafe = linesOf(CAFE, true);
const stained = sharp(Buffer.from(svgOf(cafe, cafe.length - 2.4)));
await stained.png({ palette: true }).toFile(join(FOLDER, 'receipt-stained.png'));
