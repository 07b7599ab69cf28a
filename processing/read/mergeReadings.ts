import type { Box } from '../../domain/submission/processingResult.ts';
import { type Line, letterConfidence, overlap, type Page, type Word, withWords, wordsOn } from '../page.ts';

const MIN_OVERLAP = 0.5;
const MAX_WORDS = 2_500;
const DOUBT = 0.75;
/** The least confidence of a word that only one reading has. */
const MIN_CONFIDENCE = 0.6;

/**
 * Two readings of one page as one: a word that both have gains confidence, of two that differ the surer one
 * stays with some doubt, and what only the second read clearly is added.
 */
export const mergeReadings = (first: Page, second: Page): Page => {
  const others = wordsOn(second);
  if (others.length > MAX_WORDS) return first;
  const used = new Set<Word>();
  const lines = first.lines.map((line) => {
    const matching = others.filter((word) => !used.has(word) && isInLine(word, line));
    const words = mergedWords(line.words, matching);
    for (const word of matching) used.add(word);
    return withWords(line, words);
  });
  const added = second.lines.flatMap((line): readonly Line[] => {
    const words = line.words.filter((word) => !used.has(word) && word.confidence >= MIN_CONFIDENCE);
    return words.length === 0 ? [] : [withWords(line, words)];
  });
  return { ...first, lines: added.length === 0 ? lines : inOrder([...lines, ...added]) };
};

const inOrder = (lines: readonly Line[]): readonly Line[] =>
  lines.toSorted((a, b) => (a.place.box?.top ?? 0) - (b.place.box?.top ?? 0));

/** Whether a word stands in a line, judged by the line's nearest word. */
const isInLine = ({ box }: Word, line: Line): boolean => {
  if (!box || !line.place.box || overlap(box, line.place.box, 'top', 'bottom') <= 0) return false;
  const nearest = line.words.reduce<Word | null>(
    (best, word) => (best === null || distance(word, box) < distance(best, box) ? word : best),
    null,
  );
  return nearest?.box != null && overlap(box, nearest.box, 'top', 'bottom') > MIN_OVERLAP;
};

const distance = (word: Word, box: Box): number =>
  word.box ? Math.max(0, word.box.left - box.right, box.left - word.box.right) : Number.POSITIVE_INFINITY;

type Group = { first: Word[]; second: Word[] };

const mergedWords = (first: readonly Word[], second: readonly Word[]): readonly Word[] => {
  const groups: Group[] = first.map((word) => ({ first: [word], second: [] }));
  const added: Word[] = [];
  for (const word of second) {
    const [group, ...rest] = groups.filter((one) => one.first.some((other) => areSame(word, other)));
    if (!group) {
      if (word.confidence >= MIN_CONFIDENCE) added.push(word);
      continue;
    }
    group.second.push(word);
    for (const other of rest) {
      group.first.push(...other.first);
      group.second.push(...other.second);
      groups.splice(groups.indexOf(other), 1);
    }
  }
  const left = ({ box }: Word): number => box?.left ?? 0;
  return [...groups.flatMap(decided), ...added].sort((a, b) => left(a) - left(b));
};

const areSame = (a: Word, b: Word): boolean =>
  a.box !== null && b.box !== null && overlap(a.box, b.box, 'left', 'right') > MIN_OVERLAP;

const decided = ({ first, second }: Group): readonly Word[] => {
  if (second.length === 0) return first;
  const [ours, theirs] = [joined(first), joined(second)];
  const [our, their] = [letterConfidence(first) + form(ours), letterConfidence(second) + form(theirs)];
  const words = our >= their ? first : second;
  const adjusted = (confidence: number): number => {
    if (ours === theirs) return 1 - (1 - confidence) / 2;
    return Math.abs(our - their) > CLEAR_LEAD ? confidence : confidence * DOUBT;
  };
  return words.map((word) => ({ ...word, confidence: adjusted(word.confidence) }));
};

const CLEAR_LEAD = 0.4;

/** What has the form of a date or an amount is more likely read right. */
const form = (text: string): number => (AMOUNT.test(text) || DATE.test(text) ? 0.3 : 0);

const AMOUNT = /^\W?(?:RM|\$)?\d{1,3}(?:,?\d{3})*\.\d{2}\W?$/;
const DATE = /^\d{1,4}[-/.](?:\d{1,2}|[A-Za-z]{3})[-/.]\d{2,4}$/;

const joined = (words: readonly Word[]): string => words.map(({ text }) => text).join('');
