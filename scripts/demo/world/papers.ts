import { type Invoice, invoicePdf, photoOf, type Receipt, receiptPdf } from './documents.ts';

/** A document of the world: what it is called, how it is sent, and what it says. */
export type Paper = Readonly<{
  name: string;
  slug: 'receipt' | 'invoice';
  mimeType: 'application/pdf' | 'image/jpeg';
  draw(): Buffer | Promise<Buffer>;
  batchRef?: string;
  /** Whether its webhooks go where nothing is accepted. */
  isUnheard?: boolean;
}>;

const TAXI: Receipt = {
  seller: 'Harbour Taxi Ltd',
  address: ['3 Quay Lane', 'Falmouth TR11 3AA'],
  date: '14/05/2026 18:20',
  items: [
    ['Airport - Quay Lane', '38.50'],
    ['Luggage', '4.00'],
  ],
  total: '42.50',
};

const HOTEL: Receipt = {
  seller: 'Bellevue Hotel Ltd',
  address: ['21 Station Road', 'Manchester M1 2WD'],
  date: null,
  items: [
    ['Room 204, 2 nights', '238.00'],
    ['Breakfast', '24.00'],
  ],
  total: '262.00',
  foot: 'We hope to see you again',
};

/** What the demo has as a photo, `receipt.jpg`, typed by somebody else. */
const BAKERY: Receipt = {
  seller: 'Linden Bakery Ltd',
  address: ['14 Orchard Street', 'Bristol BS1 4QA'],
  date: '12/03/2026',
  items: [['Catering', '25.50']],
  total: '25.50',
  foot: 'Duplicate for your records',
};

const travel = (seller: string, date: string, what: string, amount: string): Receipt => ({
  ...{ seller, date, address: ['Platform 2', 'Leeds LS1 4DY'], items: [[what, amount]], total: amount },
});

const PRINT: Invoice = {
  supplier: 'Northwind Print Ltd',
  address: '12 Dock Road, Hull HU1 1UU',
  ...{ number: 'NP-2026-0417', date: '04/05/2026', due: '03/06/2026' },
  pages: [
    [
      ['Business cards, 500', '2', '96.00'],
      ['Poster A1, matt', '10', '180.00'],
    ],
  ],
  ...{ net: '276.00', vat: '55.20', total: '331.20' },
};

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'];
const CLOUD: Invoice = {
  supplier: 'Skyline Hosting Ltd',
  address: '1 Cable Street, London E1 8JG',
  ...{ number: 'SH-88123', date: '30/09/2026', due: '30/10/2026' },
  pages: [
    months.map((month) => [`Servers, ${month}`, '4', '128.00'] as const),
    months.map((month) => [`Backups, ${month}`, '1', '16.00'] as const),
  ],
  ...{ net: '1,296.00', vat: '259.20', total: '1,555.20' },
};

const OFFICE: Invoice = {
  supplier: 'Corner Office Supplies Ltd',
  address: '44 High Street, York YO1 8QR',
  ...{ number: 'INV-3051', date: '18/05/2026', due: '17/06/2026' },
  pages: [
    [
      ['Desk lamp', '3', '87.00'],
      ['Paper A4, 5 reams', '4', '74.00'],
    ],
  ],
  ...{ net: '161.00', vat: '32.20', total: '193.20' },
};

const BATCH = 'expenses-2026-05';
const PDF = { mimeType: 'application/pdf' } as const;
const PHOTO = { mimeType: 'image/jpeg' } as const;
const receipt = { slug: 'receipt' } as const;
const invoice = { slug: 'invoice' } as const;

/** The invoice whose first decision is made. */
export const DECIDED_ONCE = 'office-supplies.pdf';
/** What another reviewer has open, as long as a claim lasts. */
export const CLAIMED = 'printing.jpg';

/**
 * Documents that wait for a person, each for another reason, and a batch; in the order in which they are
 * sent.
 */
export const papers: readonly Paper[] = [
  {
    ...{ name: 'taxi.jpg', ...receipt, ...PHOTO },
    draw: () => photoOf(receiptPdf(TAXI), { angle: 2.2, stain: [0.86, 0.72] }),
  },
  { name: 'hotel.pdf', ...receipt, ...PDF, draw: () => receiptPdf(HOTEL), isUnheard: true },
  { name: 'catering.pdf', ...receipt, ...PDF, draw: () => receiptPdf(BAKERY) },
  { name: CLAIMED, ...invoice, ...PHOTO, draw: () => photoOf(invoicePdf(PRINT), { angle: -0.6 }) },
  { name: 'hosting.pdf', ...invoice, ...PDF, draw: () => invoicePdf(CLOUD) },
  { name: DECIDED_ONCE, ...invoice, ...PDF, draw: () => invoicePdf(OFFICE) },
  ...[
    travel('Pennine Railways Ltd', '11/05/2026', 'Leeds - York', '18.40'),
    travel('Pennine Railways Ltd', '12/05/2026', 'York - Leeds', '18.40'),
    { ...travel('Moor Bus Ltd', '12/05/2026', 'Day ticket', '6.20'), total: null },
  ].map((one, index) => ({
    ...{ name: `travel-${index + 1}.pdf`, ...receipt, ...PDF, batchRef: BATCH },
    draw: () => receiptPdf(one),
  })),
];
