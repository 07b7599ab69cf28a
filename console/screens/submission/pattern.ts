import { useEffect, useState } from 'preact/hooks';
import { member } from '../../app/members.ts';
import { startWorker } from '../../app/workers.ts';
import type { Field } from './fields.ts';

/** Longer than a pattern takes that does not backtrack without end. */
const LIMIT_MS = 1_000;

/**
 * Whether a text matches a pattern of a workflow, as the service judges it; null where that takes too long.
 * In a worker, since a pattern can be one that would stop the page.
 */
export const matches = (pattern: string, text: string): Promise<boolean | null> =>
  new Promise((resolve) => {
    const worker = startWorker('screens/submission/patternWorker.js');
    const end = (verdict: boolean | null): void => {
      clearTimeout(timer);
      worker.terminate();
      resolve(verdict);
    };
    const timer = setTimeout(() => end(null), LIMIT_MS);
    worker.onmessage = ({ data }) => end(data);
    worker.onerror = () => end(null);
    worker.postMessage({ pattern, text });
  });

/** The first field whose correction its pattern refuses; null for none. */
export const firstRefused = async (
  fields: readonly Field[],
  corrections: Readonly<Record<string, unknown>>,
): Promise<string | null> => {
  for (const { name, validation } of fields) {
    const value = member(corrections, name);
    if (!validation?.pattern || typeof value !== 'string') continue;
    if ((await matches(validation.pattern, value)) === false) return name;
  }
  return null;
};

/**
 * Whether a field as it is typed fits its pattern: false only once it is known. The service has the last
 * word.
 */
export const useMatch = (pattern: string | null | undefined, text: string): boolean => {
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    if (!pattern || text === '') return;
    let isCurrent = true;
    void matches(pattern, text).then((verdict) => isCurrent && setRefused(verdict === false ? text : null));
    return () => {
      isCurrent = false;
    };
  }, [pattern, text]);
  return !pattern || text === '' || refused !== text;
};
