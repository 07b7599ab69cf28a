import sharp from 'sharp';
import { pdfPicture } from '../../../processing/read/pdf/pdfium.ts';
import { type Font, type Mark, type PdfPage, pdfOf } from '../../samples/pdf.ts';

/** A till receipt; without a date or a total it has none. */
export type Receipt = Readonly<{
  seller: string;
  address: readonly string[];
  date: string | null;
  items: readonly (readonly [what: string, amount: string])[];
  total: string | null;
  foot?: string;
}>;

/** A receipt as a PDF of one page. */
export const receiptPdf = ({ seller, address, date, items, total, foot }: Receipt): Buffer => {
  const lines: readonly (readonly [text: string, amount: string, font?: Font])[] = [
    ...address.map((line) => [line, ''] as const),
    ['', ''],
    ...(date === null ? [] : [[`Date: ${date}`, ''] as const, ['', ''] as const]),
    ...items,
    ['', ''],
    ...(total === null ? [] : [['TOTAL', total, 'bold'] as const]),
    ['', ''],
    [foot ?? 'Thank you for your visit', ''],
  ];
  const height = 90 + 17 * lines.length;
  const marks = lines.flatMap(([text, amount, font = 'typed'], index): readonly Mark[] => {
    const y = 66 + 17 * index;
    return [
      { text, x: 24, y, size: 11, font },
      { text: amount, x: 256, y, size: 11, font, right: true },
    ];
  });
  return pdfOf([
    { width: 280, height, marks: [{ text: seller, x: 24, y: 40, size: 15, font: 'bold' }, ...marks] },
  ]);
};

/** An invoice; `pages` of items, the sums are on the last. */
export type Invoice = Readonly<{
  supplier: string;
  address: string;
  number: string;
  date: string;
  due: string;
  pages: readonly (readonly (readonly [what: string, quantity: string, amount: string])[])[];
  net: string;
  vat: string;
  total: string;
}>;

/** An invoice as a PDF on A4. */
export const invoicePdf = (invoice: Invoice): Buffer =>
  pdfOf(
    invoice.pages.map((items, index): PdfPage => {
      const isLast = index === invoice.pages.length - 1;
      const top = index === 0 ? 330 : 120;
      const marks = [
        ...(index === 0 ? headOf(invoice) : pageHeadOf(invoice, index)),
        ...tableOf(items, top),
        ...(isLast ? sumsOf(invoice, top + 24 * items.length + 30) : []),
      ];
      return { width: 595, height: 842, marks };
    }),
  );

const headOf = ({ supplier, address, number, date, due }: Invoice): readonly Mark[] => [
  { box: [0, 0, 595, 10], grey: 0.25 },
  { text: supplier, x: 56, y: 70, size: 20, font: 'bold' },
  { text: address, x: 56, y: 90 },
  { text: 'INVOICE', x: 430, y: 70, size: 20 },
  ...[`Invoice number: ${number}`, `Invoice date: ${date}`, `Due date: ${due}`].map((text, index) => ({
    ...{ text, x: 56, y: 150 + 18 * index, size: 11 },
  })),
  { text: 'Bill to', x: 56, y: 232, font: 'bold' },
  { text: 'Demo Ltd, 5 Market Square, York YO1 8NT', x: 56, y: 250 },
];

const pageHeadOf = ({ number }: Invoice, index: number): readonly Mark[] => [
  { text: `Invoice ${number}, page ${index + 1}`, x: 56, y: 70, size: 11 },
];

const tableOf = (items: Invoice['pages'][number], top: number): readonly Mark[] => [
  { box: [56, top - 24, 483, 20], grey: 0.9 },
  { text: 'Description', x: 62, y: top - 10, font: 'bold' },
  { text: 'Qty', x: 400, y: top - 10, font: 'bold' },
  { text: 'Amount', x: 492, y: top - 10, font: 'bold' },
  ...items.flatMap(([what, quantity, amount], index): readonly Mark[] => {
    const y = top + 14 + 24 * index;
    return [
      { text: what, x: 62, y },
      { text: quantity, x: 402, y },
      { text: amount, x: 533, y, right: true },
      { line: [56, 539], y: y + 8 },
    ];
  }),
];

const sumsOf = ({ net, vat, total }: Invoice, top: number): readonly Mark[] =>
  (
    [
      ['Net amount', net, 'plain'],
      ['VAT', vat, 'plain'],
      ['Total', total, 'bold'],
    ] as const
  ).flatMap(([text, amount, font], index) => [
    { text, x: 380, y: top + 20 * index, size: 11, font },
    { text: amount, x: 533, y: top + 20 * index, size: 11, font, right: true },
  ]);

/** How a paper was photographed: turned by so many degrees; a stain as shares of width and height. */
export type Photo = Readonly<{ angle: number; stain?: readonly [x: number, y: number] }>;

/** The first page of a PDF as a photo of a paper on a table, a JPEG. */
export const photoOf = async (pdf: Buffer, { angle, stain }: Photo): Promise<Buffer> => {
  const page = await pdfPicture('document', pdf, 1, { width: 900, height: 2_000 });
  if (page === null) throw new Error('a document has no page');
  const { colours, width, height } = page;
  const paper = await sharp(colours, { raw: { width, height, channels: 4 } })
    .composite([{ input: Buffer.from(stainOf(width, height, stain)) }])
    .flatten({ background: '#fff' })
    .png()
    .toBuffer();
  return sharp(paper)
    .linear(0.86, 24)
    .rotate(angle, { background: '#8a7763' })
    .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#8a7763' })
    .blur(0.7)
    .jpeg({ quality: 78 })
    .toBuffer();
};

const stainOf = (width: number, height: number, stain: Photo['stain']): string => {
  const [x, y] = stain ?? [0, 0];
  const spot = stain
    ? `<ellipse cx="${x * width}" cy="${y * height}" rx="${width / 9}" ry="${width / 24}" fill="#a98a66"/>`
    : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${spot}</svg>`;
};
