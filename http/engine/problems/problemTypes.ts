import { accessProblemTexts } from './accessProblems.ts';
import { domainProblemTexts } from './domainProblems.ts';
import type { ProblemText } from './problemText.ts';
import { requestProblemTexts } from './requestProblems.ts';

const allTexts = { ...domainProblemTexts, ...accessProblemTexts, ...requestProblemTexts };

export type ProblemCode = keyof typeof allTexts;

const texts: Readonly<Record<ProblemCode, ProblemText>> = allTexts;

const titleOf = (code: string): string =>
  `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`;

/** Every kind of problem by its code, in the order of their statuses. */
export const problemTypes = Object.fromEntries(
  Object.entries(texts)
    .map(
      ([code, text]) =>
        [code, { title: titleOf(code), means: text.detail, retryable: false, ...text }] as const,
    )
    .sort(([, one], [, other]) => one.status - other.status),
) as Readonly<Record<ProblemCode, Required<ProblemText>>>;

/** The problem that each DomainError is answered with, by the error's name. */
export const domainProblems: ReadonlyMap<string, ProblemCode> = new Map(
  Object.entries(domainProblemTexts).flatMap(([code, { errors }]) =>
    errors.map((name) => [name, code as ProblemCode] as const),
  ),
);
