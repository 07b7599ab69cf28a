import type { Evaluation, EvaluationReport } from '../../../client/api.ts';
import { number } from '../../parts/quantity.ts';
import { locale, say, texts } from '../../texts.ts';

const own = texts.evaluations;

/** A share and the bounds of its interval; null where nothing was counted. */
export type Interval = EvaluationReport['before']['approved'];

const DECIMAL = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

/** A confidence, a threshold, or a wished share in percent: `0.87`. */
export const decimal = (value: number): string => DECIMAL.format(value);

/** A share (0 to 1) in percent. */
export const percent = (share: number): string => say(texts.figures.percent, { value: number(100 * share) });

/** A share alone, in percent. */
export const shareOf = (interval: Interval): string => (interval ? percent(interval.share) : '–');

/** A share with the bounds of its interval, in percent. */
export const rangeOf = (interval: Interval): string =>
  interval
    ? say(own.range, {
        share: percent(interval.share),
        from: percent(interval.from),
        to: percent(interval.to),
      })
    : '–';

/** What is tried: a version, or a draft. */
export const candidateOf = ({ workflow: { version } }: Pick<Evaluation, 'workflow'>): string =>
  version === null ? own.draft : say(texts.workflows.version, { version });

/** How far one is, of those it has drawn; a set that grows is as large as was wished. */
export const progressOf = ({ shadow, set, total, left }: Evaluation) => ({
  done: total - left,
  total: shadow ? Math.max(set.size, total) : total,
});

/** How much of what is approved a shadow reads; null where the set was approved before. */
export const shadowOf = ({ shadow }: Evaluation): string | null =>
  shadow && say(own.shadow, { share: percent(shadow.share) });
