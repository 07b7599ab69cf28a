import type { Random } from '../../nodes/random.ts';

export type Language = 'en' | 'de' | 'fr';
/** A value as it is printed, and as it is. */
export type Printed = Readonly<{ text: string; value: string | number }>;
/** How a document writes its numbers and dates. */
export type Notation = Readonly<{
  language: Language;
  american: boolean;
  before: string;
  behind: string;
  dateForm: number;
  negativeForm: number;
}>;

export const chance = (random: Random, probability: number): boolean => random.next() < probability;

export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random.next() * (most - least + 1));

export const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

/** Names that look like something else: numbers, months, addresses, words of labels. */
const ODD =
  `Amazon|Invoice Ninja|Tel Aviv Foods|Fax Express|Level 5 Studio|Block 16 Coffee|Acme ea44ae|Acme 12345|Route 66 Diner|Total Tools|May & June|7-Eleven 2041|
Date Palm Bakery|Studio 54|Tax Assist Ltd|Northgate Bank plc|3M|Müller & Söhne GmbH|L'Oréal Paris|No. 1 Fried Chicken|24 Hour Fitness|Bill Brown & Sons|Phone Shop 24|
Order of St John|Unit 9 Films|12 March Trading|High Street Books|Reference Books Ltd|Café de la Gare|Page One|Cheque Point|The Address Hotel|Due North|Store 24|
The Body Shop|Harbour Café Ltd|B&Q|H&M|Marks and Spencer plc|Account Ability Inc.|Code 9|A. Weber KG|SNCF Voyageurs|Bäckerei Schmidt|Receipt Bank|Customer First LLC|
Suite 16|Amount Software BV|Net Gain Ltd|Sum of Us|Mr. D.I.Y.|Sinar Maju Sdn Bhd|The Old Post Office|Paris Baguette|Hamburg Süd|August & Co|Monday Coffee|555 Timer|Gate 7`
    .split('|')
    .map((name) => name.trim());
const FIRST =
  'Blue Green North Silver Harbour Mill Quay Linden Orchard Castle River Summit Cedar Falcon Beacon Willow'.split(
    ' ',
  );
const SECOND =
  'Works Foods Bakery Traders Supplies Studio Motors Books Textiles Consulting Print Logistics Media Tools'.split(
    ' ',
  );
const FORMS = ['', '', '', ' Ltd', ' GmbH', ' plc', ' Inc.', ' & Sons', ' SARL', ' 24'];

export const companyName = (random: Random): string =>
  chance(random, 0.5)
    ? random.pick(ODD)
    : `${random.pick(FIRST)} ${random.pick(SECOND)}${random.pick(FORMS)}`;

const GIVEN = 'Kim Ada Jonas Marie April June Mark Grace Bill Rosa Olivier Dieter Wei Fatima'.split(' ');
const FAMILY =
  "Miller O'Brien Weber Dupont Street Tan Page Fields Price Nguyen Becker Laurent Smith-Jones May".split(' ');
export const personName = (random: Random): string => `${random.pick(GIVEN)} ${random.pick(FAMILY)}`;

const TEXTS =
  'Harbour works|Conference in Leeds|Site visit|Spring campaign|Client workshop|Warehouse refit|Route planning|Trade fair 2026|Team offsite'.split(
    '|',
  );
export const phrase = (random: Random): string => random.pick(TEXTS);

export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, (_, index) => between(random, index === 0 ? 1 : 0, 9)).join('');

export const identifier = (random: Random): string =>
  random.pick([
    () => `INV-${digits(random, 4)}`,
    () => digits(random, 6),
    () => `R${digits(random, 7)}`,
    () => `2026/${digits(random, 4)}`,
    () => `${digits(random, 3)}-${digits(random, 5)}-X`,
    () => `AB${digits(random, 3)}.${digits(random, 2)}`,
    () => `2026-${digits(random, 3)}`,
  ])();

const MONTHS: Readonly<Record<Language, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
};

const two = (number: number): string => String(number).padStart(2, '0');

/** A day of 2024 to 2027 in the document's notation. */
export const dateIn = (random: Random, { language, american, dateForm }: Notation): Printed => {
  const [year, month, day] = [between(random, 2024, 2027), between(random, 1, 12), between(random, 1, 28)];
  const value = `${year}-${two(month)}-${two(day)}`;
  const name = MONTHS[language][month - 1] ?? '';
  const short = name.slice(0, 3);
  const forms: Readonly<Record<string, readonly string[]>> = {
    american: [
      `${two(month)}/${two(day)}/${year}`,
      `${name} ${day}, ${year}`,
      value,
      `${short} ${day}, ${year}`,
    ],
    en: [
      `${two(day)}/${two(month)}/${year}`,
      `${day} ${name} ${year}`,
      value,
      `${two(day)}-${short}-${year}`,
      `${two(day)}.${two(month)}.${year}`,
    ],
    de: [`${two(day)}.${two(month)}.${year}`, `${day}. ${name} ${year}`, value, `${day}.${month}.${year}`],
    fr: [
      `${two(day)}/${two(month)}/${year}`,
      `${day} ${name} ${year}`,
      value,
      `${two(day)}.${two(month)}.${year}`,
    ],
  };
  const own = forms[american ? 'american' : language] ?? [];
  return { text: own[dateForm % own.length] ?? value, value };
};

const SEPARATORS: Readonly<Record<Language, readonly [group: string, decimal: string]>> = {
  en: [',', '.'],
  de: ['.', ','],
  fr: [' ', ','],
};

/** A sum of money in the document's notation. */
export const moneyOf = (notation: Notation, value: number): Printed => {
  const { language, before, behind, negativeForm } = notation;
  const [group, decimal] = SEPARATORS[language];
  const [whole = '', cents = ''] = Math.abs(value).toFixed(2).split('.');
  const plain = `${whole.replace(/\B(?=(\d{3})+$)/g, group)}${decimal}${cents}`;
  const sum = `${before}${plain}${behind}`;
  if (value >= 0) return { text: sum, value };
  const forms = [
    `-${sum}`,
    `${before}-${plain}${behind}`,
    `${before}${plain}-${behind}`,
    `(${sum})`,
    `${sum} CR`,
    `−${sum}`,
  ];
  return { text: forms[negativeForm % forms.length] ?? sum, value };
};

export const sumBetween = (random: Random, least: number, most: number): number =>
  between(random, least * 100, most * 100) / 100;

export const notationFor = (random: Random, language: Language): Notation => {
  const american = language === 'en' && chance(random, 0.25);
  const sides: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    american: [
      ['$', ''],
      ['US$ ', ''],
      ['', ' USD'],
      ['', ''],
    ],
    en: [
      ['£', ''],
      ['£', ''],
      ['RM ', ''],
      ['RM', ''],
      ['€', ''],
      ['', ' GBP'],
      ['', ''],
    ],
    de: [
      ['', ' €'],
      ['', ' EUR'],
      ['EUR ', ''],
      ['€ ', ''],
      ['', ''],
    ],
    fr: [
      ['', ' €'],
      ['', ' EUR'],
      ['', '€'],
      ['', ''],
    ],
  };
  const [before = '', behind = ''] = random.pick(sides[american ? 'american' : language] ?? []);
  return {
    language,
    american,
    before,
    behind,
    dateForm: between(random, 0, 9),
    negativeForm: between(random, 0, 9),
  };
};
