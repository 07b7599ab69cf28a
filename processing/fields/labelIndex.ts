import type { OutputField } from '../../domain/workflow.ts';
import { runsOf } from '../../kernel/runsOf.ts';
import { type Line, slice, textOf, type Word, withWords } from '../page.ts';
import { type Clause, clausesIn, type IsCaption, isLabelText } from './captions.ts';
import { type Cell, layoutOf } from './layout.ts';
import type { Notation } from './notation.ts';
import { captionText, isUsualCaption, phrasesOf } from './synonyms.ts';

/** Adjacent words as captions with their values; `cell` is null on a page without boxes. */
export type Section = Readonly<{ line: Line; index: number; cell: Cell | null; clauses: readonly Clause[] }>;

/** A document prepared for the search of labels, once for all fields. */
export type LabelIndex = ReturnType<typeof labelIndexOf>;

/** Prepares lines for the search of the labels of fields; `notation` is that of their dates. */
export const labelIndexOf = (read: readonly Line[], fields: readonly OutputField[], notation: Notation) => {
  const lines = read.map((line) => withWords(line, line.words.flatMap(splitWord)));
  const layout = layoutOf(lines);
  const own = new Set(fields.flatMap(phrasesOf));
  /** Whether a text is a caption: the label of a field, or a usual one. */
  const isLabel = (text: string): boolean => {
    const caption = captionText(text);
    return own.has(caption) || isUsualCaption(caption);
  };
  const isCaption: IsCaption = (words) => words.length <= MAX_CAPTION && isLabel(textOf(words));
  const sections = lines.flatMap((line, index): readonly Section[] =>
    runsOf(line.words, (a, b) => layout.cellOf(a) === layout.cellOf(b)).map((words) => ({
      line,
      index,
      cell: layout.cellOf(words[0]),
      clauses: clausesIn(words, isCaption),
    })),
  );
  const byCell = new Map(sections.map((section) => [section.cell, section]));
  /** Whether a cell is a caption, or starts with one: it is no value. */
  const isCaptioned = (cell: Cell): boolean => {
    const [first] = byCell.get(cell)?.clauses ?? [];
    if (!first) return false;
    return first.mark !== 'none'
      ? !/\d/.test(first.caption[0]?.text ?? '')
      : isCaption(first.value) || areLabels(first.value);
  };
  /** Whether hyphens separate captions from values in this document. */
  const hasHyphens = sections.some(({ clauses }) =>
    clauses.some(({ mark, value }) => mark === 'hyphen' && value.some(({ text }) => /\p{L}{2}/u.test(text))),
  );
  return { fields, notation, sections, layout, isCaptioned, isLabel, hasHyphens };
};

const areLabels = (words: readonly Word[]): boolean =>
  words.length > 0 && words.every(({ text }) => isLabelText(text) && !/\d/.test(text));

const MAX_CAPTION = 8;

/**
 * Behind the colon of a caption, "#" and a box, around a leader: "Date:28/02/2017", "Total......5.00",
 * "[x]Paid".
 */
const SPLIT =
  /(?<=^(?:\[[xX✓✔]?\]|[☐☑☒]))(?=\p{L})|(?<=\p{L}[).°*]?[:=：])(?=[^\s/*_"'):=])|(?=(?<![.…_])(?:\.{3,}|…|_{3,}))|(?<=\.{3}|…|_{3})(?=[^.…_\s])|(?<=^#|№)(?=\w)/u;

const splitWord = (word: Word): readonly Word[] => {
  const texts = word.text.length > MAX_LENGTH ? [] : word.text.split(SPLIT);
  if (texts.length < 2) return [word];
  let at = 0;
  return texts.map((text) => {
    const [from, to] = [at / word.text.length, (at + text.length) / word.text.length];
    at += text.length;
    const own = { ...word, text, box: word.box && slice(word.box, from, to) };
    return word.spot ? { ...own, spot: slice(word.spot, from, to) } : own;
  });
};

const MAX_LENGTH = 200;
