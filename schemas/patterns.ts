import { createContext, Script } from 'node:vm';
import { once } from '../kernel/once.ts';

/** Whether a text has a match of a pattern (with the flag `u`) of a published version. */
export type Question = Readonly<{ pattern: string; text: string }>;

/** `late`: its check exceeded its time or the engine's stack. `unchecked`: others had used up the time. */
export type Verdict = 'matches' | 'differs' | 'late' | 'unchecked';

/**
 * Checks a company's texts against patterns outside the event loop, all within one time budget; gives a
 * verdict for each. Throws `PatternsBusy` when too many requests of the company wait already.
 */
export type MatchPatterns = (
  companyId: string,
  questions: readonly Question[],
) => Promise<readonly Verdict[]>;

/** The answers within the time, in order, and the time spent on the next one, in ms. */
export type Answered = Readonly<{ answers: readonly boolean[]; triedMs: number }>;

const TEST = new Script(`
  for (const { pattern, text } of questions) {
    began = Date.now();
    answers.push(new RegExp(pattern, 'u').test(text));
  }
`);

// Kept: creating one takes longer than most patterns.
const context = once(() => createContext({}));

/**
 * Answers questions until they have taken `ms` of elapsed time together, or one of them the engine's stack:
 * only `node:vm` can abort a regular expression. It blocks its thread, so it is for threads and processes
 * that serve no requests. Throws for an invalid pattern.
 */
export const answersWithin = (ms: number, questions: readonly Question[]): Answered => {
  const answers: boolean[] = [];
  const state = Object.assign(context(), { questions, answers, began: Date.now() });
  try {
    TEST.runInContext(state, { timeout: ms });
  } catch (error) {
    if (!isAborted(error as NodeJS.ErrnoException)) throw error;
  }
  return { answers, triedMs: Date.now() - state.began };
};

/** The time has run out, or backtracking on a long text has filled the engine's stack. */
const isAborted = ({ name, code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || name === 'RangeError';

// Elapsed time: on a busy machine a harmless pattern may exceed the first limit, hardly the second.
const LIMITS_MS = [100, 400];

/**
 * Those of `texts` that match a pattern; none when all together exceed 100 ms, and then 400 ms. It blocks its
 * thread as `answersWithin` does: for the processes that read documents.
 */
export const matching = (pattern: string, texts: readonly string[]): readonly string[] => {
  const questions = texts.map((text) => ({ pattern, text }));
  for (const ms of LIMITS_MS) {
    const { answers } = answersWithin(ms, questions);
    if (answers.length === texts.length) return texts.filter((_, index) => answers[index]);
  }
  return [];
};
