import type { Line } from '../page.ts';
import { isOneOf, wordsIn } from './labels.ts';
import { ADDRESS_WORDS, PLACE_WORDS } from './vocabulary.ts';

/** How many lines make the head of a document, in which its issuer stands. */
export const HEAD = 14;

const STREET =
  /\b(?:jalan|jln|lorong|lot|taman|kampung|kg|persiaran|lebuh|lebuhraya|bandar|seksyen|section|street|st|road|rd|avenue|ave|boulevard|blvd|lane|ln|drive|dr|square|highway|hwy|floor|flr|level|suite|unit|block|blk|p\.?o\.? box|stra(?:ß|ss)e|platz|weg|allee|gasse|rue|place|calle|plaza|avenida|via|court|kawasan|wisma|batu)\b\.?|stra(?:ß|ss)e\b/i;
const HOUSE = /^(?:no\.?|lot\.?|unit|#)?\s*:?\s*\d+[\w/&.-]*\s*,|^(?:no|lot|unit)\b[\s.:]*[a-z]{0,2}[\d-]/i;
export const POSTCODE =
  /(?<![\w-])(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{4} ?[A-Z]{2})(?![\w-])/;
const OTHER =
  /(?:\b(?:tel|telephone|phone|fax|hp|gst|vat|tax|tax ?invoice|reg|roc|brn|ssm|invoice|receipt|inv|bill|date|cashier|table|email|e-mail|www|http|hotline|cash sales?|welcome|customer|order|doc|document|page|total|qty|operator|counter|member|salesperson|co\.? ?(?:no|reg)|company ?(?:no|reg)|thank|credit note|description|item)\b|@|\.com)/i;
const AMOUNT = /\d[.,]\d{2}\b(?!\d|[.,])/;

/** How many letters a text has. */
export const letters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length;

/** A text without the marks that recognition makes of a margin. */
export const cleaned = (text: string): string =>
  text
    .replace(/^[^\p{L}\p{N}(]+/u, '')
    .replace(/[^\p{L}\p{N}).,]+$/u, '')
    .trim();

/** Whether a line says something else of the issuer or the document: telephone, registration, title. */
export const isOther = (text: string): boolean =>
  (OTHER.test(text) && !HOUSE.test(text)) ||
  wordsIn(text).some((word) => isOneOf(word, ['invoice', 'receipt', 'cashier', 'telephone', 'simplified']));

/** Whether a line begins, or is, an address by itself. */
export const isAddress = (text: string): boolean => {
  const clean = cleaned(text);
  if (isOther(clean) || isAmount(clean)) return false;
  if (HOUSE.test(clean) && letters(clean) >= 2) return true;
  if (letters(clean) < 4) return false;
  if (/^(?:jalan|jln|lorong|rue|calle)\b/i.test(clean)) return true;
  return (STREET.test(clean) && /\d/.test(clean)) || (POSTCODE.test(clean) && /\p{L}{4}/u.test(clean));
};

/** Whether a line has words of addresses, as printed or almost so. */
export const soundsLikeAddress = (text: string): boolean =>
  STREET.test(text) ||
  wordsIn(text).some((word) => AREAS.includes(word) || (word.length > 6 && isOneOf(word, AREAS)));

/** Whether a line has the form of a sum of money. */
export const isAmount = (text: string): boolean => AMOUNT.test(text);

const AREAS = [...ADDRESS_WORDS.slice(0, 12), ...PLACE_WORDS];

/** The lines of a document's first page among which its issuer stands. */
export const headOf = (lines: readonly Line[]): readonly Line[] => {
  const first = lines[0]?.place;
  return lines
    .filter(({ place }) => place.fileId === first?.fileId && place.page === first.page)
    .filter(({ text }) => letters(text) > 1 || /\d/.test(text))
    .slice(0, HEAD);
};
