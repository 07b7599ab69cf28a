import type { EvaluationAdvice } from '../../../client/api.ts';
import { changeQuery } from '../../app/router.ts';
import { FormField } from '../../parts/formField.tsx';
import { number } from '../../parts/quantity.ts';
import { say, texts } from '../../texts.ts';
import { decimal, percent } from './words.ts';

const own = texts.evaluations;
const USUAL = 1;
const [LEAST, MOST] = [0.01, 50];

const inPercent = (wrong: string | null): number => {
  const value = Number(wrong ?? USUAL);
  return value >= LEAST && value <= MOST ? value : USUAL;
};

/** A wished share in percent, as the API takes it. */
export const maxWrongOf = (wrong: string | null): string => (inPercent(wrong) / 100).toFixed(4);

type AdviceProps = Readonly<{ advice: EvaluationAdvice | null; wrong: string | null }>;

/** The threshold that a wished share of wrong approvals allows, in words. */
export const Advice = ({ advice, wrong }: AdviceProps) => (
  <section aria-labelledby="advice">
    <h2 id="advice">{own.adviceTitle}</h2>
    <FormField label={own.wrong}>
      {(control) => (
        <input
          {...control}
          {...{ type: 'number', min: LEAST, max: MOST, step: 'any', value: inPercent(wrong) }}
          onChange={({ currentTarget: { value } }) => changeQuery({ wrong: value })}
        />
      )}
    </FormField>
    {advice && <p role="status">{textOf(advice)}</p>}
  </section>
);

const textOf = ({ threshold, reviews, maxWrong, needed, total }: EvaluationAdvice): string => {
  const goal = say(texts.figures.percent, { value: decimal(100 * maxWrong) });
  if (!threshold)
    return total < needed
      ? say(own.tooFew, { goal, needed: number(needed), total: number(total) })
      : say(own.noThreshold, { goal });
  return say(own.advice, {
    goal,
    threshold: decimal(threshold.reviewBelow),
    wrong: number(threshold.wrong),
    approved: number(threshold.approved),
    before: percent(reviews.before),
    after: percent(reviews.advised ?? 1),
  });
};
