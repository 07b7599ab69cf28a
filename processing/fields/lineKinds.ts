import { legalFormIn } from './legalForm.ts';
import { captionText, isUsualCaption } from './synonyms.ts';
import { AREA_WORDS, PLACE_WORDS, TITLE_WORDS } from './vocabulary.ts';
import { foldLookalikes, hasAny, isAmong, wordsIn } from './words.ts';

const STREET =
  /\b(?:jalan|jln|jl|lorong|lrg|lot|taman|tmn|kampung|kg|persiaran|lebuh|lebuhraya|bandar|seksyen|sek|section|street|st|road|rd|avenue|ave|boulevard|blvd|lane|ln|drive|dr|square|highway|hwy|floor|flr|level|suite|unit|block|blk|p\.?o\.? box|stra(?:ß|ss)e|platz|weg|allee|gasse|rue|place|calle|plaza|avenida|via|court|kawasan|wisma|menara|kompleks|bangunan|batu|mall)\b\.?|stra(?:ß|ss)e\b|str\.(?= \d)/i;
/** A number next to a word of streets: "Jalan 5", "1st floor". */
const NUMBERED = new RegExp(
  `(?:${STREET.source})\\W{0,3}(?:no\\W*)?[a-z]{0,3}-?\\d|\\d\\w*\\W{1,2}(?:${STREET.source})`,
  'i',
);
const NUMBER = '#?[a-z]{0,2}[-.]?\\d[\\w/.-]*';
/** The number of a house, after its kind or before a comma. */
const HOUSE = new RegExp(
  `^(?:(?:n[o0]|lot|unit|pt|p\\.t|ptd|plot|shop|kiosk)\\b[\\s.:]*)?${NUMBER}(?:\\s*[,&]\\s*${NUMBER})*\\s*[,;](?!\\d)` +
    `|^(?:n[o0]|lot|unit|pt|p\\.t|ptd|plot|shop|kiosk)\\b[\\s.:]*${NUMBER}(?:[\\s,&]+${NUMBER})*[\\s,&]+\\p{L}{2}`,
  'iu',
);
/** A unit by itself. */
const UNIT =
  /^(?:(?:no|lot|unit)\b[\s.:]*)?[a-z]{0,3}[-. ]{0,2}\d{1,4}[a-z]?(?:[-.&/, ]+[a-z]{0,3}-?\d{1,4}[a-z]?){0,3}\W*$/i;
/** Numbers of plots have five digits too. */
const PLOT = /\b(?:lot|no|pt|p\.t|ptd|plot|unit|box)\b[\s.:]*[a-z]{0,2}-?\d+/gi;
const POSTCODE =
  /(?<![\w-])(?:\d{5}(?:-\d{4})?(?![\w-])|\d{5}(?=\p{L}{3})|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![\w-])|\d{4} ?[A-Z]{2}(?![\w-])|(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \d{4}(?![\w-]))|(?:singapore\W{1,3}|\bS ?\()\d{6}\b/iu;
/** Words of something else than a name or an address, anywhere. */
const SURELY =
  /(?:\b(?:tel|telephone|fax|gst|sst|roc|brn|ssm|cashier|e-?mail|www|https?|hotline|thank you|credit note|salesperson|(?:co|company)\.? ?(?:no|id|regn?|registration))\b|\S@\S{1,60}\.|\.com\b|invoice|receipt|cash ?(?:sales?|bill)\b)/i;
/** Words of something else before a mark or a number; elsewhere they may be words of a name. */
const PERHAPS =
  /\b(?:phone|hp|h\/p|vat|tax|reg|regn|registration|inv|bill|date|table|customer|order|doc|document|page|total|qty|operator|counter|member|description|item|served by|attn)\b\W{0,2}(?:no|nr|number|id|by|time)?\s*[:.#=\d]/i;
const WEAK =
  /\b(?:date|table|order|total|item|page|counter|member|bill|customer|operator|welcome|tax|reg|phone)\b/i;
const AMOUNT = /(?:^|\s|rm|\$|€|£)\d{1,3}(?:[.,]?\d{3})*[.,]\d{2}\W?\s*(?:\*|[a-z]{1,3})?$/i;
const PHONE = /^\W*\+?\(?\d{2,3}\)?[\s-]\W*\d{3,4}[\s-]?\d{3,5}\W*$/;

/** Words of the names of businesses without a legal form. */
export const TRADE =
  /\b(?:co|company|enterprises?|trading|holdings?|group|international|industries|associates|partners|syarikat|perniagaan|perusahaan|pasaraya|bros|brothers|sons)\b/i;
/** Kinds of businesses: in a name, or below one. */
export const KIND =
  /\b(?:restaurants?|restoran|kopitiam|warung|cafe|café|hotel|(?:mini ?|super ?|hyper ?)?mart|(?:super|hyper|mini)?market|pasar mini|stores?|shop|bakery|bakeries|pharmacy|farmasi|clinic|klinik|dental|kedai|butik|boutique|hardware|stationery|books?|bookshop|gallery|studio|motors?|auto|tyres?|workshop|station|petrol|bistro|kitchen|seafood|electrical|optical|salon|florist|furniture|fashion|jewellery|tailoring)\b/i;

/** The number of letters of a text. */
export const letters = (text: string): number => (text.match(/\p{L}/gu) ?? []).length;

/** A text without marks that were misread in a margin. */
export const cleaned = (text: string): string =>
  text
    .replace(/^[^\p{L}\p{N}(#]+/u, '')
    .replace(/[^\p{L}\p{N}).,]+$/u, '')
    .trim();

/** Whether a text has a postcode, not only the number of a plot. */
export const hasPostcode = (text: string): boolean => POSTCODE.test(text.replace(PLOT, ' '));

const TITLES = new Set(TITLE_WORDS.map(foldLookalikes));

/** Whether a line consists of words of titles and labels. */
export const isTitle = (text: string): boolean => {
  const all = wordsIn(text).filter((word) => /\p{L}/u.test(word));
  return all.length > 0 && all.every((word) => TITLES.has(foldLookalikes(word)));
};

/** Whether a line is something else of the issuer or the document: telephone, registration, title. */
export const isOther = (text: string): boolean =>
  isCaptionOfOther(text) ||
  SURELY.test(text) ||
  (isTitle(text) && !HOUSE.test(text)) ||
  PHONE.test(text) ||
  (PERHAPS.test(text) && !HOUSE.test(text) && !(KIND.test(text) && !/[:#=]/.test(text))) ||
  hasAny(wordsIn(text), ['invoice', 'receipt', 'cashier', 'telephone', 'simplified']);

/** "Company: Level 5 Studio" is no address; "Office: …" is. */
const isCaptionOfOther = (text: string): boolean => {
  const caption = /^([^:]{2,40}):\s/.exec(text)?.[1];
  return (
    caption !== undefined &&
    !/address|office|adresse|anschrift|alamat/i.test(caption) &&
    isUsualCaption(captionText(caption))
  );
};

/** Whether a text has words that are rare in names. */
export const mayBeOther = (text: string): boolean => WEAK.test(text);

/** Whether a line is, or starts, an address by itself. */
export const isAddress = (text: string): boolean => {
  const clean = cleaned(text);
  if (isOther(clean) || isAmount(clean)) return false;
  if (HOUSE.test(clean) && (letters(clean) >= 4 || /,$/.test(clean))) return true;
  if (letters(clean) < 4 || legalFormIn(clean) !== null) return false;
  if (/^(?:jalan|jln|lorong|rue|calle)\b/i.test(clean)) return true;
  if (hasPostcode(clean) && /\p{L}{4}/u.test(clean)) return true;
  if (/^\d{1,4}[a-z]? \p{L}.*,/iu.test(clean) && hasPlace(clean)) return true;
  if (!STREET.test(clean) || !/\d/.test(clean)) return false;
  const isName = (TRADE.test(clean) || KIND.test(clean)) && !/,|^\d/.test(clean);
  return !isName || NUMBERED.test(clean);
};

/** Whether a line has words of streets, possibly misread. */
export const hasStreet = (text: string): boolean =>
  STREET.test(text) || wordsIn(text).some((word) => isOneOf(word, AREA_WORDS));

/** Whether a line has a state or a town, possibly misread. */
export const hasPlace = (text: string): boolean => wordsIn(text).some((word) => isOneOf(word, PLACE_WORDS));

/** Whether a line starts with the number of a house. */
export const hasHouse = (text: string): boolean => HOUSE.test(cleaned(text));

/** Whether a line is only the number of a house or a unit. */
export const isUnit = (text: string): boolean => UNIT.test(cleaned(text)) && /\p{L}/u.test(text);

/** Whether a line ends in a sum of money. */
export const isAmount = (text: string): boolean =>
  AMOUNT.test(text) && !HOUSE.test(text) && !STREET.test(text);

const isOneOf = (word: string, vocabulary: readonly string[]): boolean =>
  vocabulary.includes(word) || (word.length > 6 && isAmong(word, vocabulary));
