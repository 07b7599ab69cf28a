import { dateText, type Language, say } from './languages.ts';
import type { Maker } from './paper.ts';
import { companyFrom, customerFrom, from } from './parties.ts';
import { createSheet, stack } from './sheet.ts';

const LEFT = 60;

const BODY: Readonly<Record<Language, readonly [text: string, end: string]>> = {
  en: ['We write about your order of', 'Yours faithfully'],
  us: ['We are writing about your order of', 'Sincerely'],
  de: ['wir schreiben Ihnen wegen Ihrer Bestellung', 'Mit freundlichen Grüßen'],
  fr: ['Nous vous écrivons au sujet de votre commande', 'Cordialement'],
  ms: ['Kami merujuk kepada pesanan anda untuk', 'Yang benar'],
  es: ['Le escribimos acerca de su pedido de', 'Atentamente'],
};

/** A business letter. */
export const letter: Maker = (luck, language) => {
  const [sender, to] = [companyFrom(luck, language), customerFrom(luck, language)];
  const date = luck.day(2024, 2026);
  const reference = `${luck.pick(['AB', 'KL', 'ST'])}/${luck.digits(5)}`;
  const goods = from(luck, language, 'goods');
  const subject = `${say(language, 'order')} ${luck.digits(6)}`;
  const [body, end] = BODY[language];
  const sheet = createSheet(luck.pick(['plain', 'typed']));
  stack(sheet, LEFT, [sender.name], { size: 13, isBold: true });
  stack(sheet, LEFT, sender.address);
  sheet.down(24);
  stack(sheet, LEFT, [to.name, ...to.address]);
  sheet.down(24);
  stack(sheet, LEFT, [`${say(language, 'reference')}: ${reference}`]);
  stack(sheet, LEFT, [`${say(language, 'date')}: ${dateText(language, date, luck.chance(0.6))}`]);
  sheet.down();
  stack(sheet, LEFT, [`${say(language, 'subject')}: ${subject}`], { isBold: true });
  sheet.down();
  stack(sheet, LEFT, [say(language, 'greeting'), '', `${body} ${goods}.`, '', end, '', sender.name]);
  return {
    pages: sheet.pages(),
    layout: `${language}, letter`,
    truth: { sender: sender.name, date, reference, subject },
  };
};
