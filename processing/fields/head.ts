import type { Line } from '../page.ts';
import { type Candidate, candidate, legibility } from './candidate.ts';
import { datesIn } from './dates.ts';

const HEAD = 12;

/** Legal forms: a name ends with one. `SON BHD` is how recognition likes to read `SDN BHD`. */
const FORM =
  /\b(?:s[do0]n\.?\s*b[hn]d|bhd|ltd|limited|llc|inc|corp|corporation|gmbh|s\.?a\.?r\.?l|s\.a|plc|pty\.?\s*ltd|b\.?v|pte\.?\s*ltd|llp|ag)\b\.?(?!\s*&)/i;
const NAMELIKE =
  /\b(?:co|company|enterprises?|trading|holdings?|group|international|industries|associates|partners|syarikat|perniagaan|restaurant|restoran|cafe|café|hotel|mart|(?:super|hyper)?market|stores?|shop|bakery|bakeries|pharmacy|farmasi|clinic|klinik|kedai|pasaraya|hardware|stationery|books?|gallery|motors?|station)\b/i;
const STREET =
  /\b(?:jalan|jln|lorong|lot|taman|kampung|persiaran|lebuh|lebuhraya|bandar|seksyen|section|street|st|road|rd|avenue|ave|boulevard|blvd|lane|ln|drive|dr|square|highway|hwy|floor|flr|level|suite|unit|block|blk|p\.?o\.? box|stra(?:ß|ss)e|platz|weg|allee|gasse|rue|place|calle|plaza|avenida|via|court|kawasan|wisma|batu)\b\.?|stra(?:ß|ss)e\b/i;
const HOUSE = /^(?:no\.?|lot\.?|#)?\s*:?\s*\d+[\w/&.-]*\s*,|^(?:no|lot)\b[\s.:]*\d/i;
const POSTCODE = /(?<![\w-])(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{4} ?[A-Z]{2})(?![\w-])/;
const OTHER =
  /(?:\b(?:tel|telephone|phone|fax|gst|vat|tax|tax ?invoice|reg|roc|brn|ssm|invoice|receipt|inv|bill|date|cashier|table|email|e-mail|www|http|hotline|cash sale|welcome|customer|order|doc|document|page|total|qty|operator|counter|member|salesperson)\b|@|\.com)/i;

/** Who issued a document: a line of its head that reads like a name, likelier with a legal form, early and clear. */
export const companyCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const head = lines.slice(0, HEAD);
  const address = head.findIndex(({ text }) => isAddress(text));
  return head.flatMap((line, index) => {
    const next = head[index + 1];
    const own = nameOf(line.text);
    const form = next && !FORM.test(own) && isForm(next.text) ? ` ${nameOf(next.text)}` : '';
    if (!isName(own)) return [];
    const name = own + form;
    const likely =
      0.62 +
      (FORM.test(name) ? 0.3 : NAMELIKE.test(name) ? 0.2 : 0) +
      (address < 0 || index < address ? 0.1 : -0.25) -
      (legibility(line.words) < 0.5 ? 0.3 : 0.04 * index);
    return [candidate(name, Math.min(0.97, likely), line)];
  });
};

/** Where the issuer is: the lines of the head from the first that reads like an address to the last beside it. */
export const addressCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const head = lines.slice(0, HEAD + 4);
  const first = head.findIndex(({ text }) => isAddress(text));
  const start = head[first];
  if (!start) return [];
  const rest = head.slice(first + 1);
  const stop = rest.findIndex(({ text }) => !continuesAddress(text));
  const block = [start, ...rest.slice(0, stop < 0 ? rest.length : stop)].slice(0, MOST_LINES);
  const postcode = block.findIndex(({ text }) => POSTCODE.test(text));
  const kept = postcode < 0 ? block.slice(0, MOST_LINES - 1) : block.slice(0, postcode + 3);
  const text = kept.map((line) => cleaned(line.text)).join(' ');
  const words = kept.flatMap((line) => line.words);
  return [candidate(text, postcode < 0 ? 0.7 : 0.9, start, words)];
};

const MOST_LINES = 6;

const letters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length;

const isAddress = (text: string): boolean => {
  const clean = cleaned(text);
  if (isOther(clean) || AMOUNT.test(clean) || letters(clean) < 4) return false;
  if (/^(?:jalan|jln|lorong|rue|calle)\b/i.test(clean) || HOUSE.test(clean)) return true;
  return (STREET.test(clean) && /\d/.test(clean)) || (POSTCODE.test(clean) && /\p{L}{4}/u.test(clean));
};

const continuesAddress = (text: string): boolean =>
  !isOther(cleaned(text)) &&
  !AMOUNT.test(text) &&
  letters(text) >= 4 &&
  datesIn(text, 'day-first').length === 0 &&
  !/^\W*\(/.test(text);

const AMOUNT = /\d[.,]\d{2}\b/;

const isOther = (text: string): boolean => OTHER.test(text) && !HOUSE.test(text);

const isName = (text: string): boolean =>
  letters(text) >= 4 &&
  letters(text) >= text.length / 2 &&
  /\p{L}{3}/u.test(text) &&
  !isForm(text) &&
  !OTHER.test(text) &&
  !isAddress(text);

/** A legal form by itself belongs to the name above. */
const isForm = (text: string): boolean => FORM.test(text) && letters(text.replace(FORM, '')) < 4;

/** A line's name: up to its legal form, else without registration number and what recognition makes of a margin. */
const nameOf = (text: string): string => {
  const form = FORM.exec(text);
  if (form) return cleaned(text.slice(0, form.index + form[0].length));
  return cleaned(text.replace(/\s*\(?\d[\dA-Z]{4,}\s?-?\s?[A-Z]?\)?\W*$/, ''));
};

const cleaned = (text: string): string =>
  text
    .replace(/^[^\p{L}\p{N}(]+/u, '')
    .replace(/[^\p{L}\p{N}).,]+$/u, '')
    .trim();
