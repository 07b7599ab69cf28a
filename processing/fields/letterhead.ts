import { onceFor } from '../../kernel/once.ts';
import { runsOf } from '../../kernel/runsOf.ts';
import { isSamePage, type Line, type Word, withWords } from '../page.ts';
import { hasDate } from './dates.ts';
import { type Cell, type Layout, layoutOf } from './layout.ts';
import { isOther, isTitle, letters } from './lineKinds.ts';

const MAX_LINES = 14;
/** No name or address has more characters. */
const MAX_LENGTH = 300;
/** The gap between columns, in heights of a line. */
const COLUMN_GAP = 4;

/** The start of something else in the line of a name or an address. */
const ASIDE =
  /[\s([{|/,-]{0,3}(?:\b(?:no\.?\s*)?(?:tel|telephone|fax|phone|h\/?p|gst|sst|vat|roc|brn|ssm|e-?mail|(?:(?:co|company|business)\.?\s*)?reg(?:n|istration)?|co\.?\s*no|company\s*no|date)\b\.?\s*(?:\/?\s*fax|id|no|reg)?\b[\s.]*[:#=(\d]|\b(?:gst|sst|roc|brn|ssm)\s+(?:id|no|reg)\b|\b(?:https?:|www\.)|\S{1,60}@\S|\b[tf]\s*:\s*[+(\d])/i;
const CAPTION =
  /^\W*(?:(?:company |store |business |registered |regd\.? )?(?:address|addr|office)|alamat|hq|h\.q\.?|head ?office|outlet|from|sold by|issued by|supplier|seller)\s*[:.]+\s*|^\W*(?:welcome to|by)\s+(?=\S)/i;

/**
 * The first lines of a document's first page, with its issuer, but without what is beside it: telephone
 * numbers, captions, and columns of something else. A second column follows the first.
 */
export const letterheadOf = onceFor((lines: readonly Line[]): readonly Line[] => {
  const first = lines[0]?.place;
  const head = lines
    .filter(({ place }) => first && isSamePage(place, first))
    .filter(({ text }) => letters(text) > 1 || /\d/.test(text))
    .slice(0, MAX_LINES)
    .map((line) => (line.text.length > MAX_LENGTH ? between(line, 0, MAX_LENGTH) : line));
  const layout = layoutOf(head);
  const columns = head.map((line) => columnsOf(line, layout).map(withoutNoise).map(bare));
  const [left, right] = [columns.flatMap((own) => own.slice(0, 1)), columns.flatMap((own) => own.slice(1))];
  const [own, other] = [aboveCustomer(left), aboveCustomer(right)];
  // A column that begins with the customer is the customer's, where another one is not.
  return own === null && other === null ? [...left, ...right] : [...(own ?? []), ...(other ?? [])];
});

/** The start of a line above the customer. */
export const CUSTOMER =
  /^\W*(?:(?:(?:billed|bill|shipped|ship|sold|delivered|deliver|delivery|invoice) to|rechnung an|lieferung an|factur[ée] [àa]|livr[ée] [àa]|facturar a|facturado a|enviar a|(?:dibilkan )?kepada)(?!\p{L})|(?:customer|client|buyer|m\/s|messrs|attn|attention|kunde|käufer|acheteur|cliente|comprador|pelanggan|pembeli)(?!\p{L})\s*(?:name)?\s*[:.])/iu;

/** The lines above the customer, where there are any; null where it is the first. */
const aboveCustomer = (lines: readonly Line[]): readonly Line[] | null => {
  const customer = lines.findIndex(({ text }) => CUSTOMER.test(text));
  if (customer === 0) return null;
  const above = lines.slice(0, Math.max(0, customer));
  return above.some(({ text }) => letters(text) > 2 && !isOther(text)) ? above : lines;
};

/** A line's columns, each without cells of something else beside others. */
const columnsOf = (line: Line, layout: Layout): readonly Line[] => {
  const cells = layout.cellsOf(line);
  if (cells.length < 2) return [line];
  const isNear = (before: Cell, { spot }: Cell): boolean =>
    spot.left - before.spot.right < COLUMN_GAP * (spot.bottom - spot.top);
  return runsOf(cells, isNear).map((column) => {
    const kept = column.filter(({ text }, index) => !isAside(text, index));
    const words = (kept.length > 0 ? kept : column).flatMap(({ parts }) => parts.map(({ word }) => word));
    return withWords(line, words);
  });
};

const isAside = (text: string, index: number): boolean =>
  isOther(text) ||
  hasDate(text) ||
  (index > 0 && letters(text) < 4 && /\d{3}|[.:#]/.test(text) && !/^\d{5}$/.test(text));

/** A line without marks of a logo, a fold or a margin at its ends. */
const withoutNoise = (line: Line): Line => {
  const isCapital = letters(line.text) > 4 * (line.text.match(/\p{Ll}/gu) ?? []).length;
  const isText = (word: Word): boolean => !isNoise(word, isCapital);
  const [first, last] = [line.words.findIndex(isText), line.words.findLastIndex(isText)];
  if (first < 0 || (first === 0 && last === line.words.length - 1)) return line;
  return withWords(line, line.words.slice(first, last + 1));
};

const isNoise = ({ text, confidence }: Word, isCapital: boolean): boolean => {
  const count = (text.match(/[\p{L}\p{N}]/gu) ?? []).length;
  if (count === 0) return text !== '&' || confidence < DOUBTED;
  return count < 3 && (confidence < UNSURE || (isCapital && confidence < DOUBTED && /\p{Ll}/u.test(text)));
};

const UNSURE = 0.45;
const DOUBTED = 0.75;

/** A line without its caption and without something else after. */
const bare = (line: Line): Line => {
  const start = CAPTION.exec(line.text)?.[0].length ?? 0;
  const end = ASIDE.exec(line.text)?.index ?? line.text.length;
  const rest = line.text.slice(start, end);
  const isCut = letters(rest) > 2 && !isTitle(rest);
  return start === 0 && (!isCut || end === line.text.length)
    ? line
    : between(line, start, isCut ? end : line.text.length);
};

/** A range of a line's text, its words shortened to it. */
const between = (line: Line, start: number, end: number): Line => {
  let at = 0;
  const words = line.words.flatMap((word) => {
    const from = at;
    at += word.text.length + 1;
    const text = word.text.slice(Math.max(0, start - from), Math.max(0, end - from));
    return text === '' ? [] : [{ ...word, text }];
  });
  return withWords(line, words);
};
