import type { OutputField } from '../../domain/workflow.ts';
import type { Line, Word } from '../page.ts';
import { type Candidate, candidate } from './candidate.ts';
import { type IsHeading, isOfLabels } from './headings.ts';
import { labelMatcher, type Piece, piecesOf } from './labelMatcher.ts';
import { type Cell, gap, type Layout, layoutOf, type Side } from './layout.ts';

/** Lines as labels are looked for in them, made once for all fields: their words in pieces, and how they stand. */
export type Searched = Readonly<{
  lines: readonly Readonly<{ line: Line; pieces: readonly Piece[] }>[];
  layout: Layout;
  isHeading: IsHeading;
}>;

/** Makes lines ready to look for labels in. */
export const searched = (lines: readonly Line[], isHeading: IsHeading): Searched => ({
  lines: lines.map((line) => ({
    line,
    pieces: piecesOf(line),
  })),
  layout: layoutOf(lines),
  isHeading,
});

/**
 * Texts that stand beside something like a field's label: right of it, else below, left of or above it, by the boxes of
 * words; without boxes after it or in the next line. Each whole, and each of its words.
 */
export const labelledCandidates = (
  field: OutputField,
  { lines, layout, isHeading }: Searched,
): readonly Candidate[] => {
  const labelsOf = labelMatcher(field);
  return lines.flatMap(({ line, pieces }, index) =>
    labelsOf(line, pieces).flatMap(({ start, end, score }) => {
      const cell = layout.cellOf(line.words[end - 1]);
      if (cell) return nearLabel(field, { score, start, end, line, cell }, layout, isHeading);
      const rest = value(line.words.slice(end));
      if (rest.length > 0) return parts(line, rest, RIGHT * score);
      const below = lines[index + 1]?.line;
      return below ? parts(below, value(below.words), NEXT_LINE * score) : [];
    }),
  );
};

const RIGHT = 0.95;
const BELOW = 0.88;
const NEXT_LINE = 0.8;
const LEFT = 0.6;
const ABOVE = 0.55;
/** A value below, where something else stands right of the label. */
const INSTEAD = 0.6;
const MOST_WORDS = 12;

type Label = Readonly<{ line: Line; cell: Cell; start: number; end: number; score: number }>;

const nearLabel = (
  field: OutputField,
  label: Label,
  layout: Layout,
  isHeading: IsHeading,
): readonly Candidate[] => {
  const { cell } = label;
  const right = rightOf(field, label, layout, isHeading);
  const below = inColumn(label, 'below', layout, isHeading);
  // "Kim's Company" is no label of a company.
  const score = label.score * (isHeading(cell) ? 1 : 0.8);
  if (right.length > 0) return [...right, ...below(INSTEAD * score)];
  const above = layout.next(cell, 'above');
  const under = layout.next(cell, 'below');
  // Captions stand below what they name, much nearer to it than to what follows.
  const isCaption =
    above &&
    under &&
    !isHeading(above) &&
    2 * distance(cell, above, 'above') < distance(cell, under, 'below');
  return [
    ...below((isCaption ? ABOVE - 0.05 : BELOW) * score),
    ...leftOf(field, { ...label, score }, layout, isHeading),
    ...inColumn(label, 'above', layout, isHeading)(ABOVE * score),
  ];
};

const distance = (from: Cell, to: Cell, side: Side): number =>
  gap(from, to, side) ?? Number.POSITIVE_INFINITY;

/** What follows a label in its row, up to the next label; of a text sooner what stands close together. */
const rightOf = (
  { type }: OutputField,
  { line, cell, end, score }: Label,
  layout: Layout,
  isHeading: IsHeading,
): readonly Candidate[] => {
  const isNextLabel = (word: Word): boolean => {
    const own = layout.cellOf(word);
    return own !== null && own !== cell && isHeading(own);
  };
  const after = line.words.slice(end);
  const next = after.findIndex(isNextLabel);
  const rest = value(next < 0 ? after : after.slice(0, next));
  const beside = layout.next(cell, 'right');
  if (rest.length === 0)
    return next >= 0 || !beside || isHeading(beside)
      ? []
      : parts(beside.line, value(wordsOf(beside)), RIGHT * score);
  const home = layout.cellOf(rest[0]);
  const close = rest.filter((word) => layout.cellOf(word) === home);
  if (type !== 'string' || close.length === rest.length) return parts(line, rest, RIGHT * score);
  return [...parts(line, close, RIGHT * score), ...parts(line, rest, (RIGHT - 0.1) * score)];
};

const inColumn =
  ({ cell }: Label, side: Side, layout: Layout, isHeading: IsHeading) =>
  (likely: number): readonly Candidate[] => {
    const found = layout.next(cell, side);
    if (!found || isHeading(found)) return [];
    const words = value(layout.inColumn(found, cell));
    return words.length === 0 ? [] : parts(found.line, words, likely);
  };

/** Numbers also stand before what they count, close to it. */
const leftOf = (
  { type }: OutputField,
  { line, cell, start, score }: Label,
  layout: Layout,
  isHeading: IsHeading,
): readonly Candidate[] => {
  const before = line.words.slice(0, start).filter((word) => layout.cellOf(word) === cell);
  if (before.length > 0) return type === 'string' ? [] : parts(line, before, LEFT * score);
  const left = layout.next(cell, 'left');
  return left && !isHeading(left) ? parts(left.line, wordsOf(left), LEFT * score) : [];
};

const wordsOf = ({ parts: own }: Cell): readonly Word[] => own.map(({ word }) => word);

/** A value ends where the next label begins ("No: 17 Date: …"); marks between label and value are no part of it. */
const value = (words: readonly Word[]): readonly Word[] => {
  const start = words.findIndex(({ text }) => /[\p{L}\p{N}]/u.test(text));
  if (start < 0) return [];
  const rest = words.slice(start, start + MOST_WORDS);
  const colon = rest.findIndex(({ text }, index) => index > 0 && /^(?:.*\p{L})?[:=]$/u.test(text));
  if (colon < 0) return rest;
  let next = /\p{L}/u.test(rest[colon]?.text ?? '') ? colon : colon - 1;
  while (next > 1 && isOfLabels(rest[next - 1]?.text ?? '')) next -= 1;
  return rest.slice(0, Math.max(1, next));
};

const parts = (line: Line, words: readonly Word[], likely: number): readonly Candidate[] => {
  const whole = text(words);
  const single =
    words.length > 1 ? words.map((word) => candidate(text([word]), likely - 0.1, line, [word])) : [];
  return whole === '' ? [] : [candidate(whole, likely, line, words), ...single];
};

const text = (words: readonly Word[]): string =>
  words
    .map((word) => word.text)
    .join(' ')
    .replace(/^[:=#\s]+|[\s|]+$/g, '');
