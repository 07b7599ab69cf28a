import type { OutputField } from '../../domain/workflow.ts';
import { type Line, lineOf, part, type Word } from '../page.ts';
import { type Clause, clausesIn, type IsCaption } from './captions.ts';
import type { Order } from './dates.ts';
import { isOfLabels } from './headings.ts';
import { captionText, phrasesOf } from './labels.ts';
import { type Cell, type Layout, layoutOf } from './layout.ts';
import { beginsWithCaption, isUsualCaption } from './synonyms.ts';

/**
 * Words that stand close together, as captions with what is behind them; `cell` is null on a page without
 * boxes.
 */
export type Section = Readonly<{ line: Line; index: number; cell: Cell | null; clauses: readonly Clause[] }>;

/** A document as labels are looked for in it, made once for all fields. */
export type Searched = Readonly<{
  asked: readonly OutputField[];
  order: Order;
  sections: readonly Section[];
  layout: Layout;
  /** Whether a cell is a caption, or begins with one: it is nobody's value. */
  isCaptioned: (cell: Cell) => boolean;
  /** Whether a cell begins with what documents call something: a value may, as names do. */
  isLabelLike: (cell: Cell) => boolean;
  /** Whether hyphens part captions from values on these pages. */
  hasHyphens: boolean;
}>;

/** Makes lines ready to look for the labels of fields in. `order` is how their dates are read. */
export const searched = (
  given: readonly Line[],
  asked: readonly OutputField[],
  order: Order = 'day-first',
): Searched => {
  const lines = given.map((line) => lineOf(line.words.flatMap(splitWord), line.place, line.block));
  const layout = layoutOf(lines);
  const isCaption = captionsOf(asked);
  const sections = lines.flatMap((line, index) =>
    groupsOf(line, layout).map(({ cell, words }) => ({
      line,
      index,
      cell,
      clauses: clausesIn(words, isCaption),
    })),
  );
  const byCell = new Map(sections.map((section) => [section.cell, section]));
  const isCaptioned = (cell: Cell): boolean => {
    const [first] = byCell.get(cell)?.clauses ?? [];
    if (!first) return false;
    return first.mark !== 'none'
      ? !/\d/.test(first.caption[0]?.text ?? '')
      : isCaption(first.value) || areLabels(first.value);
  };
  const hasHyphens = sections.some(({ clauses }) =>
    clauses.some(({ mark, value }) => mark === 'hyphen' && value.some(({ text }) => /\p{L}{2}/u.test(text))),
  );
  const isLabelLike = ({ text }: Cell): boolean => beginsWithCaption(text);
  return { asked, order, sections, layout, isCaptioned, isLabelLike, hasHyphens };
};

const areLabels = (words: readonly Word[]): boolean =>
  words.length > 0 && words.every(({ text }) => isOfLabels(text) && !/\d/.test(text));

/** What is a caption among the fields asked for: a label of one of them, or what documents call it. */
const captionsOf = (asked: readonly OutputField[]): IsCaption => {
  const known = new Set(asked.flatMap((field) => phrasesOf(field).map((words) => words.join(' '))));
  return (words) => {
    const text = words.length > 0 && words.length <= MAX_CAPTION ? captionText(words) : '';
    return known.has(text) || isUsualCaption(text);
  };
};

const MAX_CAPTION = 8;

const groupsOf = (
  line: Line,
  layout: Layout,
): readonly Readonly<{ cell: Cell | null; words: readonly Word[] }>[] => {
  const groups: { cell: Cell | null; words: Word[] }[] = [];
  for (const word of line.words) {
    const cell = layout.cellOf(word);
    const last = groups.at(-1);
    if (last && last.cell === cell) last.words.push(word);
    else groups.push({ cell, words: [word] });
  }
  return groups;
};

/**
 * Behind the colon of a caption, around a leader, behind "#": "Date:28/02/2017", "Total......5.00", "#17".
 */
const SPLIT =
  /(?<=\p{L}[).°*]?[:=：])(?=[^\s/*_"'):=])|(?=(?<![.…_])(?:\.{3,}|…|_{3,}))|(?<=\.{3}|…|_{3})(?=[^.…_\s])|(?<=^#|№)(?=\w)/u;

const splitWord = (word: Word): readonly Word[] => {
  const texts = word.text.length > LONGEST || !SPLIT.test(word.text) ? [word.text] : word.text.split(SPLIT);
  if (texts.length < 2) return [word];
  let at = 0;
  return texts.map((text) => {
    const [from, to] = [at / word.text.length, (at + text.length) / word.text.length];
    at += text.length;
    const own = { ...word, text, box: word.box && part(word.box, from, to) };
    return word.spot ? { ...own, spot: part(word.spot, from, to) } : own;
  });
};

const LONGEST = 200;
