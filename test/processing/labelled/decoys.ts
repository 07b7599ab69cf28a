import type { Random } from '../../nodes/random.ts';
import type { Pair } from './styles.ts';
import {
  between,
  chance,
  companyName,
  dateIn,
  digits,
  identifier,
  moneyOf,
  type Notation,
  personName,
  shuffled,
  sumBetween,
} from './values.ts';

const STREETS = [
  '12 Mill Road',
  '88 High Street',
  'Hauptstraße 5',
  '3 Quay Lane',
  '7 rue de la Paix',
  'Unit 4, Park Way',
];
const TOWNS = ['Leeds LS9 8EQ', 'Bristol BS1 4QA', '10115 Berlin', '75002 Paris', 'London SW1A 1AA'];
export const addressLines = (random: Random, { american }: Notation): readonly string[] => [
  random.pick(STREETS),
  american ? 'Springfield, IL 62701' : random.pick(TOWNS),
];

/** Captions that nobody asks for, with values of their own kinds. */
export const strangers = (random: Random, notation: Notation): readonly Pair[] => {
  const date = (): string => dateIn(random, notation).text;
  const sum = (): string => moneyOf(notation, sumBetween(random, 1, 900)).text;
  const all: readonly (readonly [caption: string, value: string])[] = [
    ['Cost centre', digits(random, 4)],
    ['Terms', '30 days'],
    ['Currency', 'EUR'],
    ['Print date', date()],
    ['Valid until', date()],
    ['Contact', personName(random)],
    ['Tel', `0${digits(random, 3)} 496 0${digits(random, 3)}`],
    ['Shipping', sum()],
    ['Deposit', sum()],
    ['Discount', sum()],
    ['Location', 'Leeds'],
    ['Room', digits(random, 3)],
    ['Weight (kg)', `${between(random, 1, 90)}.${digits(random, 1)}`],
    ['Invoice address', random.pick(STREETS)],
    ['Payment method', 'Bank transfer'],
    ['Sales person', personName(random)],
    ['Company registration no', digits(random, 8)],
    ['Total items', String(between(random, 1, 30))],
    ['Total weight', `${digits(random, 2)}.5`],
    ['Date of birth', date()],
    ['Bank charges', sum()],
    ['Order value last year', sum()],
    ['Customer since', '2019'],
    ['Purpose of travel', ''],
    ['Remarks', ''],
    ['Signature', ''],
  ];
  return shuffled(random, all)
    .slice(0, between(random, 0, 5))
    .map(([caption, value]) => ({ caption, value }));
};

/** Sentences in which captions stand as words. */
const PROSE = [
  'Please quote your invoice number when paying.',
  'The total is payable within 30 days of the invoice date.',
  'Date of supply is the date of invoice unless stated otherwise.',
  'Your bank may charge a fee for transfers from abroad.',
  'Company cheques are not accepted.',
  'Total satisfaction or your money back.',
  'Please contact the customer service with your order number at hand.',
  'Reference to our terms is made on the back.',
  'Payment due dates are to be kept; the amount due bears interest of 2.5 % after 14 days.',
  'Tax is included where applicable.',
  'Project managers approve the hours of their employees.',
  'Bitte geben Sie bei Zahlung die Rechnungsnummer an.',
  'Merci de rappeler le numéro de facture lors du paiement.',
  'Thank you for your business!',
  'Registered in England and Wales, company number 01234567',
  'Store this receipt in a safe place.',
  'Customer copy',
  'Page 1 of 1',
];
export const proseLines = (random: Random): readonly string[] =>
  shuffled(random, PROSE).slice(0, between(random, 0, 4));

/** Who a document is sent to. */
export const recipient = (random: Random, notation: Notation): readonly string[] => [
  random.pick(['Bill to:', 'Bill To', 'Ship to:', 'Deliver to:', 'Rechnung an:', 'Sold to:']),
  companyName(random),
  ...addressLines(random, notation),
  '',
];

const GOODS = [
  'Widget',
  'Cordless drill',
  'Flat white',
  'Total care kit',
  'Tax guide 2026',
  'Date cake',
  'Invoice book',
  'USB cable 2 m',
];
const HEADS: Readonly<Record<Notation['language'], readonly (readonly string[])[]>> = {
  en: [
    ['Description', 'Qty', 'Price', 'Total'],
    ['Item', 'Quantity', 'Unit price', 'Amount'],
  ],
  de: [['Artikel', 'Menge', 'Einzelpreis', 'Gesamt']],
  fr: [['Désignation', 'Qté', 'Prix', 'Total']],
};

/** A table of what was sold. */
export const itemRows = (random: Random, notation: Notation): readonly string[] => {
  const bare = { ...notation, before: '', behind: '' };
  const [first = '', ...rest] = random.pick(HEADS[notation.language]);
  const row = (name: string, cells: readonly string[]): string =>
    name.padEnd(24) + cells.map((cell) => cell.padStart(12)).join('');
  const goods = Array.from({ length: between(random, 1, 4) }, () => {
    const [quantity, price] = [between(random, 1, 9), sumBetween(random, 1, 90)];
    const sums = [price, quantity * price].map((value) => moneyOf(bare, value).text);
    return row(random.pick(GOODS), [String(quantity), ...sums]);
  });
  return [...(chance(random, 0.8) ? [row(first, rest)] : []), ...goods, ''];
};

/** Sums beside the one that is asked for, by their captions. */
export const otherSums = (random: Random, notation: Notation): readonly Pair[] => {
  const sum = (): string => moneyOf(notation, sumBetween(random, 1, 5_000)).text;
  const captions: Readonly<Record<Notation['language'], readonly string[]>> = {
    en: [
      'Subtotal',
      'VAT 20%',
      'GST 6%',
      'Cash',
      'Change',
      'Paid',
      'Total excl. VAT',
      'Total 0% supplies',
      'Amount due',
      'Less deposit',
      'Total discount',
      'Total savings',
      'Amount paid',
      'Service charge 10%',
      'Total Sales Amount',
    ],
    de: ['Zwischensumme', 'MwSt. 19 %', 'Bar', 'Rückgeld', 'Nettobetrag', 'Rabatt', 'Anzahlung'],
    fr: ['Sous-total', 'TVA 20 %', 'Espèces', 'Rendu', 'Total HT', 'Remise', 'Acompte'],
  };
  return shuffled(random, captions[notation.language])
    .slice(0, between(random, 0, 4))
    .map((caption) => ({ caption, value: sum() }));
};

export const titleOf = (random: Random, title: string): readonly string[] =>
  random.pick([
    [],
    [title],
    [title.toUpperCase(), ''],
    [`*** ${title} ***`],
    [`${title} ${identifier(random)}`, ''],
  ]);
