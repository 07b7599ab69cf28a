import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../kernel/decider.ts';
import { createNamedQueues } from '../../kernel/semaphore.ts';
import type { Answered, MatchPatterns, Question, Verdict } from '../../schemas/patterns.ts';
import { createThread } from './thread.ts';

/** What a thread is asked: questions, and how long they may take together, in ms. */
export type Asked = Readonly<{ questions: readonly Question[]; ms: number }>;

/** Thousands of times what an innocent pattern takes. */
const QUICK_MS = 10;
const BUDGET_MS = 250;
/** Requests of one company that wait. */
const MAX_WAITING = 64;
/** A thread ends its work by itself: this is for one that does not. */
const LIMIT_MS = 5_000;
const HEAP_MB = 64;

/** Not for long, since time is elapsed time: on a busy machine an innocent value may have been late. */
const REMEMBERED = { max: 1_000, ttl: 60_000 };

/**
 * Checks patterns in two threads, which start when they are needed and end with the signal. The quick one
 * takes every request for a moment; what is not done by then goes on in the slow one, where a request has its
 * budget of time. Of a company one request is at work and the others wait, so whoever sends endless patterns
 * takes a moment of the quick thread once a budget. What was late is remembered for a minute.
 */
export const createPatterns = (
  signal: AbortSignal,
  {
    quickMs = QUICK_MS,
    budgetMs = BUDGET_MS,
    maxWaiting = MAX_WAITING,
    start = startThread,
  }: Readonly<{
    quickMs?: number;
    budgetMs?: number;
    maxWaiting?: number;
    start?: (priority: Priority) => Worker;
  }> = {},
): MatchPatterns => {
  const quick = createThread<Asked, Answered>(() => start('normal'), LIMIT_MS, signal);
  const slow = createThread<Asked, Answered>(() => start('low'), LIMIT_MS, signal);
  const late = new LRUCache<string, true>(REMEMBERED);
  const queues = createNamedQueues();

  const answer = async (questions: readonly Question[]): Promise<readonly Verdict[]> => {
    const { answers: first } = await quick({ questions, ms: quickMs });
    const rest = questions.slice(first.length);
    if (rest.length === 0) return first.map(verdict);
    const { answers: second, triedMs } = await slow({ questions: rest, ms: budgetMs });
    const [ended, ...unasked] = rest.slice(second.length);
    // One that had little time, as others took it, may be innocent.
    if (ended && triedMs > budgetMs / 2) late.set(keyOf(ended), true);
    const unanswered = ended ? ['late' as const, ...unasked.map(() => 'unchecked' as const)] : [];
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
      const asked = questions.filter((question) => late.size === 0 || !late.has(keyOf(question)));
      const verdicts = asked.length === 0 ? [] : await answer(asked);
      const known = new Map(asked.map((question, index) => [question, verdicts[index]]));
      return questions.map((question) => known.get(question) ?? 'late');
    });
  };
};

const verdict = (matches: boolean): Verdict => (matches ? 'matches' : 'differs');

/** Short, since texts may be long. */
const keyOf = ({ pattern, text }: Question): string =>
  createHash('sha256').update(`${pattern.length} ${pattern}${text}`).digest('base64');

type Priority = 'normal' | 'low';

const startThread = (priority: Priority): Worker =>
  new Worker(new URL('./patternThread.js', import.meta.url), {
    workerData: { priority },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
