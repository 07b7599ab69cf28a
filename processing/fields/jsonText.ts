import { typeFaults } from '../../schemas/fieldValues.ts';
import { unsafeJsonFaults } from '../../schemas/unsafeJson.ts';
import { letterCertainty } from '../characters.ts';
import { parseAmount } from './amounts.ts';
import { type Convert, NONE, toDate } from './convert.ts';
import { isOtherNumber, isWholeDate } from './typedValue.ts';

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export const textFromJson: Convert = (_field, text) => ({
  value: text,
  isDoubtful: letterCertainty(text) < 1 || BRACKETED.test(text),
});

/** As in a form that was not filled in: "<company>". */
const BRACKETED = /^(?:<.*>|\[.*\]|%\w+%|your .{0,40}\bname)$/i;

/** A date is a value only as a whole. */
export const dateFromJson: Convert = (field, text, notation) =>
  isWholeDate(text, notation) ? toDate(field, text, notation) : NONE;

/**
 * A text that is a number in JSON is that number; any other is a value only as a whole, read by `convert`.
 */
export const numberFromJson =
  (convert: Convert): Convert =>
  (field, text, notation) => {
    if (!JSON_NUMBER.test(text)) {
      if (parseAmount(text.replace(/\s?%$/, '')) === null) return NONE;
      const { value, isDoubtful } = convert(field, text, notation);
      return { value, isDoubtful: isDoubtful || isOtherNumber(field, text, text) };
    }
    const value = Number(text);
    const isKept = unsafeJsonFaults(text).length === 0 && typeFaults(field.type, value).length === 0;
    return isKept ? { value, isDoubtful: false } : NONE;
  };
