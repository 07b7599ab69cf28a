import { accessProblemTexts } from './accessProblems.ts';
import { domainProblemTexts } from './domainProblems.ts';
import { requestProblemTexts } from './requestProblems.ts';

/**
 * A kind of refusal as its table has it. `detail` is the default of an answer; `means`, which is `detail`
 * unless it is set, and `remedy` are for its page, `/problems/<code>`. The title follows from the code unless
 * it is set. `retryable`: the same request may succeed later.
 */
export type ProblemText = Readonly<{
  status: number;
  title?: string;
  detail: string;
  means?: string;
  remedy: string;
  retryable?: boolean;
}>;
export type DomainProblemText = ProblemText & Readonly<{ errors: readonly string[] }>;

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
