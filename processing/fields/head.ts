import type { Line } from '../page.ts';
import { type Candidate, candidate, legibility } from './candidate.ts';
import { datesIn } from './dates.ts';
import { wordsIn } from './labels.ts';

const HEAD = 12;

const LEGAL =
  /\b(?:sdn\.?\s*bhd|bhd|ltd|limited|llc|inc|corp|corporation|gmbh|ag|kg|s\.?a\.?r?\.?l?|plc|pty|b\.?v|pte|llp|co|company|enterprise|enterprises|trading|holdings?|group|international|industries|associates|partners)\b\.?/i;
const TRADE =
  /\b(?:restaurant|restoran|cafe|café|bistro|kopitiam|hotel|mart|market|supermarket|hypermarket|store|stores|shop|bakery|bakeries|pharmacy|farmasi|clinic|klinik|kedai|pasaraya|syarikat|perniagaan|hardware|stationery|books?|fashion|gallery|motors?|services?|station|petrol)\b/i;
const STREET =
  /\b(?:jalan|jln|lorong|lot|taman|kampung|kg|persiaran|lebuh|lebuhraya|bandar|seksyen|section|street|st|road|rd|avenue|ave|boulevard|blvd|lane|ln|drive|dr|square|sq|highway|hwy|floor|flr|level|suite|unit|block|blk|p\.?o\.? box|stra(?:ß|ss)e|str|platz|weg|allee|gasse|rue|place|calle|plaza|avenida|via|no|parade|court|kawasan|wisma|plaza|mall|batu|km)\b\.?/i;
const POSTCODE = /(?<![\d-])(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{4} ?[A-Z]{2})(?![\d-])/;
const OTHER =
  /(?:\b(?:tel|telephone|phone|fax|gst|vat|tax|reg|roc|brn|ssm|invoice|receipt|inv|bill|date|cashier|table|email|e-mail|www|http|hotline|cash sale|welcome|customer|order|doc|document|page|total|qty|operator|counter|member|salesperson)\b|@|\.com)/i;

/** Who issued a document: a line of its head that reads like a name, likelier with a legal form, early and clear. */
export const companyCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const head = lines.slice(0, HEAD);
  const address = head.findIndex(({ text }) => isAddress(text));
  return head.flatMap((line, index) => {
    const name = nameOf(line.text);
    if (!isName(name)) return [];
    const follows = head[index + 1];
    const suffix = follows && nameOf(follows.text);
    const joined = suffix && isSuffix(suffix) && !LEGAL.test(name) ? `${name} ${suffix}` : name;
    const likely =
      0.55 +
      (LEGAL.test(joined) ? 0.35 : TRADE.test(joined) ? 0.25 : 0) +
      (address < 0 || index < address ? 0.1 : -0.25) -
      0.03 * index -
      (legibility(line.words) < 0.5 ? 0.2 : 0);
    return [candidate(joined, Math.min(0.98, likely), line)];
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

const isAddress = (text: string): boolean =>
  !isOther(text) &&
  letters(text) >= 4 &&
  ((STREET.test(text) && /\d/.test(text)) ||
    (POSTCODE.test(text) && /\p{L}{4}/u.test(text)) ||
    /^(?:jalan|jln|lorong|rue|calle)\b/i.test(cleaned(text)));

const continuesAddress = (text: string): boolean =>
  !isOther(text) &&
  letters(text) >= 4 &&
  datesIn(text, 'day-first').length === 0 &&
  !/\d[.,]\d{2}\b/.test(text) &&
  !/^\W*\(/.test(text);

const isOther = (text: string): boolean => OTHER.test(text) && !/^\W*(?:no|lot)\b/i.test(text);

const isName = (text: string): boolean =>
  letters(text) >= 4 &&
  letters(text) >= text.length / 2 &&
  !OTHER.test(text) &&
  !isAddress(text) &&
  /\p{L}{3}/u.test(text);

const isSuffix = (text: string): boolean => LEGAL.test(text) && wordsIn(text).length <= 3;

/** A line without registration number and without the specks that recognition makes of a margin. */
const nameOf = (text: string): string =>
  cleaned(
    text
      .replace(/\s*\(?(?:\d[\dA-Z]{4,}\s?-?\s?[A-Z]?)\)?\W*$/, '')
      .replace(/\([^)]*$/, (rest) => (/\d/.test(rest) ? '' : rest)),
  );

const cleaned = (text: string): string =>
  text
    .replace(/^[^\p{L}\p{N}(]+/u, '')
    .replace(/[^\p{L}\p{N}).,]+$/u, '')
    .trim();
