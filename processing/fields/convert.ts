import type { FieldValue } from '../../domain/submission/processingResult.ts';
import type { OutputField } from '../../domain/workflow.ts';
import { amountsIn, parseAmount } from './amounts.ts';
import { datesIn, type Order } from './dates.ts';

/** A text as a value of a field's type, or null when it is none. Dates become `YYYY-MM-DD`. */
export const convert = (type: OutputField['type'], text: string, order: Order): FieldValue => {
  switch (type) {
    case 'string':
      return text;
    case 'date':
      return datesIn(text, order)[0]?.iso ?? null;
    case 'number':
      return parseAmount(text.replace(/\s?%$/, '')) ?? amountsIn(text).at(-1)?.value ?? null;
    case 'integer': {
      const value = parseAmount(text);
      return Number.isInteger(value) ? value : null;
    }
    case 'boolean':
      return toBoolean(text.trim().toLowerCase());
  }
};

const toBoolean = (text: string): boolean | null => {
  if (['true', 'yes', 'y', 'ja', 'oui', 'si', 'ya', '1', 'x', '✓', '☑', '[x]'].includes(text)) return true;
  return ['false', 'no', 'n', 'nein', 'non', 'tidak', '0', '☐', '[ ]'].includes(text) ? false : null;
};
