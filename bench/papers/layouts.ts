import type { Font } from '../../scripts/samples/pdf.ts';

/** How an invoice is laid out. */
export type Layout = Readonly<{
  name: string;
  /** Where the supplier stands; `foot`: small above the customer, and at the foot of the page. */
  head: 'left' | 'right' | 'centre' | 'foot';
  /** Numbers and dates: with colons, in two columns, below their captions, or in a box on the right. */
  meta: 'colons' | 'columns' | 'below' | 'box';
  customer: 'left' | 'right' | 'captioned' | 'beside';
  table: 'ruled' | 'shaded' | 'plain';
  sums: 'right' | 'left' | 'below';
  font: Font;
  isLong: boolean;
}>;

const layout = (
  name: string,
  [head, meta, customer, table, sums, font = 'plain', date = 'short']: readonly [
    Layout['head'],
    Layout['meta'],
    Layout['customer'],
    Layout['table'],
    Layout['sums'],
    Font?,
    ('short' | 'long')?,
  ],
): Layout => ({ name, head, meta, customer, table, sums, font, isLong: date === 'long' });

/** The layouts of invoices and credit notes. */
export const LAYOUTS: readonly Layout[] = [
  layout('plain letter', ['left', 'colons', 'captioned', 'ruled', 'right']),
  layout('head right', ['right', 'columns', 'left', 'ruled', 'right']),
  layout('centred', ['centre', 'colons', 'captioned', 'plain', 'right', 'plain', 'long']),
  layout('window envelope', ['foot', 'box', 'left', 'ruled', 'right']),
  layout('window, captions above', ['foot', 'below', 'left', 'shaded', 'right', 'plain', 'long']),
  layout('two columns', ['left', 'box', 'beside', 'shaded', 'right']),
  layout('captions above', ['left', 'below', 'captioned', 'ruled', 'right']),
  layout('typed', ['left', 'colons', 'captioned', 'plain', 'left', 'typed']),
  layout('typed columns', ['left', 'columns', 'captioned', 'plain', 'right', 'typed', 'long']),
  layout('sums in a row', ['right', 'colons', 'captioned', 'shaded', 'below']),
  layout('customer right', ['left', 'columns', 'right', 'ruled', 'left']),
  layout('boxed, long dates', ['centre', 'box', 'beside', 'ruled', 'right', 'plain', 'long']),
  layout('head right, row', ['right', 'below', 'captioned', 'plain', 'below', 'plain', 'long']),
  layout('two columns, left sums', ['left', 'box', 'beside', 'plain', 'left', 'typed']),
];
