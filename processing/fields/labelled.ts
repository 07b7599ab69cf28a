import type { OutputField } from '../../domain/workflow.ts';
import type { Word } from '../page.ts';
import { besideLabel } from './beside.ts';
import { type Candidate, candidate } from './candidate.ts';
import type { Clause } from './captions.ts';
import { isContinued } from './isContinued.ts';
import { type LabelMatcher, labelMatcher } from './labelMatcher.ts';
import type { Searched, Section } from './searched.ts';
import { DOUBTED, fitOf } from './valueFit.ts';

/** What stands beside the labels of a field, and whether any is there, with a value or without. */
export type Found = Readonly<{ candidates: readonly Candidate[]; isLabelled: boolean }>;

/**
 * Values beside a field's label: behind it in its cell, else in the cell right of it or below. A label is all
 * that stands before a mark, or the beginning of a cell; words of a sentence are none. What fits a field
 * less, or what another reading competes with, is below the usual review threshold.
 */
export const labelled = (field: OutputField, searched: Searched): Found => {
  const matcher = labelMatcher(field, searched.asked);
  const found = searched.sections.flatMap((section) =>
    section.clauses.flatMap((clause, index) => ofClause(field, searched, matcher, section, clause, index)),
  );
  const scores = (isFilled: boolean): number =>
    Math.max(0, ...found.filter((one) => one.candidates.length > 0 === isFilled).map(({ score }) => score));
  // Where the field's own label has no value, what another one says is a guess.
  const isElsewhere = scores(false) > scores(true);
  const candidates = found.flatMap((one) => one.candidates);
  return {
    candidates: isElsewhere ? candidates.map(unsure) : candidates,
    isLabelled: found.some(({ score }) => score >= LABEL),
  };
};

/** A value that is found elsewhere than beside a label that is there is for a person to look at. */
const ELSEWHERE = 0.75;

/** A candidate that is below the usual review threshold. */
export const unsure = (one: Candidate): Candidate => ({
  ...one,
  confidence: Math.min(ELSEWHERE, one.confidence),
});

/** A label that was found: how surely it is one, and what stands beside it. */
type Label = Readonly<{ score: number; candidates: readonly Candidate[] }>;

const MARKED = 0.97;
const UNMARKED = 0.95;
const GUESSED = 0.8;
/** "Total - 5.00", where no other hyphen tells whether this one is a minus. */
const MINUS_OR_MARK = 0.8;
/** Numbers before what they count. */
const BEFORE = 0.6;
/** So sure is a label itself, rather than something like it. */
const LABEL = 0.8;

const ofClause = (
  field: OutputField,
  searched: Searched,
  matcher: LabelMatcher,
  section: Section,
  clause: Clause,
  index: number,
): readonly Label[] => {
  if (clause.mark === 'none') return unmarked(field, searched, matcher, section, clause);
  const score = matcher.whole(clause.caption);
  if (score === 0) return [];
  const isLast = index === section.clauses.length - 1;
  const sure = score * (clause.isGuess ? GUESSED : 1);
  if (clause.value.length === 0)
    return [{ score, candidates: isLast ? besideLabel(field, searched, section, true, sure) : [] }];
  const value = isLast && field.type !== 'string' ? withRest(section, clause) : clause.value;
  const fit = fitOf(field, value, clause.mark, searched.order);
  const isPart =
    isLast &&
    field.type === 'string' &&
    section.cell !== null &&
    isContinued(searched, section.cell, section.cell);
  const isOneOfTwo = [clause.caption, clause.value].every((words) => words.some(({ text }) => text === '/'));
  const isRow = isLast && isRowOfNumbers(searched, section);
  const isDoubtful =
    clause.mark === 'hyphen' && !searched.hasHyphens && field.type !== 'string' && field.type !== 'date';
  const candidates = fit
    ? [
        candidate(
          fit.text,
          MARKED *
            sure *
            fit.sure *
            (isDoubtful ? MINUS_OR_MARK : 1) *
            (isRow ? ROW : 1) *
            (isPart || isOneOfTwo ? PART : 1),
          section.line,
          fit.words,
        ),
      ]
    : [];
  return [{ score: isRow ? 0 : score, candidates }];
};

/** "Total: 89.50   5.37": the foot of a table, of whose columns the first is as good as the others. */
const isRowOfNumbers = ({ layout, isCaptioned }: Searched, { cell }: Section): boolean => {
  const next = cell && layout.next(cell, 'right');
  return (
    next !== null && !isCaptioned(next) && /^\W*\d[\d.,]*\W*$/.test(next.text) && /\d/.test(cell?.text ?? '')
  );
};
const ROW = 0.7;
/** What the next line goes on with, or of "Seller / Buyer: A / B". */
const PART = 0.78;

/** A sum may stand far behind its currency. */
const withRest = ({ line, clauses }: Section, { value }: Clause): readonly Word[] => {
  if (value.some(({ text }) => /\d/.test(text)) || clauses.length > 1) return value;
  return line.words.slice(line.words.indexOf(value[0] as Word)).slice(0, 4);
};

const unmarked = (
  field: OutputField,
  searched: Searched,
  matcher: LabelMatcher,
  section: Section,
  { value: words, isGuess }: Clause,
): readonly Label[] => {
  const label = matcher.leading(words);
  if (!label) return counted(field, searched, matcher, section, words);
  const { score } = label;
  const rest = words.slice(label.count);
  if (rest.length === 0)
    return section.clauses.length > 1
      ? [{ score, candidates: [] }]
      : [{ score, candidates: besideLabel(field, searched, section, false, score) }];
  const fit = fitOf(field, rest, 'none', searched.order);
  if (!fit) return [];
  const likely = UNMARKED * score * fit.sure * (isGuess ? GUESSED : 1);
  return [
    {
      score: fit.sure >= LABEL || (field.type === 'number' && fit.sure <= DOUBTED) ? score : 0,
      candidates: [candidate(fit.text, likely, section.line, fit.words)],
    },
  ];
};

/** "12 pieces". */
const counted = (
  field: OutputField,
  { order }: Searched,
  matcher: LabelMatcher,
  { line }: Section,
  words: readonly Word[],
): readonly Label[] => {
  if (field.type !== 'number' && field.type !== 'integer') return [];
  const at = words.findLastIndex(({ text }) => /\d/.test(text));
  const number = words[at];
  const label = at < 0 ? 0 : matcher.whole(words.slice(at + 1));
  const fit = number && label > 0 ? fitOf(field, [number], 'none', order) : null;
  return fit ? [{ score: 0, candidates: [candidate(fit.text, BEFORE * label, line, fit.words)] }] : [];
};
