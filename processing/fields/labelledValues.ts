import type { OutputField } from '../../domain/workflow.ts';
import { fieldTypes, isFreeText, isNumeric, isText } from '../../fieldTypes/all.ts';
import { textOf, type Word } from '../page.ts';
import { adjacentValues } from './adjacentValues.ts';
import { isContinued } from './arrangement.ts';
import { type Candidate, candidate, doubtful } from './candidate.ts';
import type { Clause } from './captions.ts';
import type { LabelIndex, Section } from './labelIndex.ts';
import { type LabelMatcher, labelMatcher } from './labelMatcher.ts';
import { typedValueIn } from './readings.ts';
import { DOUBTED, isSum } from './typedValue.ts';

/**
 * Values beside a field's label: after it in its cell, else in the cell right of it or below; `isLabelled`:
 * there is a label, with a value or without. A label is all before a mark, or the start of a cell, but not
 * words of a sentence. Values of a doubtful type, or that compete with another reading, are below the usual
 * review threshold.
 */
export const labelledValues = (field: OutputField, labels: LabelIndex) => {
  const matcher = labelMatcher(field, labels.fields);
  const found = labels.sections.flatMap((section) => [
    ...section.clauses.flatMap((clause, index) =>
      labelsIn({ field, labels, matcher }, section, clause, index),
    ),
    ...(fieldTypes[field.type].schema.type === 'boolean' ? boxed(section, matcher) : []),
  ]);
  const scores = (isFilled: boolean): number =>
    Math.max(0, ...found.filter((one) => one.candidates.length > 0 === isFilled).map(({ score }) => score));
  // Where the field's best label has no value, that of another label is a guess.
  const isElsewhere = scores(false) > scores(true);
  const candidates = found.flatMap((one) => one.candidates);
  return {
    candidates: isElsewhere ? candidates.map(doubtful) : candidates,
    isLabelled: found.some(({ score }) => score >= LABEL),
  };
};

/** A label that was found: how certainly it is one, and the values beside it. */
type Label = Readonly<{ score: number; candidates: readonly Candidate[] }>;

const MARKED = 0.97;
const UNMARKED = 0.95;
const GUESSED = 0.8;
/** "Total - 5.00", where no other hyphen tells whether this one is a minus. */
const MINUS_OR_MARK = 0.8;
const BEFORE = 0.6;
const LABEL = 0.8;

/** The search of a field's labels in a document. */
type Search = Readonly<{ field: OutputField; labels: LabelIndex; matcher: LabelMatcher }>;

const labelsIn = (search: Search, section: Section, clause: Clause, index: number): readonly Label[] => {
  const { field, labels, matcher } = search;
  if (clause.mark === 'none') return unmarked(search, section, clause);
  const score = matcher.whole(clause.caption);
  if (score === 0) return [];
  const isLast = index === section.clauses.length - 1;
  const sure = score * (clause.isGuess ? GUESSED : 1);
  if (clause.value.length === 0)
    return [{ score, candidates: isLast ? adjacentValues(field, labels, section, true, sure) : [] }];
  const value = isLast && !isFreeText(field.type) ? withRest(section, clause) : clause.value;
  const found = typedValueIn(field, value, clause.mark, labels.notation);
  const isPart =
    isLast &&
    isFreeText(field.type) &&
    section.cell !== null &&
    isContinued(labels, section.cell, section.cell);
  const isOneOfTwo = [clause.caption, clause.value].every((words) => words.some(({ text }) => text === '/'));
  const isRow = isLast && isRowOfNumbers(labels, section);
  const isDoubtful = clause.mark === 'hyphen' && !labels.hasHyphens && !isText(field.type);
  const doubt = (isDoubtful ? MINUS_OR_MARK : 1) * (isRow ? ROW : 1) * (isPart || isOneOfTwo ? PART : 1);
  const candidates = found
    ? [candidate(found.text, MARKED * sure * found.certainty * doubt, section.line, found.words)]
    : [];
  return [{ score: isRow ? 0 : score, candidates }];
};

/** "Total: 89.50   5.37": the foot of a table, any of whose columns may be meant. */
const isRowOfNumbers = ({ layout, isCaptioned }: LabelIndex, { cell }: Section): boolean => {
  const next = cell && layout.next(cell, 'right');
  return (
    next !== null && !isCaptioned(next) && /^\W*\d[\d.,]*\W*$/.test(next.text) && /\d/.test(cell?.text ?? '')
  );
};
const ROW = 0.7;
/** For a text that the next line continues, and for "Seller / Buyer: A / B". */
const PART = 0.78;

const NEAR = 4;

/** The words of a value: a sum may be far behind its currency. */
const withRest = ({ line, clauses }: Section, { value }: Clause): readonly Word[] => {
  if (value.some(({ text }) => /\d/.test(text)) || clauses.length > 1) return value;
  return line.words.slice(line.words.indexOf(value[0] as Word)).slice(0, Math.max(NEAR, value.length));
};

/** A label at the start of a cell without a mark. */
const unmarked = (search: Search, section: Section, { value: words, isGuess }: Clause): readonly Label[] => {
  const { field, labels, matcher } = search;
  const rated = isSum(field) && RATED.test(textOf(words)) ? matcher.whole(words) : 0;
  const besideRate =
    rated > 0 && section.clauses.length === 1 ? adjacentValues(field, labels, section, false, rated) : [];
  if (besideRate.length > 0) return [{ score: rated, candidates: besideRate }];
  const label = matcher.leading(words);
  if (!label) return counted(search, section, words);
  const { score } = label;
  const rest = words.slice(label.count);
  if (rest.length === 0) {
    const isOnly = section.clauses.length === 1;
    return [{ score, candidates: isOnly ? adjacentValues(field, labels, section, false, score) : [] }];
  }
  const found = typedValueIn(field, rest, 'none', labels.notation);
  if (!found) return [];
  const likelihood = UNMARKED * score * found.certainty * (isGuess ? GUESSED : 1);
  const isLabel =
    found.certainty >= LABEL ||
    (fieldTypes[field.type].schema.type === 'number' && found.certainty <= DOUBTED);
  const candidates = [candidate(found.text, likelihood, section.line, found.words)];
  return [{ score: isLabel ? score : 0, candidates }];
};

/** "VAT 20%" above or left of the sum. */
const RATED = /^\D+[\d.,]+\s?%\s?\)?:?$/;

/**
 * "[x] Paid [ ] Refunded": boxes before their labels, where no label stands before the first or no box after
 * the last.
 */
const boxed = ({ line, clauses }: Section, matcher: LabelMatcher): readonly Label[] => {
  const words = clauses.flatMap(({ caption, value }) => [...caption, ...value]);
  const counts = words.map((_, index) => boxAt(words, index));
  const starts = counts.flatMap((count, index) => (count > 0 ? [index] : []));
  if (starts[0] !== 0) return [];
  return starts.flatMap((start, index) => {
    const count = counts[start] ?? 0;
    const caption = words.slice(start + count, starts[index + 1]);
    const score = caption.length === 0 ? 0 : matcher.whole(caption);
    if (score === 0) return [];
    const box = words.slice(start, start + count);
    return [{ score, candidates: [candidate(textOf(box), MARKED * score, line, box)] }];
  });
};

/** How many words from an index on are a box, with a cross or without; 0 where there is none. */
const boxAt = (words: readonly Word[], index: number): number =>
  [1, 2, 3].find((count) => BOX.test(textOf(words.slice(index, index + count)))) ?? 0;

const BOX = /^(?:\[\s?[x✓✔]?\s?\]|[☐☑☒])$/i;

/** "12 pieces": a number before its label. */
const counted = (
  { field, labels, matcher }: Search,
  { line }: Section,
  words: readonly Word[],
): readonly Label[] => {
  if (!isNumeric(field.type)) return [];
  const at = words.findLastIndex(({ text }) => /\d/.test(text));
  const number = words[at];
  const label = at < 0 ? 0 : matcher.whole(words.slice(at + 1));
  const found = number && label > 0 ? typedValueIn(field, [number], 'none', labels.notation) : null;
  return found ? [{ score: 0, candidates: [candidate(found.text, BEFORE * label, line, found.words)] }] : [];
};
