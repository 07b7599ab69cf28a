import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../kernel/decider.ts';
import { createNamedQueues } from '../../kernel/semaphore.ts';
import type { Answered, MatchPatterns, Question, Verdict } from '../../schemas/patterns.ts';
import { createThread } from './thread.ts';

/** A request to a thread: questions, and how long they may take together, in ms. */
export type Questions = Readonly<{ questions: readonly Question[]; ms: number }>;

/** Thousands of times what a harmless pattern takes. */
const QUICK_MS = 10;
const BUDGET_MS = 250;
/** Waiting requests of one company. */
const MAX_WAITING = 64;
/** A thread stops by itself: this is for one that does not. */
const LIMIT_MS = 5_000;
const HEAP_MB = 64;

/** Only for a minute: time is elapsed time, so that on a busy machine a harmless pattern may be late. */
const LATE = { max: 1_000, ttl: 60_000 };

/**
 * Matches patterns in two threads, which start on demand and end with the signal. The quick one gives every
 * request `quickMs`; what remains goes to the slow one, where a request has `budgetMs`. A company has one
 * request in progress and the others wait, so that endless patterns take `quickMs` of the quick thread once a
 * budget. Late questions are remembered for a minute.
 */
export const createPatterns = (
  signal: AbortSignal,
  { quickMs = QUICK_MS, budgetMs = BUDGET_MS, maxWaiting = MAX_WAITING } = {},
): MatchPatterns => {
  const quick = createThread<Questions, Answered>(() => startThread('normal'), LIMIT_MS, signal);
  const slow = createThread<Questions, Answered>(() => startThread('low'), LIMIT_MS, signal);
  const late = new LRUCache<string, true>(LATE);
  const queues = createNamedQueues();

  const answer = async (questions: readonly Question[]): Promise<readonly Verdict[]> => {
    const { answers: first } = await quick({ questions, ms: quickMs });
    const rest = questions.slice(first.length);
    if (rest.length === 0) return first.map(verdict);
    const { answers: second, triedMs } = await slow({ questions: rest, ms: budgetMs });
    const [stopped, ...remaining] = rest.slice(second.length);
    // One to which the others left little time may be harmless.
    if (stopped && triedMs > budgetMs / 2) late.set(keyOf(stopped), true);
    const unanswered = stopped ? ['late' as const, ...remaining.map(() => 'unchecked' as const)] : [];
    return [...[...first, ...second].map(verdict), ...unanswered];
  };
  return async (companyId, questions) => {
    if (questions.length === 0) return [];
    if (queues.waiting(companyId) >= maxWaiting)
      throw new DomainError(
        'PatternsBusy',
        'Too many requests of this company wait for their values to be checked against patterns.',
      );
    return queues.run(companyId, async () => {
      const open = questions.filter((question) => late.size === 0 || !late.has(keyOf(question)));
      const verdicts = open.length === 0 ? [] : await answer(open);
      const checked = new Map(open.map((question, index) => [question, verdicts[index]]));
      return questions.map((question) => checked.get(question) ?? 'late');
    });
  };
};

const verdict = (matches: boolean): Verdict => (matches ? 'matches' : 'differs');

/** A digest, since texts may be long. */
const keyOf = ({ pattern, text }: Question): string =>
  createHash('sha256').update(`${pattern.length} ${pattern}${text}`).digest('base64');

const startThread = (priority: 'normal' | 'low'): Worker =>
  new Worker(new URL('./patternThread.js', import.meta.url), {
    workerData: { priority },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
