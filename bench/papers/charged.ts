import { currencyOf, type Language } from './languages.ts';
import { daysAfter, type Luck } from './luck.ts';
import type { Truth } from './paper.ts';
import { companyFrom, customerFrom, from, type Party } from './parties.ts';

type Item = Readonly<{ text: string; quantity: number; price: number; amount: number }>;
type Tax = Readonly<{ percent: number; tax: number }>;

/** What an invoice or a credit note charges, in hundredths of its currency; credits may be negative. */
export type Charged = Readonly<{
  language: Language;
  supplier: Party;
  customer: Party;
  number: string;
  date: string;
  due: string;
  order: string | null;
  /** The number of the invoice that is credited; null for invoices. */
  original: string | null;
  items: readonly Item[];
  net: number;
  taxes: readonly Tax[];
  rounding: number;
  total: number;
  paid: number | null;
}>;

const RATES: Readonly<Record<Language, readonly [number, number]>> = {
  ...{ en: [20, 5], us: [8, 2], de: [19, 7], fr: [20, 10], ms: [8, 6], es: [21, 10] },
};

/** Made-up charges: one to sixty items, one or two rates of tax. */
export const chargedFor = (luck: Luck, language: Language, isCredit: boolean): Charged => {
  const sign = isCredit && luck.chance(0.5) ? -1 : 1;
  const count = isCredit ? luck.whole(1, 4) : luck.chance(0.2) ? luck.whole(20, 60) : luck.whole(1, 9);
  const items = Array.from({ length: count }, (): Item => {
    const [quantity, price] = [luck.whole(1, 12), luck.whole(150, 48_000)];
    return {
      text: from(luck, language, 'goods'),
      quantity,
      price: sign * price,
      amount: sign * quantity * price,
    };
  });
  const net = sumOf(items.map(({ amount }) => amount));
  const taxes = taxesOn(luck, language, items, net);
  const before = net + sumOf(taxes.map(({ tax }) => tax));
  const rounding = language === 'ms' && luck.chance(0.5) ? Math.round(before / 5) * 5 - before : 0;
  const total = before + rounding;
  const date = luck.day(2024, 2026);
  return {
    ...{ language, items, net, taxes, rounding, total, date },
    supplier: companyFrom(luck, language),
    customer: customerFrom(luck, language),
    number: numberOf(luck, isCredit),
    due: daysAfter(date, luck.pick([14, 30, 45])),
    order: luck.chance(0.4) ? luck.digits(7) : null,
    original: isCredit ? numberOf(luck, false) : null,
    paid: !isCredit && luck.chance(0.25) ? Math.round(total / luck.pick([2, 3, 4])) : null,
  };
};

const taxesOn = (luck: Luck, language: Language, items: readonly Item[], net: number): readonly Tax[] => {
  const [usual, reduced] = RATES[language];
  const on = (base: number, percent: number): Tax => ({ percent, tax: Math.round((base * percent) / 100) });
  const first = items[0]?.amount ?? 0;
  return items.length > 1 && luck.chance(0.3)
    ? [on(first, reduced), on(net - first, usual)]
    : [on(net, usual)];
};

const numberOf = (luck: Luck, isCredit: boolean): string => {
  const mark = isCredit ? 'CN' : luck.pick(['INV', 'R', 'F', '20']);
  return luck.pick([
    `${mark}-${luck.digits(5)}`,
    `${mark}${luck.digits(6)}`,
    `${mark}/2026/${luck.digits(4)}`,
  ]);
};

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Hundredths as a truth has them: `1234.50`. */
export const plain = (cents: number): string => (cents / 100).toFixed(2);

/** What is true of an invoice or a credit note. The tax is that of all rates. */
export const truthOf = (charged: Charged): Truth => {
  const { language, supplier, customer, number, date, due, order, original, net, taxes, total, paid } =
    charged;
  return {
    supplier: supplier.name,
    supplierAddress: supplier.address.join(', '),
    customer: customer.name,
    ...(original === null
      ? { invoiceNumber: number, dueDate: due, orderNumber: order }
      : { creditNoteNumber: number, invoiceNumber: original }),
    date,
    subtotal: plain(net),
    tax: plain(sumOf(taxes.map(({ tax }) => tax))),
    total: plain(total),
    amountPaid: paid === null ? null : plain(paid),
    amountDue: paid === null ? null : plain(total - paid),
    currency: currencyOf[language],
    items: charged.items.map(({ text, quantity, price, amount }) => ({
      ...{ description: text, quantity: String(quantity) },
      ...{ unitPrice: plain(price), amount: plain(amount) },
    })),
  };
};
