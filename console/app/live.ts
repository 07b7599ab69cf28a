import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../../client/answer.ts';
import { platform } from '../../client/platform.ts';
import type { Call } from '../../client/request.ts';
import type { BodyOfAnswer, PathOf } from '../../client/types.ts';
import { send } from './api.ts';
import { presence } from './presence.ts';
import type { Problem } from './problem.ts';
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

const { sleep } = platform;

/** How long the service waits for a change, in seconds: its most. */
const WAIT_S = 25;
/** Answers that come faster than this are too many for the page. */
const GATHER_MS = 300;
const MAX_BACKOFF_MS = 30_000;

/**
 * Follows a list of the API by its long poll, one at a time: not while the page is hidden or the person away.
 * Another query begins anew.
 */
export const useLive = <P extends PathOf<'get'>>(path: P, query: Query): Live<BodyOfAnswer<'get', P>> => {
  type T = BodyOfAnswer<'get', P>;
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
      const call: Call = { query: { ...query, wait }, ifNoneMatch: tag, signal };
      const { status, etag, body: value }: Answer<T> = await send<T>('get', path, call);
      if (signal.aborted) return;
      tag = etag;
      tell({ state: 'live', problem: null, ...(status !== 304 && { tag, value }) });
      failures = 0;
      wait = WAIT_S;
      await sleep(GATHER_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      const problem = problemIn(error);
      if (problem === null) return;
      tell({ problem, state: problem.retryable ? 'retrying' : 'ended' });
      if (!problem.retryable) return;
      await sleep(backoff(failures), signal).catch(() => undefined); // aborted: it ends
      failures += 1;
      wait = null;
    }
  }
};

/** Not all pages at once when the service is back. */
const backoff = (failures: number): number =>
  Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2);
