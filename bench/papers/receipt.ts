import { plain } from './charged.ts';
import { amountText, dateText, say } from './languages.ts';
import type { Maker } from './paper.ts';
import { companyFrom, from } from './parties.ts';
import { createSheet, stack } from './sheet.ts';

const [LEFT, RIGHT] = [30, 250];

/** A till's receipt. */
export const receipt: Maker = (luck, language) => {
  const { name, address } = companyFrom(luck, language);
  const date = luck.day(2024, 2026);
  const rows = Array.from({ length: luck.whole(1, 12) }, () => ({
    text: from(luck, language, 'goods'),
    amount: luck.whole(90, 9_000),
  }));
  const total = rows.reduce((sum, { amount }) => sum + amount, 0);
  const cash = luck.chance(0.5) ? Math.ceil(total / 1_000) * 1_000 : null;
  const sheet = createSheet(
    luck.pick(['typed', 'plain']),
    280,
    260 + 14 * (rows.length + address.length + 10),
  );
  const row = (caption: string, cents: number, isBold = false): void => {
    sheet.text(LEFT, caption, { isBold });
    sheet.text(RIGHT, amountText(language, cents), { isRight: true, isBold });
    sheet.down();
  };
  stack(sheet, LEFT, [name], { size: 12, isBold: true });
  stack(sheet, LEFT, address);
  sheet.down();
  stack(sheet, LEFT, [say(language, 'receipt')], { isBold: true });
  const time = `${luck.whole(8, 19)}:${luck.whole(10, 59)}`;
  stack(sheet, LEFT, [`${say(language, 'date')}: ${dateText(language, date, false)} ${time}`]);
  sheet.down();
  for (const { text, amount } of rows) row(text, amount);
  sheet.rule(LEFT, RIGHT);
  sheet.down();
  row(say(language, 'total'), total, true);
  if (cash !== null) {
    row({ en: 'Cash', us: 'Cash', de: 'Bar', fr: 'Espèces', ms: 'Tunai', es: 'Efectivo' }[language], cash);
    row(
      { en: 'Change', us: 'Change', de: 'Rückgeld', fr: 'Rendu', ms: 'Baki', es: 'Cambio' }[language],
      cash - total,
    );
  }
  sheet.down();
  stack(sheet, LEFT, [say(language, 'thanks')]);
  return {
    pages: sheet.pages(),
    layout: `${language}, till`,
    truth: {
      ...{ company: name, date, address: address.join(', '), total: plain(total) },
      items: rows.map(({ text, amount }) => ({ description: text, amount: plain(amount) })),
    },
  };
};
