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
