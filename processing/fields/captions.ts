import type { Word } from '../page.ts';
import { LABEL_WORDS } from './vocabulary.ts';
import { wordsIn } from './words.ts';

/** The separator of a caption and its value; a hyphen may be the minus of a number. */
export type Mark = 'none' | 'colon' | 'dash' | 'hyphen';

/** A caption and the value after it. Without a mark the value may start with its caption. */
export type Clause = Readonly<{
  caption: readonly Word[];
  mark: Mark;
  value: readonly Word[];
  /** Whether the start of the caption or the end of the value is a guess. */
  isGuess: boolean;
}>;

/** Whether words are a known caption, such as the label of a field. */
export type IsCaption = (words: readonly Word[]) => boolean;

/** Words side by side, divided at a colon, a dot leader or a dash after a caption. */
export const clausesIn = (words: readonly Word[], isCaption: IsCaption): readonly Clause[] => {
  const clauses: Clause[] = [];
  let open: Omit<Clause, 'value'> = { caption: [], mark: 'none', isGuess: false };
  let from = bulletsOf(words);
  for (let index = from; index < words.length; index += 1) {
    const mark = markAt(words, index, open.mark === 'none');
    if (!mark) continue;
    const end = isMarkOnly(words[index]) ? index : index + 1;
    const region = words.slice(from, end);
    if (region.length === 0) {
      if (open.mark !== 'none' && mark !== 'hyphen') from = index + 1;
      continue;
    }
    const start = open.mark === 'none' ? firstCaption(region, isCaption) : nextCaption(region, isCaption);
    if (start.at >= region.length) continue;
    const isEndGuessed = open.mark !== 'none' && start.isGuess;
    const value = region.slice(0, start.at);
    if (value.length > 0 || open.mark !== 'none')
      clauses.push({ ...open, isGuess: open.isGuess || isEndGuessed, value });
    open = { caption: region.slice(start.at), mark, isGuess: start.isGuess };
    from = index + 1;
  }
  return [...clauses, { ...open, value: words.slice(from) }];
};

const MARK_ONLY = /^(?:[:=：]+|[.…·_]{2,}:?|-{2,}>?|[-–—→|]|[-=]>|\.)$/;

const isMarkOnly = (word: Word | undefined): boolean => word !== undefined && MARK_ONLY.test(word.text);

/** Dashes separate only a first caption: further on they belong to the value. */
const markAt = (words: readonly Word[], index: number, isFirst: boolean): Exclude<Mark, 'none'> | null => {
  const text = words[index]?.text ?? '';
  if (/^[:=：]+$/.test(text) || /[^\d\s:=][:=：]["'*_)\]]*$|\p{L}\d+:$/u.test(text)) return 'colon';
  if (/^[.…·_]{2,}:?$/.test(text)) return 'colon';
  if (text === '.' && [words[index - 1], words[index + 1]].some((word) => word?.text === '.')) return 'colon';
  if (!isFirst) return null;
  if (text === '-') return 'hyphen';
  return /^(?:[–—→|]|-{2,}>?|[-=]>)$/.test(text) ? 'dash' : null;
};

/** How many words at the start are list markers: "•", "1.", "*". */
const bulletsOf = (words: readonly Word[]): number => {
  const first = words.findIndex(({ text }) => !/^(?:[*•·▪◦>#+|-]+|\(?\d{1,2}[.)])$/.test(text));
  return first < 0 || words.length < 3 ? 0 : first;
};

type Start = Readonly<{ at: number; isGuess: boolean }>;

/** A first caption is all before its mark, but for a value without a mark: "No INV-17 Date: …". */
const firstCaption = (region: readonly Word[], isCaption: IsCaption): Start => {
  const at = region.findLastIndex(({ text }) => isValueLike(text)) + 1;
  const isLabelled = [1, 2, 3, 4].some((count) => count < at && isCaption(region.slice(0, count)));
  return { at, isGuess: at > 0 && !isLabelled };
};

const isValueLike = (text: string): boolean => /\d/.test(text) && !/%|^[([]|[)\]]\W*$|^n[°º]|^#$/i.test(text);

/** A further caption starts with a known one, after a comma or a number; elsewhere its start is a guess. */
const nextCaption = (region: readonly Word[], isCaption: IsCaption): Start => {
  const { length } = region;
  const count = [5, 4, 3, 2, 1].find((one) => one <= length && isCaption(region.slice(-one)));
  const comma = region.findLastIndex(({ text }) => /[,;|•]$/.test(text)) + 1;
  if (comma > 0 && comma < length && length - comma <= 5) return { at: comma, isGuess: false };
  const labels = region.slice(0, -1).findLastIndex(({ text }) => !isLabelText(text)) + 1;
  const at = Math.min(labels, length - (count ?? 0));
  return { at, isGuess: at > 0 && !/\d/.test(region[at - 1]?.text ?? '') };
};

const WORDS = new Set(LABEL_WORDS);

/** Whether a printed word consists of words of labels. */
export const isLabelText = (text: string): boolean => {
  const words = wordsIn(text);
  return words.length > 0 && words.every((word) => WORDS.has(word));
};
