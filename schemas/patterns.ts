import { type Context, createContext, Script } from 'node:vm';

/**
 * Whether a text has a match of a pattern (with the flag `u`), which somebody else wrote: a published
 * version.
 */
export type Question = Readonly<{ pattern: string; text: string }>;

/**
 * `late`: its check was ended, or would have been ended, since it took too long or all of the engine's stack.
 * `unchecked`: others had used up the time before its turn.
 */
export type Verdict = 'matches' | 'differs' | 'late' | 'unchecked';

/**
 * Checks texts of a company against patterns outside the event loop, all of them within one budget of time;
 * gives a verdict for each. Throws `PatternsBusy` when too many requests of that company wait already.
 */
export type MatchPatterns = (
  companyId: string,
  questions: readonly Question[],
) => Promise<readonly Verdict[]>;

/**
 * The answers that there was time for, in the order of the questions, and how long the one after them had
 * been tried, in ms.
 */
export type Answered = Readonly<{ answers: readonly boolean[]; triedMs: number }>;

const TEST = new Script(`
  for (const { pattern, text } of questions) {
    began = Date.now();
    answers.push(new RegExp(pattern, 'u').test(text));
  }
`);

let kept: Context | undefined;

/** To make one takes longer than most patterns. */
const context = (): Context => {
  kept ??= createContext({});
  return kept;
};

/**
 * Answers questions until they have taken `ms` of elapsed time together, or one of them the engine's stack:
 * only `node:vm` can stop a regular expression. It blocks its thread, so it is for threads and processes that
 * serve nobody else. Throws for what is no pattern.
 */
export const answersWithin = (ms: number, questions: readonly Question[]): Answered => {
  const answers: boolean[] = [];
  const state = Object.assign(context(), { questions, answers, began: Date.now() });
  try {
    TEST.runInContext(state, { timeout: ms });
  } catch (error) {
    if (!isGivenUp(error as NodeJS.ErrnoException)) throw error;
  }
  return { answers, triedMs: Date.now() - state.began };
};

/** The time was over, or a long text has filled the stack on which the engine keeps its ways back. */
const isGivenUp = ({ name, code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || name === 'RangeError';

// Time is elapsed time: on a busy machine an innocent pattern may meet the first limit, hardly a second,
// longer one.
const LIMITS_MS = [100, 400];

/**
 * Those of `texts` in which a pattern is found; none when all together need longer than 100 ms, and then 400
 * ms. It blocks its thread as `answersWithin` does: for the processes that read documents.
 */
export const matching = (pattern: string, texts: readonly string[]): readonly string[] => {
  const questions = texts.map((text) => ({ pattern, text }));
  for (const ms of LIMITS_MS) {
    const { answers } = answersWithin(ms, questions);
    if (answers.length === texts.length) return texts.filter((_, index) => answers[index]);
  }
  return [];
};
