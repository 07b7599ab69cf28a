import { dateText, type Language, say, type Term } from './languages.ts';
import type { Luck } from './luck.ts';
import { linesOf } from './machineReadable.ts';
import type { Maker } from './paper.ts';
import { addressFrom, companyFrom, personFrom } from './parties.ts';
import { createSheet, type Sheet, stack } from './sheet.ts';

type Pair = readonly [term: Term, value: string];

const LEFT = 50;

/** Captions in a grid: above or beside their values, in so many columns. */
const grid = (
  sheet: Sheet,
  language: Language,
  pairs: readonly Pair[],
  columns: number,
  isAbove: boolean,
) => {
  const wide = (sheet.width - 2 * LEFT) / columns;
  for (let start = 0; start < pairs.length; start += columns) {
    const row = pairs.slice(start, start + columns);
    row.forEach(([term, value], column) => {
      const x = LEFT + wide * column;
      sheet.text(x, say(language, term), isAbove ? { size: 7.5 } : {});
      if (!isAbove) sheet.text(x + Math.min(140, wide / 2), value);
    });
    if (isAbove) {
      sheet.down(12);
      for (const [column, [, value]] of row.entries()) sheet.text(LEFT + wide * column, value);
    }
    sheet.rule(LEFT, sheet.width - LEFT);
    sheet.down(22);
  }
};

/** A form that was filled in. */
export const form: Maker = (luck, language) => {
  const person = personFrom(luck, language);
  const [birth, signed] = [luck.day(1955, 2004), luck.day(2024, 2026)];
  const truth = {
    fullName: `${person.given} ${person.surname}`,
    dateOfBirth: birth,
    nationality: person.nationality,
    address: addressFrom(luck, language).join(', '),
    phone: `0${luck.digits(3)} ${luck.digits(6)}`,
    email: `post${luck.digits(3)}@example.com`,
    employer: companyFrom(luck, language).name,
    dateSigned: signed,
  };
  const isLong = luck.chance(0.3);
  const pairs: readonly Pair[] = [
    ['name', truth.fullName],
    ['birth', dateText(language, birth, isLong)],
    ['nationality', truth.nationality],
    ['phone', truth.phone],
    ['email', truth.email],
    ['employer', truth.employer],
    ['address', truth.address],
    ['signed', dateText(language, signed, isLong)],
  ];
  const [columns, isAbove] = luck.pick([
    [1, true],
    [2, true],
    [1, false],
  ] as const);
  const sheet = createSheet('plain');
  stack(sheet, LEFT, [say(language, 'form')], { size: 15, isBold: true });
  sheet.down(20);
  grid(sheet, language, pairs, columns, isAbove);
  const layout = `${language}, ${columns} across, captions ${isAbove ? 'above' : 'beside'}`;
  return { pages: sheet.pages(), truth, layout };
};

/** An identity card of three machine-readable lines (TD1). */
export const idCard: Maker = (luck, language) => {
  const person = personFrom(luck, language);
  const [birth, expiry] = [luck.day(1955, 2004), luck.day(2027, 2034)];
  const documentNumber = cardNumber(luck);
  const sex = luck.pick(['M', 'F'] as const);
  const day = (iso: string): string => dateText(language, iso, false);
  const sheet = createSheet('plain', 420, 300);
  stack(sheet, LEFT, [say(language, 'card')], { size: 13, isBold: true });
  const pairs: readonly Pair[] = [
    ['surname', person.surname.toUpperCase()],
    ['givenNames', person.given.toUpperCase()],
    ['documentNumber', documentNumber],
    ['nationality', person.nationality],
    ['birth', day(birth)],
    ['sex', sex],
    ['expiry', day(expiry)],
  ];
  sheet.down(4);
  grid(sheet, language, pairs, 2, true);
  sheet.down(8);
  const typed = createSheet('typed', 420, 300);
  typed.to(sheet.y());
  stack(typed, LEFT, linesOf({ ...person, birth, expiry, documentNumber, sex }), { size: 14 });
  const [front, machine] = [sheet.pages()[0], typed.pages()[0]];
  return {
    pages: [{ width: 420, height: 300, marks: [...(front?.marks ?? []), ...(machine?.marks ?? [])] }],
    layout: `${language}, TD1`,
    truth: {
      ...{ surname: person.surname, givenNames: person.given, documentNumber },
      ...{ nationality: person.nationality, dateOfBirth: birth, expiryDate: expiry, sex },
    },
  };
};

const cardNumber = (luck: Luck): string =>
  `${luck.pick(['L', 'C', 'X', 'T'])}${luck.digits(2)}${luck.pick(['K', 'R', 'P'])}${luck.digits(5)}`;
