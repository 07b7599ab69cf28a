import type { OutputField } from '../../domain/workflow.ts';
import { textOf, type Word } from '../page.ts';
import { ownPhrases, phrasesOf, shortPhrasesOf, synonymsOf } from './synonyms.ts';
import { isIdentifier } from './typedValue.ts';
import { foldedSimilarity, foldLookalikes, spelled, vocabulary, wordsIn } from './words.ts';

/** A label at the start of some words: of how many, and how certainly (0 to 1). */
type Match = Readonly<{ count: number; score: number }>;

export type LabelMatcher = ReturnType<typeof labelMatcher>;

type Phrase = Readonly<{ words: readonly string[]; score: number }>;
/** A folded part of the printed word with an index. */
type Token = Readonly<{ text: string; word: number; isRecognised: boolean }>;

const MAX_PHRASES = 40;
const MAX_TOKENS = 16;

/** Finds the labels of a field: its own, and synonyms that are no label of another field. */
export const labelMatcher = (field: OutputField, fields: readonly OutputField[]) => {
  const phrases = phrasesFor(field, fields);
  const numberWeight = isIdentifier(field) ? NEARLY : NUMBER_OF_IT;
  return {
    /** How certainly (0 to 1) a caption is the label. */
    whole: (caption: readonly Word[]): number => {
      const text = textOf(caption);
      const isRecognised = caption.some(({ confidence }) => confidence < RECOGNISED);
      const all = captionTokens(text, isRecognised);
      return Math.max(
        bestOf(phrases, all, numberWeight),
        bestGlued(phrases, all)?.score ?? 0,
        bestOf(phrases, withoutArticle(all), numberWeight) * NEARLY,
        ...alternatives(text).map((one) => bestOf(phrases, captionTokens(one, false), numberWeight)),
      );
    },
    /** The label at the start of some words. */
    leading: (words: readonly Word[]): Match | null => {
      const tokens = tokensOf(words);
      const found = phrases.flatMap(({ words: own, score }) => {
        const last = tokens[own.length - 1];
        const matching = last && tokens[own.length]?.word !== last.word ? matched(own, tokens) : 0;
        return last && matching > 0 ? [{ count: last.word + 1, score: score * matching }] : [];
      });
      const [longest] = found.sort((a, b) => b.count - a.count || b.score - a.score);
      if (!longest) return bestGlued(phrases, tokens);
      const label = longest.score <= SHORT ? { ...longest, score: UNMARKED } : longest;
      return withNumber(label, tokens, numberWeight);
    },
  };
};

const phrasesFor = (field: OutputField, fields: readonly OutputField[]): readonly Phrase[] => {
  const others = new Set(fields.filter(({ name }) => name !== field.name).flatMap(ownPhrases));
  const own = ownPhrases(field);
  const of = (phrases: readonly string[], score: number): readonly Phrase[] =>
    phrases
      .filter((text) => own.includes(text) || !others.has(text))
      .slice(0, MAX_PHRASES)
      .map((text) => ({ words: text.split(' ').map(foldLookalikes), score }));
  return [
    ...of(own.slice(0, 1), 1),
    ...of(phrasesOf({ ...field, name: field.label ?? field.name }), NEARLY),
    ...of(phrasesOf(field), NAME),
    ...of(synonymsOf(field), SYNONYM),
    ...of(shortPhrasesOf(field), SHORT),
  ];
};

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

const bestOf = (phrases: readonly Phrase[], tokens: readonly Token[], numberWeight: number): number => {
  const scores = phrases
    .filter(({ words }) => words.length === tokens.length)
    .map(({ words, score }) => score * matched(words, tokens));
  const exact = Math.max(0, ...scores);
  if (exact > 0) return exact;
  const count = tokens.findLastIndex(({ text }) => !OF_NUMBERS.includes(text)) + 1;
  if (count === 0 || count === tokens.length) return 0;
  return bestOf(phrases, tokens.slice(0, count), numberWeight) * numberWeight;
};

/** The label at the start of tokens, where recognition lost blanks: "Accountnumber". */
const bestGlued = (phrases: readonly Phrase[], tokens: readonly Token[]): Match | null => {
  const found = phrases.flatMap(({ words, score }) => {
    const whole = words.join('');
    if (words.length < 2 || whole.length < MIN_GLUED) return [];
    const count = words.findIndex((_, index) => joined(tokens.slice(0, index)) === whole);
    const last = count > 0 ? tokens[count - 1] : undefined;
    return last ? [{ count: last.word + 1, score: score * NEARLY }] : [];
  });
  return found.sort((a, b) => b.score - a.score)[0] ?? null;
};

const MIN_GLUED = 7;
const joined = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join('');

/** The similarity of a phrase to the first tokens, 0 where one differs; only recognised text is misread. */
const matched = (phrase: readonly string[], tokens: readonly Token[]): number => {
  let sum = 0;
  for (const [index, word] of phrase.entries()) {
    const token = tokens[index];
    if (!token) return 0;
    const score = token.isRecognised ? foldedSimilarity(word, token.text) : Number(word === token.text);
    if (score === 0) return 0;
    sum += score;
  }
  return sum / phrase.length;
};

/** A label with the following words such as "ID" and "No". */
const withNumber = (label: Match, tokens: readonly Token[], numberWeight: number): Match => {
  const after = tokens.filter(({ word }) => word >= label.count);
  const end = after.findIndex(({ text }) => !OF_NUMBERS.includes(text));
  const last = after[(end < 0 ? after.length : end) - 1];
  if (!last || after[end]?.word === last.word) return label;
  return { count: last.word + 1, score: label.score * numberWeight };
};

/** Additions that do not distinguish values: rates, currencies, units and forms in brackets. */
const ASIDE =
  /[([]\s*(?:in\s+)?(?:[€£$%]|eur|usd|gbp|chf|rm|myr|kg|h|s|optional|required|dd.mm.y+|mm.dd.y+|y+.mm.dd|[\d.,]+\s?%)\s*[)\]]|@|[\d.,]+\s?%|\b(?:in\s+)?(?:eur|usd|gbp|chf|myr|rm)\b(?=\W*$)|[€£$](?=\W*$)/gi;

const captionTokens = (caption: string, isRecognised: boolean): readonly Token[] =>
  wordsIn(spelled(caption).replace(ASIDE, ' '))
    .slice(0, MAX_TOKENS)
    .map((text) => ({ text: foldLookalikes(text), word: 0, isRecognised }));

/** "Date / Datum": either may be the label. */
const alternatives = (caption: string): readonly string[] =>
  /\s[/|]\s/.test(caption) ? caption.split(/\s[/|]\s/) : [];

const withoutArticle = (tokens: readonly Token[]): readonly Token[] =>
  ARTICLES.includes(tokens[0]?.text ?? '') ? tokens.slice(1) : [];

/** Text with more confidence was not recognised. */
const RECOGNISED = 0.99;

const tokensOf = (words: readonly Word[]): readonly Token[] =>
  words
    .slice(0, MAX_TOKENS)
    .flatMap(({ text, confidence }, word) =>
      wordsIn(spelled(text)).map((one) => ({
        text: foldLookalikes(one),
        word,
        isRecognised: confidence < RECOGNISED,
      })),
    )
    .slice(0, MAX_TOKENS);
