import { closed, meaning, type Of, oneOf, share, Type, text, whole } from '../../kernel/schema.ts';
import type { CellValue, ExtractedData, FieldValue, TableRow } from '../submission/processingResult.ts';

/**
 * How a value was read: `normalised` is right but for case, blanks and punctuation; `missing` was not found;
 * `wrong` is another one, also where there is none.
 */
export const verdicts = ['exact', 'normalised', 'missing', 'wrong'] as const;
export type Verdict = (typeof verdicts)[number];

/** A field as it was read, without its value. */
const FieldRead = closed({
  name: Type.String(),
  verdict: oneOf(verdicts),
  isFound: meaning(Type.Boolean(), 'whether there was a value'),
  confidence: share('how likely the value was said to be right'),
});
export type FieldRead = Of<typeof FieldRead>;

/** A document as a version read it, without its values. */
const Side = closed({
  confidence: share('that of the whole'),
  reasons: meaning(
    Type.Array(Type.String()),
    'the codes of why a person would have to see it, or of why it could not be read; empty: approved',
  ),
  fields: Type.Array(FieldRead),
});
export type Side = Of<typeof Side>;

/** A document as it was read when it came, and as the candidate reads it. */
export const Comparison = closed({
  submissionId: Type.String(),
  version: whole('by which it was read when it came'),
  isChecked: meaning(Type.Boolean(), 'whether a person approved it: else the truth is what was read'),
  before: meaning(Side, 'as it was read when it came'),
  after: meaning(Side, 'as the candidate reads it'),
  changed: meaning(Type.Array(text('a field')), 'the fields of which the two read other values'),
});
export type Comparison = Of<typeof Comparison>;

/** What a version read of a document. */
export type Reading = Omit<Side, 'fields'> &
  Readonly<{ values: ExtractedData; confidences: Readonly<Record<string, number>> }>;

type Judged = Pick<Comparison, 'submissionId' | 'version' | 'isChecked'> &
  Readonly<{ truth: ExtractedData; then: Reading; now: Reading }>;

/** Judges two readings of a document. A field that the truth does not have is not judged. */
export const compare = ({ truth, then, now, ...rest }: Judged): Comparison => ({
  ...rest,
  before: sideOf(truth, then),
  after: sideOf(truth, now),
  changed: Object.keys(truth).filter((name) => !isSame(valueIn(then, name), valueIn(now, name))),
});

const sideOf = (truth: ExtractedData, { values, confidences, confidence, reasons }: Reading): Side => ({
  ...{ confidence, reasons },
  fields: Object.entries(truth)
    .filter(([name]) => Object.hasOwn(values, name))
    .map(([name, right]) => {
      const found = values[name] ?? null;
      const isFound = found !== null;
      const sure = isFound && Object.hasOwn(confidences, name) ? (confidences[name] ?? 0) : 0;
      return { name, verdict: verdictOf({ truth: right, found }), isFound, confidence: sure };
    }),
});

const valueIn = ({ values }: Reading, name: string): FieldValue | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** Whether a value was read right, but for its spelling. */
export const isRight = ({ verdict }: Pick<FieldRead, 'verdict'>): boolean =>
  verdict === 'exact' || verdict === 'normalised';

/** Judges a value that was read. */
export const verdictOf = ({ truth, found }: Readonly<{ truth: FieldValue; found: FieldValue }>): Verdict => {
  if (isSame(found, truth)) return 'exact';
  if (found === null) return 'missing';
  return isSame(found, truth, comparable) ? 'normalised' : 'wrong';
};

type Spell = (cell: CellValue) => CellValue;

/** Whether two values are the same, tables by their rows; undefined where a version has no such field. */
const isSame = (one: FieldValue | undefined, other: FieldValue | undefined, spell?: Spell): boolean =>
  textOf(one, spell) === textOf(other, spell);

const textOf = (value: FieldValue | undefined, spell: Spell = (cell) => cell): string | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null) return JSON.stringify(spell(value));
  // Whoever made a row may have named its columns in another order.
  const cellsOf = (row: TableRow) =>
    Object.keys(row)
      .sort()
      .map((column) => [column, spell(row[column] ?? null)]);
  return JSON.stringify(value.map(cellsOf));
};

const comparable: Spell = (cell) =>
  typeof cell === 'string' ? cell.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '') : cell;
