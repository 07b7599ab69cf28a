import { type Charged, chargedFor, truthOf } from './charged.ts';
import { amountText, dateText, type Language, moneyText, say, type Term } from './languages.ts';
import { LAYOUTS, type Layout } from './layouts.ts';
import type { Luck } from './luck.ts';
import type { Maker, Paper } from './paper.ts';
import { createSheet, type Sheet, stack } from './sheet.ts';

export const invoice: Maker = (luck, language) => drawn(luck, language, false);
export const creditNote: Maker = (luck, language) => drawn(luck, language, true);

const LEFT = 50;
const RIGHT = 545;
const MIDDLE = 330;

const drawn = (luck: Luck, language: Language, isCredit: boolean): Paper => {
  const layout = luck.pick(LAYOUTS);
  const charged = chargedFor(luck, language, isCredit);
  const sheet = createSheet(layout.font);
  head(sheet, layout, charged);
  customer(sheet, layout, charged);
  sheet.down(10);
  sheet.text(LEFT, say(language, isCredit ? 'creditNote' : 'invoice'), { size: 15, isBold: true });
  sheet.down(24);
  meta(sheet, layout, charged);
  items(sheet, layout, charged);
  sums(sheet, layout, charged);
  foot(sheet, layout, charged);
  return { pages: sheet.pages(), truth: truthOf(charged), layout: `${language}, ${layout.name}` };
};

const head = (sheet: Sheet, { head: place, customer: other }: Layout, { supplier }: Charged): void => {
  const x = { left: LEFT, right: MIDDLE + 50, centre: 215, foot: LEFT }[place];
  if (place === 'foot') {
    sheet.down(40);
    sheet.text(LEFT, [supplier.name, ...supplier.address].join(' · '), { size: 7 });
    sheet.down();
    return;
  }
  if (other === 'beside') return;
  sheet.text(x, supplier.name, { size: 13, isBold: true });
  sheet.down(16);
  stack(sheet, x, supplier.address);
  sheet.down(20);
};

const customer = (sheet: Sheet, layout: Layout, { supplier, customer: party, language }: Charged): void => {
  const lines = [party.name, ...party.address];
  if (layout.customer === 'beside') {
    const top = sheet.y();
    stack(sheet, LEFT, [say(language, 'from'), supplier.name, ...supplier.address]);
    sheet.to(top);
    stack(sheet, MIDDLE, [say(language, 'billTo'), ...lines]);
  } else if (layout.customer === 'captioned') stack(sheet, LEFT, [`${say(language, 'billTo')}:`, ...lines]);
  else stack(sheet, layout.customer === 'right' ? MIDDLE : LEFT, lines);
  sheet.down();
};

const pairsOf = ({ language, number, date, due, order, original }: Charged, { isLong }: Layout) => {
  const pair = (term: Term, value: string) => [say(language, term), value] as const;
  const day = (iso: string) => dateText(language, iso, isLong);
  return original === null
    ? [
        pair('invoiceNumber', number),
        pair('invoiceDate', day(date)),
        ...(order === null ? [] : [pair('order', order)]),
        pair('due', day(due)),
      ]
    : [pair('creditNumber', number), pair('date', day(date)), pair('toInvoice', original)];
};

const meta = (sheet: Sheet, layout: Layout, charged: Charged): void => {
  const pairs = pairsOf(charged, layout);
  const top = sheet.y();
  if (layout.meta === 'below') {
    for (const [index, [caption]] of pairs.entries())
      sheet.text(LEFT + 125 * index, caption, { size: 8, isBold: true });
    sheet.down();
    for (const [index, [, value]] of pairs.entries()) sheet.text(LEFT + 125 * index, value);
    sheet.down();
  } else
    for (const [caption, value] of pairs) {
      if (layout.meta === 'colons') sheet.text(LEFT, `${caption}: ${value}`);
      else {
        const x = layout.meta === 'box' ? MIDDLE : LEFT;
        sheet.text(x, caption);
        sheet.text(x + 115, value);
      }
      sheet.down();
    }
  if (layout.meta === 'box') sheet.rule(MIDDLE, RIGHT);
  sheet.to(Math.max(sheet.y(), top) + 16);
};

const COLUMNS = { quantity: 360, price: 450, amount: RIGHT };

const items = (sheet: Sheet, { table }: Layout, { language, items: rows }: Charged): void => {
  const heads = (): void => {
    if (table === 'shaded') sheet.shade(LEFT, RIGHT);
    sheet.text(LEFT, say(language, 'item'), { isBold: true });
    sheet.text(335, say(language, 'quantity'), { isBold: true });
    sheet.text(400, say(language, 'price'), { isBold: true });
    sheet.text(500, say(language, 'amount'), { isBold: true });
    if (table === 'ruled') sheet.rule(LEFT, RIGHT);
    sheet.down(16);
  };
  heads();
  let carried = 0;
  for (const { text, quantity, price, amount } of rows) {
    if (!sheet.hasRoom(40)) {
      sheet.text(LEFT, say(language, 'carried'));
      sheet.text(COLUMNS.amount, amountText(language, carried), { isRight: true });
      sheet.turn();
      heads();
    }
    sheet.text(LEFT, text);
    sheet.text(COLUMNS.quantity, String(quantity), { isRight: true });
    sheet.text(COLUMNS.price, amountText(language, price), { isRight: true });
    sheet.text(COLUMNS.amount, amountText(language, amount), { isRight: true });
    carried += amount;
    sheet.down();
  }
  if (table !== 'plain') sheet.rule(LEFT, RIGHT);
  sheet.down(18);
};

const sumsOf = ({ language, net, taxes, rounding, total, paid }: Charged) => {
  const row = (caption: string, cents: number) => [caption, moneyText(language, cents)] as const;
  const rate = (percent: number): string =>
    language === 'de' || language === 'fr' || language === 'es' ? `${percent} %` : `${percent}%`;
  return [
    row(say(language, 'net'), net),
    ...taxes.map(({ percent, tax }) => row(`${say(language, 'tax')} ${rate(percent)}`, tax)),
    ...(rounding === 0 ? [] : [row(say(language, 'rounding'), rounding)]),
    row(say(language, 'total'), total),
    ...(paid === null ? [] : [row(say(language, 'paid'), paid), row(say(language, 'rest'), total - paid)]),
  ];
};

const sums = (sheet: Sheet, { sums: place }: Layout, charged: Charged): void => {
  const rows = sumsOf(charged);
  if (!sheet.hasRoom(rows.length * 16 + 40)) sheet.turn();
  if (place === 'below') {
    const step = (RIGHT - LEFT) / Math.max(4, rows.length);
    for (const [index, [caption]] of rows.entries())
      sheet.text(LEFT + step * index, caption, { size: 8, isBold: true });
    sheet.down();
    for (const [index, [, value]] of rows.entries()) sheet.text(LEFT + step * index, value);
    sheet.down();
    return;
  }
  const [start, end] = place === 'left' ? [LEFT, 260] : [MIDDLE, RIGHT];
  for (const [caption, value] of rows) {
    sheet.text(start, caption);
    sheet.text(end, value, { isRight: true });
    sheet.down(16);
  }
};

const foot = (sheet: Sheet, { head: place }: Layout, { supplier, language }: Charged): void => {
  sheet.down();
  sheet.text(LEFT, say(language, 'thanks'));
  if (place !== 'foot') return;
  sheet.to(800);
  sheet.text(LEFT, [supplier.name, ...supplier.address].join(', '), { size: 7 });
};
