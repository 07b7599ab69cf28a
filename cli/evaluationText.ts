import type { Of } from '../kernel/schema.ts';
import type {
  EvaluationFigures,
  EvaluationReport,
  EvaluationWithReport,
  ShareInterval,
} from '../schemas/evaluations.ts';
import { table } from './output.ts';

type Report = Of<typeof EvaluationReport>;
type Figures = Of<typeof EvaluationFigures>;

/** The report of an evaluation, for people. */
export const evaluationText = async (answer: Of<typeof EvaluationWithReport>): Promise<string> => {
  const { report, workflow, status, found, redacted, omitted } = answer;
  const { documents, checked } = report;
  const name = workflow.version === null ? 'the draft' : `version ${workflow.version}`;
  if (documents === 0) return `There is nothing to compare ${name} of ${workflow.slug} with.`;
  return [
    `${workflow.slug}, ${name}, on ${documents} of ${found} approved submissions (${status}); in brackets as they were read when they came.`,
    ...(redacted + omitted > 0
      ? [`${redacted + omitted} are left out: redacted, without their files, or with a forced outcome.`]
      : []),
    ...(checked < documents
      ? [`A person approved ${checked} of them: of the others, what was read then counts as right.`]
      : []),
    '',
    await figuresText(report),
    answer.evaluationId,
  ].join('\n');
};

/** The figures of a report and its advice, for people. */
export const figuresText = async (report: Report): Promise<string> => {
  const { before, after } = report;
  const fields = await table(after.fields, {
    FIELD: (field) => field.name,
    RIGHT: (field) => `${percent(field.right)} (${percent(rightOf(before, field.name))})`,
    EXACT: ({ exact }) => exact,
    NORMALISED: ({ normalised }) => normalised,
    MISSING: ({ missing }) => missing,
    WRONG: ({ wrong }) => wrong,
    [`SURE AT ${report.reviewBelow}`]: ({ sure, name }) => `${sure} (${sureOf(before, name)})`,
    WRONGLY: ({ wrongSure }) => wrongSure,
    ADVISED: ({ name }) => advisedOf(report, name),
  });
  return [
    fields,
    '',
    `approved without a person  ${ofBoth(before.approved, after.approved)}`,
    `of these wrong             ${ofBoth(before.wrongApproved, after.wrongApproved)}`,
    `read differently           ${report.differences.length} values`,
    `approved differently       ${report.approvals.length} submissions`,
    '',
    adviceText(report.advice),
  ].join('\n');
};

const advisedOf = ({ advice }: Report, name: string): number | null =>
  advice?.fields.find((field) => field.name === name)?.threshold?.reviewBelow ?? null;

const sureOf = ({ fields }: Figures, name: string): number =>
  fields.find((field) => field.name === name)?.sure ?? 0;

const rightOf = ({ fields }: Figures, name: string) =>
  fields.find((field) => field.name === name)?.right ?? null;

type Interval = Of<typeof ShareInterval> | null;

const inPercent = (value: number): string => `${(value * 100).toFixed(1)} %`;
const percent = (interval: Interval): string => (interval ? inPercent(interval.share) : '-');
const withBounds = (interval: Interval): string =>
  interval ? `${percent(interval)}, from ${inPercent(interval.from)} to ${inPercent(interval.to)}` : '-';
const ofBoth = (before: Interval, after: Interval): string => `${withBounds(after)} (${withBounds(before)})`;

const adviceText = (advice: Report['advice']): string => {
  if (!advice) return '';
  const { threshold, reviews, maxWrong, needed, total } = advice;
  const goal = `at most ${inPercent(maxWrong)} wrong of what no person sees`;
  if (!threshold)
    return total < needed
      ? `No threshold can be advised for ${goal}: it takes ${needed} submissions without a wrong one, and there are ${total}.`
      : `No threshold holds for ${goal}.`;
  const { reviewBelow, approved, wrong } = threshold;
  return `For ${goal}, reviewBelow ${reviewBelow} holds with 95 % confidence (${wrong} of ${approved} wrong): reviews go from ${inPercent(reviews.before)} to ${inPercent(reviews.advised ?? 1)}.`;
};
