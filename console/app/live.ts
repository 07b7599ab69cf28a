import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../../schemas/problems.ts';
import { type Answer, call } from './api.ts';
import { presence } from './presence.ts';
import { problemIn } from './resource.ts';
import type { Query } from './router.ts';
import { useStore } from './store.ts';

/** What is read and then followed; `problem` while the service can't be reached, or has refused. */
export type Live<T> = Readonly<{
  value: T | null;
  problem: Problem | null;
  /** Whether it is followed, will be again by itself, or waits for the person (`reload`). */
  state: 'live' | 'retrying' | 'ended';
  reload(): void;
}>;

type State<T> = Omit<Live<T>, 'reload'> & Readonly<{ of: string; tag: string | null }>;

/** How long the service waits for a change, in seconds: its most. */
const WAIT_S = 25;
/** Answers that come faster than this are too many for the page. */
const GATHER_MS = 300;
const MAX_BACKOFF_MS = 30_000;

/**
 * Follows a list of the API by its long poll, one at a time: not while the page is hidden or the person away.
 * Another query begins anew.
 */
export const useLive = <T>(path: string, query: Query): Live<T> => {
  const [round, setRound] = useState(0);
  const of = `${path} ${JSON.stringify(query)}`;
  const none: State<T> = { of, tag: null, value: null, problem: null, state: 'live' };
  const [state, setState] = useState(none);
  const current = state.of === of ? state : none;
  const { isInView, isAway } = useStore(presence);
  const isFollowed = isInView && !isAway;
  useEffect(() => {
    if (!isFollowed) return;
    const controller = new AbortController();
    const tell = (found: Partial<State<T>>): void =>
      setState((before) => ({ ...(before.of === of ? before : none), ...found }));
    void follow({ path, query, tag: current.tag, signal: controller.signal, tell });
    return () => controller.abort();
  }, [of, round, isFollowed]);
  const { value, problem, state: now } = current;
  return { value, problem, state: now, reload: () => setRound((before) => before + 1) };
};

type Following<T> = Readonly<{
  path: string;
  query: Query;
  /** Of the answer that is there; null for none. */
  tag: string | null;
  signal: AbortSignal;
  tell(found: Partial<State<T>>): void;
}>;

const follow = async <T>({ path, query, tag: known, signal, tell }: Following<T>): Promise<void> => {
  let tag = known;
  let wait: number | null = null;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const options = { query: { ...query, wait }, ifNoneMatch: tag, signal };
      const answer: Answer<T | null> = await call<T | null>(path, options);
      if (signal.aborted) return;
      ({ tag } = answer);
      tell({ state: 'live', problem: null, ...(answer.body === null ? {} : { tag, value: answer.body }) });
      failures = 0;
      wait = WAIT_S;
      await pause(GATHER_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      const problem = problemIn(error);
      if (problem === null) return;
      tell({ problem, state: problem.retryable ? 'retrying' : 'ended' });
      if (!problem.retryable) return;
      await pause(backoff(failures), signal);
      failures += 1;
      wait = null;
    }
  }
};

/** Not all pages at once when the service is back. */
const backoff = (failures: number): number =>
  Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
