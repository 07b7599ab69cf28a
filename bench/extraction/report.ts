import { table } from '../../cli/table.ts';
import type { Band } from '../../domain/evaluation/report.ts';
import type { OutputField } from '../../domain/workflow.ts';
import type { Plot } from '../../http/engine/plot.ts';
import { median } from '../measure.ts';
import { calibration, type Judged } from './judge.ts';
import type { Answer } from './service.ts';
import type { Plain } from './yardstick.ts';

/** A scan with what the service found in it, and what plain recognition did. */
export type Measured = Readonly<{ answer: Answer; ours: readonly Judged[]; plain: Plain | null }>;

/** Which fields were misread, and which scans came to no data: a line each. */
export const faultsOf = (measured: readonly Measured[]): string =>
  measured
    .flatMap(({ answer, ours }) =>
      answer.reason === null
        ? ours
            .filter(({ exact }) => !exact)
            .map(
              ({ field, confidence, found, truth }) =>
                `${answer.scan.name} ${field} (${confidence.toFixed(2)}): ${found || 'nothing'}\n${' '.repeat(answer.scan.name.length + 1)}true: ${truth}`,
            )
        : [`${answer.scan.name} ${answer.status}: ${answer.reason}`],
    )
    .join('\n');

/** From which confidence on a value is taken as sure. */
const SURE = 0.9;

type Count = (judged: readonly Judged[]) => string | null;

const isSure = ({ confidence, found }: Judged): boolean => found !== '' && confidence >= SURE;
const counted =
  (is: (one: Judged) => boolean, among: (one: Judged) => boolean = () => true): Count =>
  (judged) => {
    const all = judged.filter(among);
    return share(all.filter(is).length, all.length);
  };

/** What is counted of a field's values, by the title of its column. */
const COUNTS: Readonly<Record<string, Count>> = {
  EXACT: counted(({ exact }) => exact),
  MISSING: counted(({ exact, found }) => !exact && found === ''),
  WRONG: counted(({ exact, found }) => !exact && found !== ''),
  'SURE (0.9)': counted(isSure),
  'RIGHT OF SURE': counted(({ exact }) => exact, isSure),
};

/**
 * What was found a field: the same when made comparable, and how alike in characters, beside the yardstick,
 * and beside a second reader where there is one.
 */
export const accuracy = (
  fields: readonly string[],
  measured: readonly Measured[],
  second: readonly Measured[] | null = null,
): string => {
  const judgedIn = (all: readonly Measured[]) => all.flatMap((one) => one.ours);
  const [ours, others] = [judgedIn(measured), judgedIn(second ?? [])];
  const plain = measured.flatMap(({ plain: one }) => one?.judged ?? []);
  const present = measured.flatMap(({ plain: one }) => one?.present ?? []);
  const of = (judged: readonly Judged[], name: string) =>
    name === ALL ? judged : judged.filter(({ field }) => field === name);
  const alike = (judged: readonly Judged[]) =>
    judged.length === 0 ? null : (judged.reduce((sum, one) => sum + one.alike, 0) / judged.length).toFixed(2);
  const columns = Object.entries(COUNTS).flatMap(([title, count]) => [
    [title, (name: string) => count(of(ours, name))] as const,
    ...(second ? [[`${title}, 2ND`, (name: string) => count(of(others, name))] as const] : []),
  ]);
  return table([...fields, ALL], {
    FIELD: (name) => name,
    ...Object.fromEntries(columns),
    ALIKE: (name) => alike(of(ours, name)),
    ...(plain.length === 0
      ? {}
      : {
          'FIRST MATCH': (name) => COUNTS.EXACT?.(of(plain, name)) ?? null,
          'ALIKE ': (name) => alike(of(plain, name)),
          'IN PLAIN TEXT': (name) =>
            share(
              name === ALL ? present.length : present.filter((one) => one === name).length,
              of(plain, name).length,
            ),
        }),
  });
};

const ALL = '(all)';

/** How often confidences were right. */
export const trust = (measured: readonly Measured[]): string =>
  table(calibrationOf(measured), {
    CONFIDENCE: ({ from, to }: Band) => `${from.toFixed(2)} to ${to.toFixed(2)}`,
    FIELDS: ({ count }: Band) => String(count),
    RIGHT: ({ count, right }: Band) => share(right, count),
  });

const calibrationOf = (measured: readonly Measured[]): readonly Band[] =>
  calibration(measured.flatMap(({ ours }) => ours));

/** The share that was right by the confidence that was reported, each point with its count. */
export const calibrationPlot = (readers: Readonly<Record<string, readonly Measured[]>>): Plot => {
  const filled = Object.entries(readers).map(
    ([name, measured]) => [name, calibrationOf(measured).filter(({ count }) => count > 0)] as const,
  );
  const middle = ({ from, to }: Band): number => Math.round(50 * (from + to));
  const points = (bands: readonly Band[]) =>
    bands.map((band) => [middle(band), (100 * band.right) / band.count] as const);
  return {
    title: 'Values that were right, by the confidence that was reported',
    x: 'confidence, %',
    y: 'right, %',
    lines: {
      ...Object.fromEntries(filled.map(([name, bands]) => [name, points(bands)])),
      'as reported': [[0, 0] as const, [100, 100] as const],
    },
    counts: Object.fromEntries(filled.map(([name, bands]) => [name, bands.map(({ count }) => count)])),
  };
};

/** What went on without a person, and how much of the required data in it is wrong or missing. */
export const unreviewed = (fields: readonly OutputField[], measured: readonly Measured[]): string => {
  const required = fields.filter((one) => one.required).map(({ name }) => name);
  const approved = measured.filter(({ answer }) => answer.status === 'approved');
  const judged = approved.flatMap(({ ours }) => ours.filter(({ field }) => required.includes(field)));
  const wrong = judged.filter(({ exact }) => !exact);
  return `${approved.length} of ${measured.length} documents were approved without a person: of their ${judged.length} required fields ${wrong.length} are wrong`;
};

/** What a page took, here and by plain recognition. */
export const pace = (
  measured: readonly Measured[],
  { seconds, cpuMs }: Readonly<{ seconds: number; cpuMs: number | null }>,
  atOnce: number,
): string => {
  const pages = measured.reduce((sum, { answer }) => sum + answer.pages, 0);
  const ended = measured.filter(({ answer }) => answer.reason === null);
  const slowest = Math.max(...measured.map(({ answer }) => answer.seconds));
  const plain = measured.flatMap(({ plain: one }) => (one ? [one.seconds] : []));
  return [
    `${ended.length} of ${measured.length} documents gave data: ${pages} pages in ${seconds.toFixed(1)} s, ${(seconds / pages).toFixed(2)} s a page with ${atOnce} at once`,
    ...(cpuMs === null ? [] : [`${(cpuMs / pages / 1_000).toFixed(2)} s of processor time a page`]),
    `from submit to result ${median(measured.map(({ answer }) => answer.seconds)).toFixed(1)} s (median), ${slowest.toFixed(1)} s at the most`,
    ...(plain.length > 0
      ? [
          `plain recognition: ${(plain.reduce((sum, one) => sum + one, 0) / plain.length).toFixed(2)} s a page, one at a time`,
        ]
      : []),
  ].join('\n');
};

const share = (part: number, whole: number): string | null =>
  whole === 0 ? null : `${Math.round((100 * part) / whole)} % (${part}/${whole})`;
