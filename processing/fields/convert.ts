import type { FieldValue } from '../../domain/submission/processingResult.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { amountsIn, readAmount } from './amounts.ts';
import { datesIn, yearsFrom } from './dates.ts';
import type { Notation } from './notation.ts';
import { roleOf } from './role.ts';
import { vocabulary, wordsIn } from './words.ts';

/** A value in its field's type, and whether it may as well be another one: to be checked by a person. */
export type Converted = Readonly<{ value: FieldValue; isDoubtful: boolean }>;

/** No value. */
export const NONE: Converted = { value: null, isDoubtful: false };

type Field = Pick<OutputField, 'name' | 'label' | 'type'>;

/** A text as a value of a field, null when it is not one. */
export type Convert = (field: Field, text: string, notation: Notation) => Converted;

export const toText: Convert = (_field, text) => ({ value: text, isDoubtful: false });

export const toNumber: Convert = (field, text, given) => {
  const notation = isRate(field) ? { ...given, decimals: null } : given;
  return (
    readAmount(text.replace(/\s?%$/, ''), notation) ??
    readAmount(amountsIn(text).at(-1)?.text ?? '', notation) ??
    NONE
  );
};

export const toInteger: Convert = (_field, text, notation) => {
  // How many decimals the currency has tells nothing of a count: "1.000 pcs" may be one.
  const read = readAmount(text, { ...notation, decimals: null }) ?? NONE;
  return Number.isInteger(read.value) ? read : NONE;
};

/** Prices of a unit and rates have decimals that sums in their currency have not. */
const isRate = ({ name, label }: Field): boolean =>
  [...wordsIn(name), ...wordsIn(label ?? '')].some((word) => RATES.includes(word));

const RATES = vocabulary(
  'per pro je par por unit liter litre litro kwh kg km rate kurs exchange einzelpreis weight',
);

/** As `YYYY-MM-DD`. */
export const toDate: Convert = (field, text, notation) => {
  const [found] = datesIn(text, notation);
  if (!found) return NONE;
  const { iso: value, ambiguous, isDoubtful } = found;
  const isGuess = ambiguous && notation.order === 'unknown';
  return { value, isDoubtful: isGuess || isDoubtful || isFar(field, value, notation.today) };
};

/** Whether a day is further from today than what its field names is likely to be. */
const isFar = (field: Field, iso: string, today: string): boolean => {
  const years = yearsFrom(iso, today);
  if (roleOf(field) === 'date') return years < -20 || years > 1;
  const words = [...wordsIn(field.name), ...wordsIn(field.label ?? '')];
  return years < -120 || years > (words.some((word) => PAST.includes(word)) ? 0 : 20);
};

const PAST = vocabulary(
  'birth birthday born dob birthdate geburtsdatum geburtstag naissance nacimiento nascita',
);

const YES = vocabulary('true yes y ja oui si sí sì sim ya 1 x ✓ ✔ ☑ ☒ [x]');
const NO = vocabulary('false no n nein non não tidak 0 ☐ ✗ []');

export const toBoolean: Convert = (_field, text) => {
  const word = text.trim().toLowerCase().replaceAll(' ', '');
  return { value: YES.includes(word) ? true : NO.includes(word) ? false : null, isDoubtful: false };
};
