import { USUAL_MAX_WRONG } from '../../domain/evaluation/advice.ts';
import { measuredOf, type Evaluation as State } from '../../domain/evaluation/evaluation.ts';
import type { Comparison, FieldRead } from '../../domain/evaluation/judge.ts';
import { type Band, type Report, reportOf } from '../../domain/evaluation/report.ts';
import type { EvaluationDocument } from '../../projections/evaluations.ts';
import {
  type Evaluation,
  EvaluationPlot,
  EvaluationTable,
  EvaluationWithReport,
} from '../../schemas/evaluations.ts';
import { type evaluationId, maxWrong } from '../../schemas/parameters.ts';
import { type Plot, svgOf } from '../engine/plot.ts';
import { Problem } from '../engine/problems/problem.ts';
import { type Route, route } from '../engine/route.ts';

type One = Readonly<{
  access: 'workflows.evaluate';
  path: '/api/v1/evaluations/{evaluationId}';
  parameters: Readonly<{ evaluationId: typeof evaluationId }>;
}>;
/** A request about one evaluation. */
export type OneRequest = Readonly<{
  caller: Readonly<{ companyId: string; mode: string }>;
  parameters: Readonly<{ evaluationId: string }>;
}>;

/** The report on a candidate as JSON, as CSV and as a plot (evaluations-9, evaluations-11). */
export const evaluationReports = (
  ports: Readonly<{ current(evaluationId: string): Promise<State | null> }>,
  one: One,
  find: (request: OneRequest) => Promise<EvaluationDocument | null>,
  answerOf: (document: EvaluationDocument) => Evaluation,
): readonly Route[] => {
  const current = async ({ id }: EvaluationDocument): Promise<State> => {
    const state = await ports.current(id);
    if (state === null) throw new Problem('not-found');
    return state;
  };
  const report = async (document: EvaluationDocument, share: number = USUAL_MAX_WRONG): Promise<Report> => {
    const state = await current(document);
    return reportOf(state.comparisons, measuredOf(state), share);
  };
  return [
    route({
      ...one,
      name: 'getEvaluation',
      summary: 'Get an evaluation with its report: how each field was read, then and by the candidate',
      description:
        'The report is about what was read until now. `maxWrong` asks for a threshold: the lowest with which, with 95 % confidence, no larger share is wrong of what no person sees.',
      method: 'GET',
      query: { maxWrong },
      answers: { 200: EvaluationWithReport },
    })({
      find,
      run: async ({ found, query }) => ({
        status: 200,
        body: { ...answerOf(found), report: await report(found, query.maxWrong) },
      }),
    }),
    route({
      ...one,
      name: 'getEvaluationTable',
      summary: 'Get what was read in an evaluation, field by field, as CSV',
      description: 'No values: how each is judged, and how sure it was.',
      method: 'GET',
      path: `${one.path}/report.csv`,
      answers: { 200: EvaluationTable },
      media: 'text/csv; charset=utf-8',
    })({
      find,
      run: async ({ found }) => ({ status: 200, body: tableOf((await current(found)).comparisons) }),
    }),
    route({
      ...one,
      name: 'getEvaluationPlot',
      summary: 'Get how many values of an evaluation are right, by confidence, as SVG',
      description: 'As they were read when they came, and by the candidate.',
      method: 'GET',
      path: `${one.path}/report.svg`,
      answers: { 200: EvaluationPlot },
      media: 'image/svg+xml',
    })({
      find,
      run: async ({ found }) => ({ status: 200, body: svgOf(plotOf(await report(found))) }),
    }),
  ];
};

const COLUMNS = [
  ...['submission', 'version', 'checked', 'field', 'changed'],
  ...['before', 'before_confidence', 'before_reasons', 'after', 'after_confidence', 'after_reasons'],
];

/** Names of fields are letters, digits and underscores: nothing needs quotes. */
const tableOf = (comparisons: readonly Comparison[]): string =>
  [COLUMNS, ...comparisons.flatMap(linesOf)].map((cells) => `${cells.join(',')}\r\n`).join('');

const linesOf = ({ submissionId, version, isChecked, before, after, changed }: Comparison) => {
  const names = new Set([...before.fields, ...after.fields].map(({ name }) => name));
  const cells = (fields: readonly FieldRead[], name: string, reasons: readonly string[]) => {
    const read = fields.find((field) => field.name === name);
    return [read?.verdict ?? '', read?.confidence ?? '', reasons.join(' ')];
  };
  return [...names].map((name) => [
    ...[submissionId, version, isChecked, name, changed.includes(name)],
    ...cells(before.fields, name, before.reasons),
    ...cells(after.fields, name, after.reasons),
  ]);
};

const plotOf = ({ before, after }: Pick<Report, 'before' | 'after'>): Plot => {
  const points = (bands: readonly Band[]) =>
    bands
      .filter(({ count }) => count > 0)
      .map(({ from, to, right, count }) => [(from + to) / 2, right / count] as const);
  return {
    ...{ title: 'How many values are right, by confidence', x: 'confidence', y: 'share that is right' },
    lines: { 'as it was read': points(before.calibration), candidate: points(after.calibration) },
  };
};
