import { groupBy } from '../../kernel/groupBy.ts';
import { type Advice, advise, type Read } from './advice.ts';
import { type Interval, intervalOf } from './intervals.ts';
import { type Comparison, type FieldRead, isRight, type Side, type Verdict } from './judge.ts';

/** What became of a field; `sure` are those at or above the threshold, `wrongSure` the wrong ones of them. */
export type FieldFigures = Readonly<Record<Verdict, number>> &
  Readonly<{ name: string; sure: number; wrongSure: number; right: Interval | null }>;

/** Of those that found a value with a confidence from `from` up to below `to`, how many are right. */
export type Band = Readonly<{ from: number; to: number; count: number; right: number }>;

/**
 * What a version makes of a set. `approved`: without a person; `wrongApproved`: the share of these of which a
 * required field is wrong or missing.
 */
export type Figures = Readonly<{
  fields: readonly FieldFigures[];
  calibration: readonly Band[];
  approved: Interval | null;
  wrongApproved: Interval | null;
}>;

/** What a candidate requires, and the confidence below which a person must look. */
export type Measured = Readonly<{ required: readonly string[]; reviewBelow: number }>;

/** Whether a required field of a document is wrong or missing. */
const isWrong = ({ fields }: Side, required: readonly string[]): boolean =>
  required.some((name) => {
    const read = fields.find((field) => field.name === name);
    return read !== undefined && !isRight(read);
  });

const isApproved = ({ reasons }: Side): boolean => reasons.length === 0;

/** How many a version approves without a person; of `wrong` ones a required field is wrong or missing. */
export const approvedOf = (sides: readonly Side[], required: readonly string[]) => {
  const approved = sides.filter(isApproved);
  return { approved: approved.length, wrong: approved.filter((side) => isWrong(side, required)).length };
};

/** The figures of a version. */
const figuresOf = (sides: readonly Side[], { required, reviewBelow }: Measured): Figures => {
  const { approved, wrong } = approvedOf(sides, required);
  const reads = sides.flatMap(({ fields }) => fields);
  return {
    fields: [...groupBy(reads, ({ name }) => name)].map(([name, all]) =>
      fieldFigures(name, all, reviewBelow),
    ),
    calibration: bandsOf(
      reads
        .filter(({ isFound }) => isFound)
        .map((read) => ({ confidence: read.confidence, isRight: isRight(read) })),
    ),
    approved: intervalOf(approved, sides.length),
    wrongApproved: intervalOf(wrong, approved),
  };
};

const fieldFigures = (name: string, reads: readonly FieldRead[], reviewBelow: number): FieldFigures => {
  const count = (verdict: Verdict): number => reads.filter((read) => read.verdict === verdict).length;
  const [exact, normalised] = [count('exact'), count('normalised')];
  const sure = reads.filter(({ confidence }) => confidence >= reviewBelow);
  return {
    ...{ name, exact, normalised, missing: count('missing'), wrong: count('wrong') },
    sure: sure.length,
    wrongSure: sure.filter((read) => read.verdict === 'wrong').length,
    right: intervalOf(exact + normalised, reads.length),
  };
};

const EDGES = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01];

/** How far confidences can be trusted: values that were found, in bands of their confidence. */
export const bandsOf = (
  found: readonly Readonly<{ confidence: number; isRight: boolean }>[],
): readonly Band[] =>
  EDGES.slice(1).map((to, index) => {
    const from = EDGES[index] ?? 0;
    const within = found.filter(({ confidence }) => confidence >= from && confidence < to);
    const right = within.filter((one) => one.isRight);
    return { from, to: Math.min(1, to), count: within.length, right: right.length };
  });

/** A field that two versions read differently; null where one of them has no such field. */
export type Difference = Readonly<{ submissionId: string; name: string }> &
  Readonly<{ before: FieldRead | null; after: FieldRead | null }>;

/** The fields of which two versions read other values, document by document. */
const differencesOf = (comparisons: readonly Comparison[]): readonly Difference[] =>
  comparisons.flatMap(({ submissionId, before, after, changed }) => {
    const read = ({ fields }: Side, name: string) => fields.find((field) => field.name === name) ?? null;
    return changed.map((name) => ({
      ...{ submissionId, name },
      ...{ before: read(before, name), after: read(after, name) },
    }));
  });

/** The documents that only one of two versions approves without a person. */
const approvalsChanged = (comparisons: readonly Comparison[]) =>
  comparisons.flatMap(({ submissionId, before, after }) =>
    isApproved(before) === isApproved(after) ? [] : [{ submissionId, isApproved: isApproved(after) }],
  );

/** Reasons that a threshold takes away, or a version that has none reviewed always. */
const BY_THRESHOLD = ['low_confidence', 'always_review'];

/** What a threshold of the whole would let through, in which a wrong value may be. */
const readsOf = (sides: readonly Side[], required: readonly string[]): readonly Read[] =>
  sides
    .filter(({ reasons }) => reasons.every((reason) => BY_THRESHOLD.includes(reason)))
    .map((side) => ({ confidence: side.confidence, isWrong: isWrong(side, required) }));

/** What a threshold of a required field alone would let through: the values that were read of it. */
const fieldAdvice = (sides: readonly Side[], name: string, maxWrong: number): FieldAdvice => {
  const reads = sides
    .flatMap(({ fields }) => fields.filter((field) => field.name === name))
    .map((read) => ({ confidence: read.confidence, isWrong: !isRight(read) }));
  return { name, threshold: advise(reads, maxWrong).threshold };
};

/** The threshold that holds for the values of a field, each by itself; null where none does. */
type FieldAdvice = Readonly<{ name: string }> & Pick<Advice, 'threshold'>;

/**
 * The threshold that holds for the candidate, and the shares of documents that people see: as they were read,
 * with the candidate as it is, and with that threshold; null where none holds. `fields`: the required ones;
 * `maxWrong`: the share that was wished.
 */
export type Advised = Advice &
  Readonly<{ maxWrong: number; fields: readonly FieldAdvice[] }> &
  Readonly<{ reviews: Readonly<{ before: number; after: number; advised: number | null }> }>;

/** What a set of documents says of a candidate. */
export type Report = Readonly<{
  documents: number;
  /** How many of them a person approved. */
  checked: number;
  /** The threshold of the candidate. */
  reviewBelow: number;
  before: Figures;
  after: Figures;
  differences: readonly Difference[];
  approvals: readonly Readonly<{ submissionId: string; isApproved: boolean }>[];
  /** Null of no documents. */
  advice: Advised | null;
}>;

/** The report on a candidate; `maxWrong`: the share that may be wrong of what no person sees. */
export const reportOf = (
  comparisons: readonly Comparison[],
  measured: Measured,
  maxWrong: number,
): Report => {
  const [before, after] = [comparisons.map((one) => one.before), comparisons.map((one) => one.after)];
  const reviewed = (sides: readonly Side[]): number =>
    sides.filter((side) => !isApproved(side)).length / sides.length;
  const advice = advise(readsOf(after, measured.required), maxWrong);
  const { threshold } = advice;
  const advised = threshold && 1 - threshold.approved / after.length;
  return {
    documents: comparisons.length,
    checked: comparisons.filter(({ isChecked }) => isChecked).length,
    reviewBelow: measured.reviewBelow,
    before: figuresOf(before, measured),
    after: figuresOf(after, measured),
    differences: differencesOf(comparisons),
    approvals: approvalsChanged(comparisons),
    advice:
      after.length === 0
        ? null
        : {
            maxWrong,
            ...advice,
            fields: measured.required.map((name) => fieldAdvice(after, name, maxWrong)),
            reviews: { before: reviewed(before), after: reviewed(after), advised },
          },
  };
};
