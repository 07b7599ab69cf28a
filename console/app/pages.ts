import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../schemas/problems.ts';
import { call } from './api.ts';
import { problemIn } from './resource.ts';
import type { Query } from './router.ts';

type Page<T> = Readonly<{
  data: readonly T[];
  pagination: Readonly<{ hasMore: boolean; nextCursor: string | null }>;
}>;

/** A list as far as it was read; `more` reads on. */
export type Pages<T> = Readonly<{
  rows: readonly T[];
  /** Null until the first page is there. */
  hasMore: boolean | null;
  problem: Problem | null;
  more(): void;
  reload(): void;
}>;

const PAGE = 100;

type State<T> = Readonly<{
  of: string;
  rows: readonly T[];
  cursor: string | null;
  hasMore: boolean | null;
  problem: Problem | null;
}>;

/**
 * Reads a list page by page; another query begins anew. `version`: another one reads it again. Rows that are read
 * again stay until then.
 */
export const usePages = <T>(path: string, query: Query, version = 0): Pages<T> => {
  const [reloads, setReloads] = useState(0);
  const round = `${version} ${reloads}`;
  const of = `${path} ${JSON.stringify(query)}`;
  const none: State<T> = { of, rows: [], cursor: null, hasMore: null, problem: null };
  const [state, setState] = useState(none);
  const current = state.of === of ? state : none;
  const reading = useRef<string | null>(null);
  const read = async (before: State<T>): Promise<void> => {
    const own = `${round} ${of} ${before.cursor}`;
    reading.current = own;
    const found = await readPage<T>(path, { ...query, limit: PAGE, cursor: before.cursor });
    if (reading.current !== own) return;
    reading.current = null;
    setState(after(before, found));
  };
  useEffect(() => {
    void read(none);
    return () => {
      reading.current = null;
    };
  }, [of, round]);
  const more = (): void => {
    if (reading.current === null && (current.hasMore || current.problem))
      void read({ ...current, problem: null });
  };
  const { rows, hasMore, problem } = current;
  return { rows, hasMore, problem, more, reload: () => setReloads((before) => before + 1) };
};

const readPage = async <T>(path: string, query: Query): Promise<Page<T> | Problem | null> => {
  try {
    return (await call<Page<T>>(path, { query })).body;
  } catch (error) {
    return problemIn(error);
  }
};

const after = <T>(before: State<T>, found: Page<T> | Problem | null): State<T> => {
  if (found === null) return before;
  if (!('data' in found)) return { ...before, problem: found };
  const { hasMore, nextCursor: cursor } = found.pagination;
  return { ...before, rows: [...before.rows, ...found.data], cursor, hasMore, problem: null };
};
