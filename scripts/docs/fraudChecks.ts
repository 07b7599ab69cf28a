import { fraudChecks } from '../../domain/fraud/checks.ts';

const HEAD = ['| check | matches | score | so by default |', '|---|---|---|---|'].join('\n');

/** docs/workflows.md with its table of the fraud checks, from their records. */
export const withFraudChecks = (page: string): string => {
  const rows = fraudChecks.map(
    ({ type, docs: { matches, score, result } }) => `| \`${type}\` | ${matches} | ${score} | ${result} |`,
  );
  const [before, after] = page.split(HEAD);
  if (before === undefined || after === undefined) throw new Error('the page has no table of fraud checks');
  return `${before}${[HEAD, ...rows].join('\n')}${after.slice(after.indexOf('\n\n'))}`;
};
