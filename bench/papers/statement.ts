import { plain } from './charged.ts';
import { amountText, currencyOf, dateText, say } from './languages.ts';
import { daysAfter } from './luck.ts';
import type { Maker } from './paper.ts';
import { addressFrom, companyFrom, from, personFrom } from './parties.ts';
import { createSheet, stack } from './sheet.ts';

const [LEFT, RIGHT] = [50, 545];

/** A bank's statement of an account over a month. */
export const statement: Maker = (luck, language) => {
  const bank = from(luck, language, 'banks');
  const { given, surname } = personFrom(luck, language);
  const holder = `${given} ${surname}`;
  const first = `${luck.day(2024, 2026).slice(0, 7)}-01`;
  const last = daysAfter(first, 27);
  const account = luck.digits(10);
  const opening = luck.whole(5_000, 900_000);
  const rows = Array.from({ length: luck.whole(3, 45) }, (_, index) => ({
    date: daysAfter(first, Math.min(27, Math.floor(index * 0.6))),
    text: companyFrom(luck, language).name,
    amount: (luck.chance(0.3) ? 1 : -1) * luck.whole(500, 60_000),
  }));
  const closing = rows.reduce((sum, { amount }) => sum + amount, opening);
  const day = (iso: string): string => dateText(language, iso, false);
  const isBox = luck.chance(0.5);
  const sheet = createSheet('plain');
  stack(sheet, LEFT, [bank], { size: 14, isBold: true });
  stack(sheet, LEFT, addressFrom(luck, language));
  sheet.down();
  stack(sheet, LEFT, [say(language, 'statement')], { size: 13, isBold: true });
  sheet.down();
  const pairs = [
    [say(language, 'holder'), holder],
    [say(language, 'account'), account],
    [say(language, 'statementDate'), day(last)],
    [say(language, 'period'), `${day(first)} - ${day(last)}`],
    [say(language, 'opening'), `${amountText(language, opening)} ${currencyOf[language]}`],
    ...(isBox
      ? [[say(language, 'closing'), `${amountText(language, closing)} ${currencyOf[language]}`]]
      : []),
  ];
  for (const [caption = '', value = ''] of pairs) {
    sheet.text(LEFT, isBox ? caption : `${caption}: ${value}`);
    if (isBox) sheet.text(LEFT + 150, value);
    sheet.down();
  }
  sheet.down();
  for (const { date, text, amount } of rows) {
    if (!sheet.hasRoom(40)) sheet.turn();
    sheet.text(LEFT, day(date));
    sheet.text(LEFT + 80, text);
    sheet.text(RIGHT, amountText(language, amount), { isRight: true });
    sheet.down();
  }
  sheet.rule(LEFT, RIGHT);
  sheet.down(20);
  sheet.text(LEFT, say(language, 'closing'), { isBold: true });
  sheet.text(RIGHT, amountText(language, closing), { isRight: true, isBold: true });
  return {
    pages: sheet.pages(),
    layout: `${language}, ${isBox ? 'columns' : 'colons'}`,
    truth: {
      ...{ issuer: bank, accountHolder: holder, accountNumber: account, statementDate: last },
      ...{ openingBalance: plain(opening), closingBalance: plain(closing) },
      entries: rows.map(({ date, text, amount }) => ({ date, description: text, amount: plain(amount) })),
    },
  };
};
