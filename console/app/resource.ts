import { useEffect, useRef, useState } from 'preact/hooks';
import { IntakeError } from '../../client/error.ts';
import type { Call } from '../../client/request.ts';
import type { BodyOfAnswer, Options, PathOf } from '../../client/types.ts';
import { texts } from '../texts.ts';
import { send } from './api.ts';
import { isUnanswered, type Problem, problemOf } from './problem.ts';
import { isReached } from './reach.ts';
import type { Query } from './router.ts';
import { AnotherPerson } from './session.ts';
import { useStore } from './store.ts';

/** What is read: `value` of the last answer, `problem` of the last refusal; both null until there is one. */
export type Resource<T> = Readonly<{
  value: T | null;
  problem: Problem | null;
  isLoading: boolean;
  /** Resolves once it is read, or refused. */
  reload(): Promise<void>;
}>;

type State<T> = Readonly<{
  key: string | null;
  value: T | null;
  problem: Problem | null;
  isLoading: boolean;
}>;

/** Reads again whenever `key` changes, which names what `load` reads; null reads nothing. */
export const useResource = <T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
): Resource<T> => {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State<T>>({ key, value: null, problem: null, isLoading: key !== null });
  const waiting = useRef<readonly (() => void)[]>([]);
  const isOther = state.key !== key;
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    const settle = (found: Partial<State<T>>): void => {
      if (controller.signal.aborted) return;
      setState((before) => ({
        key,
        value: before.key === key ? before.value : null,
        problem: null,
        ...found,
        isLoading: false,
      }));
      const settled = waiting.current;
      waiting.current = [];
      for (const go of settled) go();
    };
    setState((before) => ({ ...before, isLoading: true }));
    load(controller.signal).then(
      (value) => settle({ value }),
      (error) => {
        // What nobody waits for any more has failed by being aborted.
        if (!controller.signal.aborted) settle({ problem: problemIn(error) });
      },
    );
    return () => controller.abort();
  }, [key, round]);
  const reload = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.current = [...waiting.current, resolve];
      setRound((before) => before + 1);
    });
  useReached(state.problem, reload);
  const { value, problem, isLoading } = isOther ? { value: null, problem: null, isLoading: true } : state;
  return { value, problem, isLoading, reload };
};

/** Calls `again` once the service can be reached again, where the problem is that it could not be. */
export const useReached = (problem: Problem | null, again: () => void): void => {
  const now = useStore(isReached);
  useEffect(() => {
    if (now && problem && isUnanswered(problem)) again();
  }, [now, problem]);
};

/** What is read of a path: the values of its query are those of an address, which the service judges. */
export type Reading<P extends PathOf<'get'>> = Omit<Options<'get', P>, 'query'> & Readonly<{ query?: Query }>;

/**
 * Reads the body of a path of the API, and again whenever it or what is asked of it changes; null reads
 * nothing.
 */
export const useRead = <P extends PathOf<'get'>>(
  path: P | null,
  reading: Call & Reading<P>,
): Resource<BodyOfAnswer<'get', P>> =>
  useResource(path === null ? null : `${path} ${JSON.stringify(reading)}`, async (signal) => {
    const { body } = await send<BodyOfAnswer<'get', P>>('get', path ?? '', { ...reading, signal });
    return body;
  });

/**
 * The problem that was thrown; null where a new log-in has replaced all that was asked. Throws what is no
 * problem.
 */
export const problemIn = (error: unknown): Problem | null => {
  if (error instanceof IntakeError) return problemOf(error);
  if (error instanceof AnotherPerson) return null;
  throw error;
};

/** What a person starts: it runs once at a time, and keeps its problem until the next start. */
export type Action = Readonly<{
  isRunning: boolean;
  problem: Problem | null;
  /** Gives whether it succeeded. */
  start(work: () => Promise<void>): Promise<boolean>;
  clear(): void;
}>;

/** Runs what a person starts with a button or a form. */
export const useAction = (): Action => {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const start = async (work: () => Promise<void>): Promise<boolean> => {
    if (isRunning) return false;
    setRunning(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(problemIn(error));
      return false;
    } finally {
      setRunning(false);
    }
  };
  useReached(problem, () => setProblem({ code: 'reached', ...texts.problems.reached, retryable: true }));
  return { isRunning, problem, start, clear: () => setProblem(null) };
};
