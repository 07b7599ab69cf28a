import type { EvaluatedField, EvaluationReport } from '../../../client/api.ts';
import { Plot } from '../../parts/plot.tsx';
import { number } from '../../parts/quantity.ts';
import { type ShortColumn, ShortTable } from '../../parts/shortTable.tsx';
import { say, texts } from '../../texts.ts';
import { decimal, percent, rangeOf, shareOf } from './words.ts';

const own = texts.evaluations;

type FiguresProps = Readonly<{ report: EvaluationReport }>;

/** What the candidate makes of the set, beside how it was read when it came. */
export const Figures = ({ report }: FiguresProps) => (
  <>
    <section>
      <h2>{own.people}</h2>
      <Approvals report={report} />
    </section>
    <section>
      <h2>{own.fields}</h2>
      <Fields report={report} />
    </section>
    <div class="plots">
      <Calibration report={report} />
    </div>
  </>
);

const Approvals = ({ report: { before, after } }: FiguresProps) => (
  <ShortTable
    label={own.people}
    columns={[
      { text: own.share, cell: (name) => own.approvals[name] },
      { text: own.columns.candidate, cell: (name) => rangeOf(after[name]) },
      { text: own.then, cell: (name) => rangeOf(before[name]) },
    ]}
    rows={['approved', 'wrongApproved'] as const}
    keyOf={(name) => name}
  />
);

const Fields = ({ report: { before, after, reviewBelow } }: FiguresProps) => {
  const rightThen = (name: string) => before.fields.find((field) => field.name === name)?.right ?? null;
  const counts: readonly ShortColumn<EvaluatedField>[] = (
    ['exact', 'normalised', 'missing', 'wrong'] as const
  ).map((name) => ({ text: own.counts[name], align: 'end', cell: (field) => number(field[name]) }));
  return (
    <ShortTable
      label={own.fields}
      columns={[
        { text: own.field, cell: ({ name }) => name },
        {
          text: own.right,
          cell: ({ name, right }) =>
            say(own.rightThen, { range: rangeOf(right), before: shareOf(rightThen(name)) }),
        },
        ...counts,
        {
          text: say(own.wrongSure, { threshold: decimal(reviewBelow) }),
          align: 'end',
          cell: ({ wrongSure }) => number(wrongSure),
        },
      ]}
      rows={after.fields}
      keyOf={({ name }) => name}
    />
  );
};

type Bands = EvaluationReport['after']['calibration'];

const rightIn = (bands: Bands): readonly (number | null)[] =>
  bands.map(({ count, right }) => (count === 0 ? null : (100 * right) / count));

/** Whether a confidence says how many are right: then the lines lie on the one of exact confidences. */
const Calibration = ({ report: { before, after } }: FiguresProps) => (
  <Plot
    title={own.calibration}
    step="confidence"
    times={after.calibration.map(({ from, to }) => `${decimal(from)}–${decimal(to)}`)}
    series={[
      { name: own.columns.candidate, values: rightIn(after.calibration) },
      { name: own.then, values: rightIn(before.calibration) },
      { name: own.ideal, values: after.calibration.map(({ from, to }) => 50 * (from + to)) },
    ]}
    format={(value) => percent(value / 100)}
    atLeast={100}
  />
);
