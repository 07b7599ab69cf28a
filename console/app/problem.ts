import type { Problem as Answered } from '../../client/api.ts';
import type { IntakeError } from '../../client/error.ts';
import { say, texts } from '../texts.ts';
import { member } from './members.ts';

/** What people are told of a failure: the service's own problem, or why there is none. */
export type Problem = Partial<Omit<Answered, 'code'>> &
  Readonly<{ code: string; title: string; detail: string; retryable: boolean }>;

const isKnown = (code: string): code is keyof typeof texts.problems => code in texts.problems;

/** Refusals whose own words are for programs. */
const refusals: Readonly<Record<string, Readonly<{ title: string; detail: string }>>> = texts.refusals;

/** Whether it is no answer of the service. */
export const isUnanswered = ({ code }: Readonly<{ code: string }>): boolean =>
  ['unreachable', 'timed-out', 'unexpected-answer'].includes(code);

/** A failure of a request, for people. */
export const problemOf = ({ code, status, message, problem }: IntakeError): Problem => {
  if (problem) return { ...problem, ...member(refusals, code) };
  const known = isKnown(code) ? code : 'unreachable';
  const { title, detail } = texts.problems[known];
  const said = say(detail, { status: status ?? '', message });
  return { code, title, detail: said, retryable: code !== 'invalid-path' };
};
