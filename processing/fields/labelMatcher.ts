import type { OutputField } from '../../domain/workflow.ts';
import type { Word } from '../page.ts';
import { likeness, phrasesOf, shortPhrasesOf, spelled, unconfused, wordsIn } from './labels.ts';
import { synonymsOf } from './synonyms.ts';
import { isIdentifier } from './valueFit.ts';

/**
 * Finds a field's label: `whole` tells how surely words are nothing else (0 to 1), `leading` how many words
 * at the beginning are.
 */
export type LabelMatcher = Readonly<{
  whole: (caption: readonly Word[]) => number;
  leading: (words: readonly Word[]) => Readonly<{ count: number; score: number }> | null;
}>;

type Phrase = Readonly<{ words: readonly string[]; score: number }>;
/** A part of a printed word (counted among those given) as it is compared. */
type Piece = Readonly<{ text: string; word: number; isRead: boolean }>;

const MAX_PHRASES = 40;
const MAX_PIECES = 16;

/**
 * Finds the labels of a field: its own, else what documents usually call it, but for what another of the
 * fields asked for is called.
 */
export const labelMatcher = (field: OutputField, asked: readonly OutputField[]): LabelMatcher => {
  const phrases = phrasesFor(field, asked);
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
        const like = last && pieces[own.length]?.word !== last.word ? matched(own, pieces) : 0;
        return last && like > 0 ? [{ count: last.word + 1, score: score * like }] : [];
      });
      const [longest] = found.sort((a, b) => b.count - a.count || b.score - a.score);
      return longest
        ? numbered(longest.score <= SHORT ? { ...longest, score: UNMARKED } : longest, pieces, isOther)
        : null;
    },
  };
};

const phrasesFor = (field: OutputField, asked: readonly OutputField[]): readonly Phrase[] => {
  const others = new Set(asked.filter(({ name }) => name !== field.name).flatMap(ownOf));
  const own = ownOf(field);
  const of = (phrases: readonly string[], score: number): readonly Phrase[] =>
    phrases
      .filter((text) => own.includes(text) || !others.has(text))
      .slice(0, MAX_PHRASES)
      .map((text) => ({ words: text.split(' ').map(unconfused), score }));
  const formsOf = (phrases: readonly (readonly string[])[]) => phrases.map((words) => words.join(' '));
  return [
    ...of(own.slice(0, 1), 1),
    ...of(formsOf(phrasesOf({ ...field, name: field.label ?? field.name })), NEARLY),
    ...of(formsOf(phrasesOf(field)), NAME),
    ...of(synonymsOf(field), SYNONYM),
    ...of(formsOf(shortPhrasesOf(field)), SHORT),
  ];
};

/** A field's label and its name, as they are compared. */
const ownOf = ({ name, label }: OutputField): readonly string[] =>
  [wordsIn(spelled(label ?? '')), wordsIn(name)]
    .filter((words) => words.length > 0)
    .map((words) => words.join(' '));

const NEARLY = 0.97;
/** A field's name, where it has a label. */
const NAME = 0.92;
const SYNONYM = 0.94;
const SHORT = 0.92;
/** A short form without a mark may be a title: "Receipt 17". */
const UNMARKED = 0.8;
/** "VAT ID: 0123" states no amount of tax, "Company No: 0123" no company. */
const NUMBER_OF_IT = 0.3;
const OF_NUMBERS = ['no', 'nr', 'id', 'number', 'num', 'reg', 'registration', 'code', 'nummer', 'numéro'].map(
  unconfused,
);
const ARTICLES = ['the', 'your', 'our', 'der', 'die', 'das', 'le', 'la', 'les', 'l'];

const bestOf = (phrases: readonly Phrase[], pieces: readonly Piece[], isOther: boolean): number => {
  const exact = Math.max(
    0,
    ...phrases.map(({ words, score }) =>
      words.length === pieces.length ? score * matched(words, pieces) : 0,
    ),
  );
  if (exact > 0) return exact;
  const count = pieces.findLastIndex(({ text }) => !OF_NUMBERS.includes(text)) + 1;
  if (count === 0 || count === pieces.length) return 0;
  return bestOf(phrases, pieces.slice(0, count), isOther) * (isOther ? NUMBER_OF_IT : NEARLY);
};

/**
 * How well a phrase matches the first pieces: 0 where one is another word. What was not recognised is as it
 * is written.
 */
const matched = (phrase: readonly string[], pieces: readonly Piece[]): number => {
  let sum = 0;
  for (const [index, word] of phrase.entries()) {
    const piece = pieces[index];
    if (!piece) return 0;
    const score = piece.isRead ? likeness(word, piece.text) : Number(word === piece.text);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / phrase.length;
};

/** A label goes on to the end of words such as "ID" and "No". */
const numbered = (
  match: Readonly<{ count: number; score: number }>,
  pieces: readonly Piece[],
  isOther: boolean,
): Readonly<{ count: number; score: number }> => {
  const after = pieces.filter(({ word }) => word >= match.count);
  const end = after.findIndex(({ text }) => !OF_NUMBERS.includes(text));
  const last = after[(end < 0 ? after.length : end) - 1];
  if (!last || after[end]?.word === last.word) return match;
  return { count: last.word + 1, score: match.score * (isOther ? NUMBER_OF_IT : NEARLY) };
};

/** What says nothing of which value it is: rates, currencies, units and forms in brackets. */
const ASIDE =
  /[([]\s*(?:in\s+)?(?:[€£$%]|eur|usd|gbp|chf|rm|myr|kg|h|s|optional|required|dd.mm.y+|mm.dd.y+|y+.mm.dd|[\d.,]+\s?%)\s*[)\]]|@|[\d.,]+\s?%|\b(?:in\s+)?(?:eur|usd|gbp|chf|myr|rm)\b(?=\W*$)|[€£$](?=\W*$)/gi;

const captionOf = (caption: readonly Word[]): readonly Piece[] => {
  const isRead = caption.some(({ confidence }) => confidence < READ);
  const text = spelled(caption.map((word) => word.text).join(' ')).replace(ASIDE, ' ');
  return wordsIn(text)
    .slice(0, MAX_PIECES)
    .map((word) => ({ text: unconfused(word), word: 0, isRead }));
};

/** "Date / Datum": either may be the label. */
const alternatives = (caption: readonly Word[]): readonly (readonly Piece[])[] => {
  const text = caption.map((word) => word.text).join(' ');
  if (!/\s[/|]\s/.test(text)) return [];
  return text.split(/\s[/|]\s/).map((one) => captionOf([{ text: one, confidence: 1, box: null }]));
};

const withoutArticle = (pieces: readonly Piece[]): readonly Piece[] =>
  ARTICLES.includes(pieces[0]?.text ?? '') ? pieces.slice(1) : [];

/** Recognition is never surer than this; what is, was not recognised. */
const READ = 0.99;

/** The words as labels are looked for among them. */
const piecesOf = (words: readonly Word[]): readonly Piece[] =>
  words
    .slice(0, MAX_PIECES)
    .flatMap(({ text, confidence }, word) =>
      wordsIn(spelled(text)).map((piece) => ({ text: unconfused(piece), word, isRead: confidence < READ })),
    );
