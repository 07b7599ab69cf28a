import { table } from '../../cli/table.ts';
import { median } from '../measure.ts';
import { type Band, calibration, type Judged } from './judge.ts';
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

/**
 * What was found a field: the same when made comparable, and how alike in characters, beside the yardstick.
 */
export const accuracy = (fields: readonly string[], measured: readonly Measured[]): string => {
  const ours = measured.flatMap((one) => one.ours);
  const plain = measured.flatMap(({ plain: one }) => one?.judged ?? []);
  const present = measured.flatMap(({ plain: one }) => one?.present ?? []);
  const of = (judged: readonly Judged[], name: string) => judged.filter(({ field }) => field === name);
  const exact = (judged: readonly Judged[]) => share(judged.filter((one) => one.exact).length, judged.length);
  const alike = (judged: readonly Judged[]) =>
    judged.length === 0 ? null : (judged.reduce((sum, one) => sum + one.alike, 0) / judged.length).toFixed(2);
  return table(fields, {
    FIELD: (name) => name,
    EXACT: (name) => exact(of(ours, name)),
    ALIKE: (name) => alike(of(ours, name)),
    'FIRST MATCH': (name) => exact(of(plain, name)),
    'ALIKE ': (name) => alike(of(plain, name)),
    'IN PLAIN TEXT': (name) => share(present.filter((one) => one === name).length, of(plain, name).length),
  });
};

/** How often confidences were right. */
export const trust = (measured: readonly Measured[]): string => {
  const bands = calibration(measured.flatMap(({ ours }) => ours));
  return table(bands, {
    CONFIDENCE: ({ from, to }: Band) => `${from.toFixed(1)} to ${Math.min(1, to).toFixed(1)}`,
    FIELDS: ({ count }: Band) => String(count),
    RIGHT: ({ count, right }: Band) => share(right, count),
  });
};

/** What a page took, here and by plain recognition. */
export const pace = (measured: readonly Measured[], seconds: number, atOnce: number): string => {
  const pages = measured.reduce((sum, { answer }) => sum + answer.pages, 0);
  const ended = measured.filter(({ answer }) => answer.reason === null);
  const slowest = Math.max(...measured.map(({ answer }) => answer.seconds));
  const plain = measured.flatMap(({ plain: one }) => (one ? [one.seconds] : []));
  return [
    `${ended.length} of ${measured.length} documents gave data: ${pages} pages in ${seconds.toFixed(1)} s, ${(seconds / pages).toFixed(2)} s a page with ${atOnce} at once`,
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
