import { useEffect, useRef } from 'preact/hooks';
import type { Call } from '../../client/request.ts';
import type { BodyOfAnswer, PathOf } from '../../client/types.ts';
import { presence } from './presence.ts';
import type { Problem } from './problem.ts';
import { type Reading, type Resource, useRead } from './resource.ts';
import { useStore } from './store.ts';

/**
 * Reads an address of the API, and again so many milliseconds after each answer, while the page is in view
 * and somebody is there; null reads nothing, or not again. A problem leaves the last value, and goes with the
 * next answer; the same one again stays as it was told first, or it would be read out with each answer.
 */
export const usePolled = <P extends PathOf<'get'>>(
  path: P | null,
  everyMs: number | null,
  reading: Call & Reading<P>,
): Resource<BodyOfAnswer<'get', P>> => {
  const resource = useRead(path, reading);
  const { isLoading, reload } = resource;
  const { isInView, isAway } = useStore(presence);
  const isIdle = path === null || everyMs === null || isLoading || !isInView || isAway;
  useEffect(() => {
    if (isIdle) return;
    const timer = setTimeout(reload, everyMs);
    return () => clearTimeout(timer);
  }, [isIdle, everyMs]);
  const problem = useRef<Problem | null>(null);
  if (wordsOf(problem.current) !== wordsOf(resource.problem)) problem.current = resource.problem;
  return { ...resource, problem: problem.current };
};

/** A problem but for the number of its request. */
const wordsOf = (problem: Problem | null): string => `${problem?.code} ${problem?.detail}`;
