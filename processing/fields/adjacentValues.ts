import type { OutputField } from '../../domain/workflow.ts';
import { isFreeText } from '../../fieldTypes/all.ts';
import type { Word } from '../page.ts';
import { directionOf, hasBelow, isContinued, isHeaded, isInCaptionColumn, isStacked } from './arrangement.ts';
import { type Candidate, candidate } from './candidate.ts';
import type { LabelIndex, Section } from './labelIndex.ts';
import { type Cell, gap, type Layout } from './layout.ts';
import { typedValueIn } from './readings.ts';
import { startsWithCaption } from './synonyms.ts';
import { isIdentifier, type TypedValue } from './typedValue.ts';
import { ITEM_WORDS } from './vocabulary.ts';
import { wordsIn } from './words.ts';

const RIGHT = 0.96;
const BELOW = 0.9;
const NEXT_LINE = 0.84;
const LEFT = 0.6;
const ABOVE = 0.55;
/** For a value that competes with another reading. */
const DOUBTED = 0.78;

type Value = Readonly<{ value: TypedValue; cell: Cell; isSure: boolean }>;

/** The values beside a label that fills its cell: right of it, else below, else above or left. */
export const adjacentValues = (
  field: OutputField,
  labels: LabelIndex,
  section: Section,
  isMarked: boolean,
  score: number,
): readonly Candidate[] => {
  const { cell } = section;
  if (!cell) return inNextLine(field, labels, section, score);
  const right = rightOf(field, labels, cell, isMarked);
  const below = belowOf(field, labels, cell, isMarked);
  const of = ({ value, cell, isSure }: Value, likelihood: number): Candidate => {
    const doubt = isSure ? 1 : DOUBTED;
    return candidate(value.text, likelihood * score * value.certainty * doubt, cell.line, value.words);
  };
  const side = directionOf(labels, cell);
  if (right && (isMarked || side === 'right')) return [of(right, RIGHT)];
  if (right && below)
    return side === 'below' ? [of(below, BELOW)] : [of(doubted(right), RIGHT), of(doubted(below), RIGHT)];
  if (right && side === 'below') return [];
  if (right) return [of(doubted(right, !isTyped(field) && hasBelow(labels, right.cell)), RIGHT)];
  const above = nextTo(field, labels, cell, 'above');
  if (below && side === 'right') return [of(doubted(below), BELOW)];
  const others = above ? [of(above, ABOVE)] : [];
  if (below) {
    const likelihood = isCaption(labels.layout, cell, above) ? ABOVE - 0.05 : BELOW;
    return [of(doubted(below, isUnclaimed(labels, above)), likelihood), ...others];
  }
  const left = nextTo(field, labels, cell, 'left');
  return [...others, ...(left ? [of(left, LEFT)] : [])];
};

const doubted = (value: Value, isDoubted = true): Value => (isDoubted ? { ...value, isSure: false } : value);

const wordsOf = ({ parts }: Cell): readonly Word[] => parts.map(({ word }) => word);

/** A text away from its label needs no mark; what is more than a value is more likely something else. */
const valueIn = (
  field: OutputField,
  { notation }: LabelIndex,
  words: readonly Word[],
  isMarked = false,
): TypedValue | null => typedValueIn(field, words, isMarked || !isTyped(field) ? 'colon' : 'none', notation);

const isTyped = (field: OutputField): boolean => !isFreeText(field.type) || isIdentifier(field);

/** Numbers and dates are searched up to the next caption, as their parts may be far apart. */
const rightOf = (field: OutputField, labels: LabelIndex, cell: Cell, isMarked: boolean): Value | null => {
  const { layout, isCaptioned } = labels;
  const found = layout.next(cell, 'right');
  if (!found || isCaptioned(found) || (!isMarked && isInCaptionColumn(labels, found))) return null;
  const next = layout.next(found, 'right');
  const isLast = !next || isCaptioned(next) || isInCaptionColumn(labels, next);
  const after = next && !isLast ? wordsOf(next) : [];
  const alone = valueIn(field, labels, wordsOf(found), isMarked);
  const value = alone ?? valueIn(field, labels, [...wordsOf(found), ...after], isMarked);
  const isOnly = !isFreeText(field.type) && (alone === null || valueIn(field, labels, after) === null);
  const isWhole = !isFreeText(field.type) || !isContinued(labels, cell, found);
  return value && { value, cell: found, isSure: (isLast || isOnly) && isWhole };
};

const belowOf = (field: OutputField, labels: LabelIndex, cell: Cell, isMarked: boolean): Value | null => {
  const { layout, isCaptioned } = labels;
  const found = layout.next(cell, 'below');
  if (!found || isCaptioned(found) || layout.peers(cell).some((peer) => isBetween(peer, cell, found)))
    return null;
  const value = valueIn(field, labels, layout.inColumn(found, cell));
  if (!value) return null;
  const isSure =
    (isTyped(field) ||
      ((isMarked || !startsWithCaption(found.text)) &&
        (isHeaded(labels, cell) || isStacked(labels, cell, found)))) &&
    !isOfTable(field, labels, cell, found);
  return { value, cell: found, isSure };
};

const isBetween = ({ spot }: Cell, above: Cell, below: Cell): boolean =>
  spot.top >= above.spot.bottom && spot.bottom <= below.spot.top;

/** Whether a value is in a table of items: under such heads, or with more values below. */
const isOfTable = (field: OutputField, labels: LabelIndex, cell: Cell, value: Cell): boolean => {
  const { layout, isCaptioned } = labels;
  const row = layout.row(cell);
  if (row.length < 2) return false;
  if (row.some((peer) => peer !== cell && wordsIn(peer.text).some((word) => ITEM_WORDS.includes(word))))
    return true;
  const next = layout.next(value, 'below');
  if (!next || isCaptioned(next)) return false;
  const words = layout.inColumn(next, cell);
  return words.length > 0 && valueIn(field, labels, words) !== null;
};

const nextTo = (field: OutputField, labels: LabelIndex, cell: Cell, side: 'above' | 'left'): Value | null => {
  const found = labels.layout.next(cell, side);
  if (!found || labels.isCaptioned(found)) return null;
  const words = side === 'above' ? labels.layout.inColumn(found, cell) : wordsOf(found);
  const value = valueIn(field, labels, words);
  return value && { value, cell: found, isSure: true };
};

/** Whether no caption is above or left of a value: the one below may be its own. */
const isUnclaimed = ({ layout, isCaptioned }: LabelIndex, above: Value | null): boolean =>
  above !== null &&
  (['above', 'left'] as const).every((side) => {
    const next = layout.next(above.cell, side);
    return next === null || !isCaptioned(next);
  });

/** Whether a cell is a caption of what is above: much nearer to it than to what follows. */
const isCaption = (layout: Layout, cell: Cell, above: Value | null): boolean => {
  const below = layout.next(cell, 'below');
  if (!above || !below) return false;
  return 2 * (gap(cell, above.cell, 'above') ?? 0) < (gap(cell, below, 'below') ?? 0);
};

/** Without boxes, the value in the next line, where that is no caption. */
const inNextLine = (
  field: OutputField,
  labels: LabelIndex,
  { index }: Section,
  score: number,
): readonly Candidate[] => {
  const next = labels.sections.find((one) => one.index === index + 1);
  const [first] = next?.clauses ?? [];
  if (!next || !first || first.mark !== 'none') return [];
  const value = valueIn(field, labels, first.value);
  if (!value) return [];
  return [candidate(value.text, NEXT_LINE * DOUBTED * score * value.certainty, next.line, value.words)];
};
