import type { OutputField } from '../../domain/workflow.ts';
import { type FieldType, fieldTypes } from '../../fieldTypes/all.ts';
import type { Word } from '../page.ts';
import type { Mark } from './captions.ts';
import { type Convert, NONE, toBoolean, toDate, toInteger, toNumber, toText } from './convert.ts';
import { dateFromJson, numberFromJson, textFromJson } from './jsonText.ts';
import type { Notation } from './notation.ts';
import {
  booleanValueIn,
  dateValueIn,
  emptyBox,
  firstWords,
  numberValueIn,
  type TypedValue,
  textValueIn,
  type ValueIn,
} from './typedValue.ts';

/** How values of a type are read. */
type Reading = Readonly<{
  /** In the words beside a label. */
  valueIn: ValueIn;
  /** A text that was found, as a value; null when it is not one. */
  convert: Convert;
  /** A text in a JSON document, without spaces around it, as a value. */
  fromJson: Convert;
}>;

/**
 * By type of field. It is not in their records (fieldTypes/), which the service and the command line load:
 * only processes that read documents load this.
 */
export const readings: Readonly<Record<FieldType, Reading>> = {
  string: { valueIn: textValueIn, convert: toText, fromJson: textFromJson },
  number: { valueIn: numberValueIn, convert: toNumber, fromJson: numberFromJson(toNumber) },
  integer: { valueIn: numberValueIn, convert: toInteger, fromJson: numberFromJson(toInteger) },
  boolean: { valueIn: booleanValueIn, convert: toBoolean, fromJson: toBoolean },
  table: { valueIn: () => null, convert: () => NONE, fromJson: () => NONE },
  date: { valueIn: dateValueIn, convert: toDate, fromJson: dateFromJson },
};

/** A text as a value of a field's type, null when it is not one. */
export const convert: Convert = (field, text, notation) =>
  readings[field.type].convert(field, text, notation);

/** The value of a field's type in the words beside its label; null where there is none. */
export const typedValueIn = (
  field: OutputField,
  words: readonly Word[],
  mark: Mark,
  notation: Notation,
): TypedValue | null => {
  const box = fieldTypes[field.type].schema.type === 'boolean' ? emptyBox(words) : null;
  const first = firstWords(words);
  if (box || first.length === 0) return box;
  const bar = first.findIndex(({ text }) => text === '|');
  if (bar > 0) return typedValueIn(field, first.slice(0, bar), mark, notation);
  return readings[field.type].valueIn(field, { words, first, mark, notation });
};
