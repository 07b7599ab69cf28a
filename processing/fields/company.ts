import type { Line } from '../page.ts';
import { type Candidate, candidate, doubtful, legibility, wordsWithin } from './candidate.ts';
import { isFormAlone, isGeneral, type Name, nameOf, partOf } from './companyNames.ts';
import { legalFormIn } from './legalForm.ts';
import { letterheadOf } from './letterhead.ts';
import {
  hasHouse,
  hasPlace,
  hasPostcode,
  hasStreet,
  isAddress,
  KIND,
  letters,
  mayBeOther,
  TRADE,
} from './lineKinds.ts';
import { startsWithCaption } from './synonyms.ts';
import { KIND_WORDS } from './vocabulary.ts';
import { wordsIn } from './words.ts';

/** The possible issuers: lines of the letterhead like a name, likelier with a legal form and early. */
export const companyCandidates = (lines: readonly Line[]): readonly Candidate[] => {
  const head = letterheadOf(lines);
  const hasPlace = addressStart(head) >= 0;
  const sender = senderIn(head);
  const names = namesIn(head).map(({ name, likelihood, line }) => {
    const one = candidate(name.text, Math.min(BEST, likelihood), line, name.words);
    const isPlain = name.form || hasPlace || isTrade(name.text);
    // After a caption a name may be another's: "Client Harbour Ltd".
    return isPlain && !isCaptioned(line.text) && sender === null ? one : doubtful(one);
  });
  return sender === null ? names : [...senderName(sender), ...names];
};

/**
 * The line of the sender above the window of an envelope ("ACME Ltd · 1 Mill Road · York"); null without one.
 * The names below it are the addressee's.
 */
const senderIn = (head: readonly Line[]): Line | null => {
  const [top, ...below] = head;
  if (!top || letters(top.text) < SENDER || !below.some(({ text }) => isAddress(text))) return null;
  const isGlued = top.words.some(({ text }) => text.length >= SENDER && /\p{L}\d+\p{L}/u.test(text));
  return isGlued || (hasPostcode(top.text) && PARTED.test(top.text) && !/^\W*\d/.test(top.text)) ? top : null;
};

/** A sender's line has more letters. */
const SENDER = 20;
const PARTED = /\s*[·•|]\s*|\s[-–—]\s|\.\.|,\s/;

const senderName = (line: Line): readonly Candidate[] => {
  const text = line.text.split(PARTED)[0]?.trim() ?? '';
  const words = wordsWithin(line.words, 0, text.length);
  return isAddress(text) || letters(text) < 4 || text === line.text
    ? []
    : [candidate(text, BEST, line, words)];
};

/** "ACME Trading": a name of few words that ends with a usual word for a business. */
const isTrade = (text: string): boolean =>
  wordsIn(text).length <= 4 && TRADE.test(text.slice(text.lastIndexOf(' ') + 1));

const isCaptioned = (text: string): boolean => /^[^:]{2,40}:\s/.test(text) || startsWithCaption(text);

/** The likeliest name of a letterhead's issuer, from its first line to its last; null without any. */
export const likeliestName = (head: readonly Line[]): Found | null =>
  namesIn(head).reduce<Found | null>((a, b) => (a && rank(a) >= rank(b) ? a : b), null);

/** The line where a letterhead's address starts; a first line like one may be the name. */
export const addressStart = (head: readonly Line[]): number => {
  const top = head.findIndex(({ text, words }) => letters(text) >= 4 && legibility(words) >= 0.4);
  const [first = '', second = ''] = head.slice(top, top + 2).map(({ text }) => text);
  const isName = !first.includes(',') && !hasPostcode(first) && hasHouse(second);
  return head.findIndex(({ text }, index) => isAddress(text) && !(isName && index <= top));
};

const BEST = 0.97;

type Found = Readonly<{ name: Name; likelihood: number; line: Line; first: number; last: number }>;

const rank = ({ likelihood, name }: Found): number => likelihood * (1 + legibility(name.words));

const namesIn = (head: readonly Line[]): readonly Found[] => {
  const address = addressStart(head);
  const names = head.map((line, index) =>
    index < address && isAddress(line.text) ? partOf(line) : nameOf(line),
  );
  return head.flatMap((line, index): readonly Found[] => {
    const own = names[index];
    if (!own) return [];
    const { name, last } = withNext(own, head, index);
    const above = names.slice(0, index).filter((one) => one !== null);
    const isEarly = address < 0 || index < address || restates(name, above);
    const likelihood =
      0.66 +
      kindOf(name) +
      (isEarly ? 0.1 : -0.25) -
      doubts(name, line, head[index + 1]) -
      0.07 * above.length;
    return [{ name, likelihood, line, first: index, last }];
  });
};

/** Whether a legal name completes a name above: "GREEN KITCHEN" … "GREEN KITCHEN SDN BHD". */
const restates = ({ text, form }: Name, above: readonly Name[]): boolean =>
  form && above.some((one) => letters(one.text) >= 6 && lettersOf(text).startsWith(lettersOf(one.text)));

const lettersOf = (text: string): string => wordsIn(text.toLowerCase()).join('');

const kindOf = ({ text, form }: Name): number => {
  if (form) return 0.28;
  if (isGeneral(text)) return 0;
  return TRADE.test(text) ? 0.2 : KIND.test(text) ? 0.08 : 0;
};

const doubts = (name: Name, line: Line, next: Line | undefined): number => {
  const { text, form } = name;
  const isKind = form || TRADE.test(text) || KIND.test(text);
  const isSmall = text === text.toLowerCase();
  const weights: readonly (readonly [is: boolean, weight: number])[] = [
    [!isKind && hasStreet(text), 0.3],
    [!isKind && !hasStreet(text) && hasPlace(text), 0.1],
    [!isKind && mayBeOther(text), 0.15],
    [!form && SENTENCE.test(text), 0.15],
    [OF_ANOTHER.test(line.text), 0.5],
    [isSmall && next !== undefined && next.text === next.text.toUpperCase(), 0.2],
    [letters(text) < 4, 0.15],
    [legibility(line.words.filter((word) => legalFormIn(word.text) === null)) < 0.4, 0.25],
  ];
  return weights.reduce((sum, [is, weight]) => (is ? sum + weight : sum), 0);
};

const SENTENCE =
  /\b(?:your|you|our|we|every|since|always|best|better|great|enjoy|trusted|quality|dealers?|specialist|suppliers? of|pembekal|pemborong|certified)\b/i;
const OF_ANOTHER =
  /\b(?:owned|managed|operated|licensed|powered) by\b|\bformerly\b|\bmember of\b|\bsubsidiary of\b|\bdivision of\b|\b(?:bill|ship|sold|deliver) to\b|^\W*m\/s\b|^\W*(?:attn|to|messrs)\W/i;

/** A name with the line below, where that is its rest. */
const withNext = (name: Name, head: readonly Line[], index: number): Pick<Found, 'name' | 'last'> => {
  const next = head[index + 1];
  if (!next || name.form) return { name, last: index };
  const rest = partOf(next);
  const and = /\s*&(?=\W*$)/.exec(head[index]?.text ?? '')?.[0] ?? '';
  const isKind = wordsIn(name.text).every((word) => KIND_WORDS.includes(word));
  const isRest =
    isFormAlone(next.text) ||
    (((isKind && !isGeneral(rest.text)) || and !== '') && nameOf(next) !== null) ||
    /^(?:enterprise|trading|company|s\/b)\W*$/i.test(rest.text);
  if (!isRest) return { name, last: index };
  return {
    name: { text: `${name.text}${and} ${rest.text}`, form: rest.form, words: [...name.words, ...rest.words] },
    last: index + 1,
  };
};
