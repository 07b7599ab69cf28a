import { isOneOf } from './labels.ts';

/** How strongly a line's words say that its amount is the one to be paid, 0..1. */
export const totalness = (words: readonly string[]): number => {
  const has = (...vocabulary: string[]): boolean => words.some((word) => isOneOf(word, vocabulary));
  const total = has(
    'total',
    'totals',
    'ttl',
    'gesamt',
    'summe',
    'jumlah',
    'importe',
    'totale',
    ...SUMS_IN_GERMAN,
  );
  const isShort = words[0] === 'tl' && words.length <= 4;
  const amount = has('amount', 'balance', 'amt', 'betrag');
  const isNet = ['net', 'nett'].includes(words[0] ?? '') && words.length <= 3;
  if (has('subtotal', 'zwischensumme', 'nettobetrag', 'nettosumme') || (total && has('sub', 'kecil')))
    return 0.4;
  if (isCarried(words)) return 0.1;
  const rounded = has('rounded') || words.includes('round');
  if (isShort) return SHORT;
  if (!total && !isNet && !(amount && (rounded || has('due', 'payable', 'paid', 'bill', 'nett', 'net'))))
    return 0;
  if (has('after') && has('rounding', 'discount', 'disc', 'adjustment', 'adj', 'tax', 'gst', 'sst'))
    return 0.95;
  if (has(...OF_COUNTS)) return 0.05;
  if (has('excluding', 'excl', 'exclusive', 'before', 'exc', 'without', 'ht') || isWithout(words)) return 0.3;
  if (has('included') && words.includes('in')) return 0.15;
  const inclusive = has('inclusive', 'including', 'includes', 'included', 'incl', 'inc', 'with', 'ttc', 'w');
  if (!inclusive && has('tax', 'gst', 'vat', 'sst', 'mwst', 'tva')) return 0.15;
  if (!rounded && has('rounding', 'adjustment', 'adj', 'cash', 'tendered')) return 0.2;
  if (rounded || has('grand', 'besar', 'payable', 'due', 'nett', 'net')) return isNet ? ALONE : 1;
  return inclusive ? 0.92 : amount || has('sales', 'bill', 'paid') ? 0.88 : 0.85;
};

/** "TL", as tills print it. */
const SHORT = 0.6;
/** "Net" without "total": the amount to be paid, or that without tax. */
const ALONE = 0.8;
const SUMS_IN_GERMAN = ['gesamtbetrag', 'rechnungsbetrag', 'endbetrag', 'zahlbetrag', 'gesamtsumme'];
/** What such a total is of: pieces, savings, persons. */
const OF_COUNTS = [
  ...['quantity', 'qty', 'items', 'item', 'discount', 'disc', 'savings', 'saving', 'points', 'change'],
  ...['pax', 'person', 'persons', 'weight', 'hours', 'pages'],
];

/** "W/O GST". */
const isWithout = (words: readonly string[]): boolean =>
  words.some((word, index) => word === 'w' && words[index + 1] === 'o');

/**
 * Whether words say that a sum is that of a page, carried to the next or brought from the last, or of a time before.
 * "Page 2 of 3" does not.
 */
const isCarried = (words: readonly string[]): boolean => {
  const text = words.join(' ');
  return /\b(?:carried|brought|forward|[cb] f|page|previous|last (?:year|month|week|visit))\b/.test(
    text.replace(/\bpage \d+ of \d+/, ''),
  );
};
