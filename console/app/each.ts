import { useEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../texts.ts';
import { isUnanswered, type Problem } from './problem.ts';
import { problemIn } from './resource.ts';
import { askBeforeLeaving } from './router.ts';

/** Which of how many is under way, from 1. */
export type Progress = Readonly<{ at: number; count: number; isStopping: boolean }>;

/** What was done, and what was refused and why; the others were not begun. */
export type Outcome<T> = Readonly<{
  done: readonly T[];
  refused: readonly Readonly<{ item: T; error: unknown; problem: Problem }>[];
}>;

/** Does the same to many, and shows how far it is. */
export type Each<T> = Readonly<{
  /** Null while nothing runs. */
  progress: Progress | null;
  /** What is under way ends; nothing else begins. */
  stop(): void;
  run(items: readonly T[], act: (item: T) => Promise<void>): Promise<Outcome<T>>;
}>;

/**
 * Does the same to many, one after the other; stops where the service gives no answer. As long as it runs,
 * the person is asked before the screen is left.
 */
export const useEach = <T>(): Each<T> => {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isStopped = useRef(false);
  const isRunning = progress !== null;
  const stop = (): void => {
    isStopped.current = true;
    setProgress((now) => now && { ...now, isStopping: true });
  };
  useEffect(() => stop, []);
  useEffect(() => (isRunning ? askBeforeLeaving(texts.selection.leave) : undefined), [isRunning]);
  const run = async (items: readonly T[], act: (item: T) => Promise<void>): Promise<Outcome<T>> => {
    const done: T[] = [];
    const refused: Outcome<T>['refused'][number][] = [];
    isStopped.current = false;
    try {
      for (const [index, item] of items.entries()) {
        if (isStopped.current) break;
        setProgress({ at: index + 1, count: items.length, isStopping: false });
        try {
          await act(item);
          done.push(item);
        } catch (error) {
          const problem = problemIn(error);
          if (problem) refused.push({ item, error, problem });
          if (!problem || isUnanswered(problem)) break;
        }
      }
    } finally {
      setProgress(null);
    }
    return { done, refused };
  };
  return { progress, stop, run };
};
