import type { OutputField } from '../../domain/workflow.ts';
import { textOf, type Word } from '../page.ts';
import { ownPhrases, phrasesOf, shortPhrasesOf, synonymsOf } from './synonyms.ts';
import { isIdentifier } from './typedValue.ts';
import { foldedSimilarity, foldLookalikes, spelled, vocabulary, wordsIn } from './words.ts';

/** A label at the start of some words: of how many, and how certainly (0 to 1). */
type Match = Readonly<{ count: number; score: number }>;

/** Finds a field's label: `whole` scores a caption (0 to 1), `leading` finds the label at the start. */
export type LabelMatcher = Readonly<{
  whole: (caption: readonly Word[]) => number;
  leading: (words: readonly Word[]) => Match | null;
}>;

type Phrase = Readonly<{ words: readonly string[]; score: number }>;
/** A folded part of the printed word with an index. */
type Piece = Readonly<{ text: string; word: number; isRecognised: boolean }>;

const MAX_PHRASES = 40;
const MAX_PIECES = 16;

/** Finds the labels of a field: its own, and synonyms that are no label of another field. */
export const labelMatcher = (field: OutputField, fields: readonly OutputField[]): LabelMatcher => {
  const phrases = phrasesFor(field, fields);
  const isOther = !isIdentifier(field);
  return {
    whole: (caption) => {
      const all = captionOf(caption);
      const scores = [all, withoutArticle(all), ...alternatives(caption)].map((pieces, index) =>
        pieces.length === 0 ? 0 : bestOf(phrases, pieces, isOther) * (index === 1 ? NEARLY : 1),
      );
      return Math.max(...scores);
    },
    leading: (words) => {
      const pieces = piecesOf(words).slice(0, MAX_PIECES);
      const found = phrases.flatMap(({ words: own, score }) => {
        const last = pieces[own.length - 1];
        const matching = last && pieces[own.length]?.word !== last.word ? matched(own, pieces) : 0;
        return last && matching > 0 ? [{ count: last.word + 1, score: score * matching }] : [];
      });
      const [longest] = found.sort((a, b) => b.count - a.count || b.score - a.score);
      if (!longest) return null;
      return numbered(longest.score <= SHORT ? { ...longest, score: UNMARKED } : longest, pieces, isOther);
    },
  };
};

const phrasesFor = (field: OutputField, fields: readonly OutputField[]): readonly Phrase[] => {
  const others = new Set(fields.filter(({ name }) => name !== field.name).flatMap(ownOf));
  const own = ownOf(field);
  const of = (phrases: readonly string[], score: number): readonly Phrase[] =>
    phrases
      .filter((text) => own.includes(text) || !others.has(text))
      .slice(0, MAX_PHRASES)
      .map((text) => ({ words: text.split(' ').map(foldLookalikes), score }));
  return [
    ...of(own.slice(0, 1), 1),
    ...of(joined(phrasesOf({ ...field, name: field.label ?? field.name })), NEARLY),
    ...of(joined(phrasesOf(field)), NAME),
    ...of(synonymsOf(field), SYNONYM),
    ...of(joined(shortPhrasesOf(field)), SHORT),
  ];
};

const ownOf = (field: OutputField): readonly string[] => joined(ownPhrases(field));

const joined = (phrases: readonly (readonly string[])[]): readonly string[] =>
  phrases.map((words) => words.join(' '));

const NEARLY = 0.97;
const NAME = 0.92;
const SYNONYM = 0.94;
const SHORT = 0.92;
/** A short form without a mark may be a title: "Receipt 17". */
const UNMARKED = 0.8;
/** "VAT ID: 0123" is no amount of tax, "Company No: 0123" no company. */
const NUMBER_OF_IT = 0.3;
const OF_NUMBERS = vocabulary('no nr id number num reg registration code nummer numéro').map(foldLookalikes);
const ARTICLES = vocabulary('the your our der die das le la les l');

const bestOf = (phrases: readonly Phrase[], pieces: readonly Piece[], isOther: boolean): number => {
  const scores = phrases
    .filter(({ words }) => words.length === pieces.length)
    .map(({ words, score }) => score * matched(words, pieces));
  const exact = Math.max(0, ...scores);
  if (exact > 0) return exact;
  const count = pieces.findLastIndex(({ text }) => !OF_NUMBERS.includes(text)) + 1;
  if (count === 0 || count === pieces.length) return 0;
  return bestOf(phrases, pieces.slice(0, count), isOther) * (isOther ? NUMBER_OF_IT : NEARLY);
};

/** The similarity of a phrase to the first pieces, 0 where one differs; only recognised text is misread. */
const matched = (phrase: readonly string[], pieces: readonly Piece[]): number => {
  let sum = 0;
  for (const [index, word] of phrase.entries()) {
    const piece = pieces[index];
    if (!piece) return 0;
    const score = piece.isRecognised ? foldedSimilarity(word, piece.text) : Number(word === piece.text);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / phrase.length;
};

/** A label includes following words such as "ID" and "No". */
const numbered = (match: Match, pieces: readonly Piece[], isOther: boolean): Match => {
  const after = pieces.filter(({ word }) => word >= match.count);
  const end = after.findIndex(({ text }) => !OF_NUMBERS.includes(text));
  const last = after[(end < 0 ? after.length : end) - 1];
  if (!last || after[end]?.word === last.word) return match;
  return { count: last.word + 1, score: match.score * (isOther ? NUMBER_OF_IT : NEARLY) };
};

/** Additions that do not distinguish values: rates, currencies, units and forms in brackets. */
const ASIDE =
  /[([]\s*(?:in\s+)?(?:[€£$%]|eur|usd|gbp|chf|rm|myr|kg|h|s|optional|required|dd.mm.y+|mm.dd.y+|y+.mm.dd|[\d.,]+\s?%)\s*[)\]]|@|[\d.,]+\s?%|\b(?:in\s+)?(?:eur|usd|gbp|chf|myr|rm)\b(?=\W*$)|[€£$](?=\W*$)/gi;

const captionOf = (caption: readonly Word[]): readonly Piece[] => {
  const isRecognised = caption.some(({ confidence }) => confidence < RECOGNISED);
  const text = spelled(textOf(caption)).replace(ASIDE, ' ');
  return wordsIn(text)
    .slice(0, MAX_PIECES)
    .map((word) => ({ text: foldLookalikes(word), word: 0, isRecognised }));
};

/** "Date / Datum": either may be the label. */
const alternatives = (caption: readonly Word[]): readonly (readonly Piece[])[] => {
  const text = textOf(caption);
  if (!/\s[/|]\s/.test(text)) return [];
  return text.split(/\s[/|]\s/).map((one) => captionOf([{ text: one, confidence: 1, box: null }]));
};

const withoutArticle = (pieces: readonly Piece[]): readonly Piece[] =>
  ARTICLES.includes(pieces[0]?.text ?? '') ? pieces.slice(1) : [];

/** Text with more confidence was not recognised. */
const RECOGNISED = 0.99;

const piecesOf = (words: readonly Word[]): readonly Piece[] =>
  words.slice(0, MAX_PIECES).flatMap(({ text, confidence }, word) =>
    wordsIn(spelled(text)).map((piece) => ({
      text: foldLookalikes(piece),
      word,
      isRecognised: confidence < RECOGNISED,
    })),
  );
