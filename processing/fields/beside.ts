import type { OutputField } from '../../domain/workflow.ts';
import type { Word } from '../page.ts';
import { directionOf, hasBelow, isHeaded, isInCaptionColumn, isStacked } from './arrangement.ts';
import { type Candidate, candidate } from './candidate.ts';
import { isContinued } from './isContinued.ts';
import { wordsIn } from './labels.ts';
import { type Cell, gap, type Layout } from './layout.ts';
import type { Searched, Section } from './searched.ts';
import { type Fit, fitOf, isIdentifier } from './valueFit.ts';
import { ITEM_WORDS } from './vocabulary.ts';

const RIGHT = 0.96;
const BELOW = 0.9;
const NEXT_LINE = 0.84;
const LEFT = 0.6;
const ABOVE = 0.55;
/** What another reading competes with. */
const DOUBTED = 0.78;

type Value = Readonly<{ fit: Fit; cell: Cell; isSure: boolean }>;

/**
 * What stands beside a label that fills its cell: right of it, else below; of a caption below what it names,
 * above.
 */
export const besideLabel = (
  field: OutputField,
  searched: Searched,
  section: Section,
  isMarked: boolean,
  score: number,
): readonly Candidate[] => {
  const { cell } = section;
  if (!cell) return inNextLine(field, searched, section, score);
  const right = rightOf(field, searched, cell, isMarked);
  const below = belowOf(field, searched, cell, isMarked);
  const of = (value: Value, likely: number, isSure = value.isSure): Candidate =>
    candidate(
      value.fit.text,
      likely * score * value.fit.sure * (isSure ? 1 : DOUBTED),
      value.cell.line,
      value.fit.words,
    );
  if (right && isMarked) return [of(right, RIGHT)];
  const way = directionOf(searched, cell);
  if (right && way === 'right') return [of(right, RIGHT)];
  if (right && !below)
    return way === 'below'
      ? []
      : [of(right, RIGHT, right.isSure && (isTyped(field) || !hasBelow(searched, right.cell)))];
  if (right && below) {
    return way === 'below' ? [of(below, BELOW)] : [of(right, RIGHT, false), of(below, RIGHT, false)];
  }
  const above = aboveOf(field, searched, cell);
  if (below && way === 'right') return [of(below, BELOW, false)];
  if (below)
    return [
      of(
        below,
        isCaption(searched.layout, cell, above) ? ABOVE - 0.05 : BELOW,
        below.isSure && !isUnclaimed(searched, above),
      ),
      ...(above ? [of(above, ABOVE)] : []),
    ];
  return [
    ...(above ? [of(above, ABOVE)] : []),
    ...leftOf(field, searched, cell).map((value) => of(value, LEFT)),
  ];
};

const wordsOf = ({ parts }: Cell): readonly Word[] => parts.map(({ word }) => word);

/** Away from a label what is more than a value is sooner something else. */
const fitIn = (
  field: OutputField,
  { order }: Searched,
  words: readonly Word[],
  isMarked = false,
): Fit | null =>
  fitOf(
    field,
    words,
    isMarked || (field.type === 'string' && !isIdentifier(field)) ? 'colon' : 'none',
    order,
  );

/** Whether a value of the field is told from a caption by itself. */
const isTyped = (field: OutputField): boolean => field.type !== 'string' || isIdentifier(field);

/**
 * The cell right of a label; of numbers and dates all up to the next caption, as their parts may stand far
 * from each other.
 */
const rightOf = (field: OutputField, searched: Searched, cell: Cell, isMarked: boolean): Value | null => {
  const { layout, isCaptioned } = searched;
  const found = layout.next(cell, 'right');
  if (!found || isCaptioned(found) || (!isMarked && isInCaptionColumn(searched, found))) return null;
  const next = layout.next(found, 'right');
  const isLast = !next || isCaptioned(next) || isInCaptionColumn(searched, next);
  const after = next && !isLast ? wordsOf(next) : [];
  const alone = fitIn(field, searched, wordsOf(found), isMarked);
  const fit = alone ?? fitIn(field, searched, [...wordsOf(found), ...after], isMarked);
  const isOnly = field.type !== 'string' && (alone === null || fitIn(field, searched, after) === null);
  const isWhole = field.type !== 'string' || !isContinued(searched, cell, found);
  return fit && { fit, cell: found, isSure: (isLast || isOnly) && isWhole };
};

/** What stands in the very next row below a label. */
const belowOf = (field: OutputField, searched: Searched, cell: Cell, isMarked: boolean): Value | null => {
  const { layout, isCaptioned } = searched;
  const found = layout.next(cell, 'below');
  if (!found || isCaptioned(found) || layout.mates(cell).some((mate) => isBetween(mate, cell, found)))
    return null;
  const fit = fitIn(field, searched, layout.inColumn(found, cell));
  if (!fit) return null;
  const isSure =
    (isTyped(field) ||
      ((isMarked || !searched.isLabelLike(found)) &&
        (isHeaded(searched, cell) || isStacked(searched, cell, found)))) &&
    !isOfTable(field, searched, cell, found);
  return { fit, cell: found, isSure };
};

const isBetween = ({ spot }: Cell, above: Cell, below: Cell): boolean =>
  spot.top >= above.spot.bottom && spot.bottom <= below.spot.top;

/** Whether a value is one of a table of items: under such heads, or with more of its kind below. */
const isOfTable = (field: OutputField, searched: Searched, cell: Cell, value: Cell): boolean => {
  const { layout, isCaptioned } = searched;
  const row = layout.row(cell);
  if (row.length < 2) return false;
  if (row.some((mate) => mate !== cell && wordsIn(mate.text).some((word) => ITEM_WORDS.includes(word))))
    return true;
  const next = layout.next(value, 'below');
  if (!next || isCaptioned(next)) return false;
  const words = layout.inColumn(next, cell);
  return words.length > 0 && fitIn(field, searched, words) !== null;
};

const aboveOf = (field: OutputField, searched: Searched, cell: Cell): Value | null => {
  const found = searched.layout.next(cell, 'above');
  if (!found || searched.isCaptioned(found)) return null;
  const fit = fitIn(field, searched, searched.layout.inColumn(found, cell));
  return fit && { fit, cell: found, isSure: true };
};

const leftOf = (field: OutputField, searched: Searched, cell: Cell): readonly Value[] => {
  const found = searched.layout.next(cell, 'left');
  if (!found || searched.isCaptioned(found)) return [];
  const fit = fitIn(field, searched, wordsOf(found));
  return fit ? [{ fit, cell: found, isSure: true }] : [];
};

/** Whether no caption stands above or beside a value: the one below it may be its own. */
const isUnclaimed = ({ layout, isCaptioned }: Searched, above: Value | null): boolean =>
  above !== null &&
  (['above', 'left'] as const).every((side) => {
    const next = layout.next(above.cell, side);
    return next === null || !isCaptioned(next);
  });

/** Captions stand below what they name, much nearer to it than to what follows. */
const isCaption = (layout: Layout, cell: Cell, above: Value | null): boolean => {
  const below = layout.next(cell, 'below');
  if (!above || !below) return false;
  return 2 * (gap(cell, above.cell, 'above') ?? 0) < (gap(cell, below, 'below') ?? 0);
};

/** Without boxes: the next line, where it is no caption. */
const inNextLine = (
  field: OutputField,
  searched: Searched,
  { index }: Section,
  score: number,
): readonly Candidate[] => {
  const next = searched.sections.find((one) => one.index === index + 1);
  const [first] = next?.clauses ?? [];
  if (!next || !first || first.mark !== 'none') return [];
  const fit = fitIn(field, searched, first.value);
  return fit ? [candidate(fit.text, NEXT_LINE * DOUBTED * score * fit.sure, next.line, fit.words)] : [];
};
