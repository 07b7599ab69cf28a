import type { Problem as Answered } from '../../client/api.ts';
import type { IntakeError } from '../../client/error.ts';
import { say, texts } from '../texts.ts';

/** What people are told of a failure: the service's own problem, or why there is none. */
export type Problem = Partial<Omit<Answered, 'code'>> &
  Readonly<{ code: string; title: string; detail: string; retryable: boolean }>;

const isKnown = (code: string): code is keyof typeof texts.problems => code in texts.problems;

/** A failure of a request, for people. */
export const problemOf = ({ code, status, message, problem }: IntakeError): Problem => {
  if (problem) return problem;
  const known = isKnown(code) ? code : 'unreachable';
  const { title, detail } = texts.problems[known];
  const said = say(detail, { status: status ?? '', message });
  return { code, title, detail: said, retryable: code !== 'invalid-path' };
};
