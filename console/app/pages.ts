import { useEffect, useRef, useState } from 'preact/hooks';
import type { Call } from '../../client/request.ts';
import type { ListPath, RowOf } from '../../client/types.ts';
import { send } from './api.ts';
import type { Problem } from './problem.ts';
import { problemIn, type Reading, useReached } from './resource.ts';

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
 * Reads a list page by page; another query begins anew. `version`: another one reads it again. Rows that are
 * read again stay until then.
 */
export const usePages = <P extends ListPath>(
  path: P,
  reading: Call & Reading<P>,
  version = 0,
): Pages<RowOf<P>> => {
  const [reloads, setReloads] = useState(0);
  const round = `${version} ${reloads}`;
  const of = `${path} ${JSON.stringify(reading)}`;
  const none: State<RowOf<P>> = { of, rows: [], cursor: null, hasMore: null, problem: null };
  const [state, setState] = useState(none);
  const current = state.of === of ? state : none;
  const asking = useRef<string | null>(null);
  const read = async (before: State<RowOf<P>>): Promise<void> => {
    const own = `${round} ${of} ${before.cursor}`;
    asking.current = own;
    const query = { ...reading.query, limit: PAGE, cursor: before.cursor };
    const found = await readPage<Page<RowOf<P>>>(path, { ...reading, query });
    if (asking.current !== own) return;
    asking.current = null;
    setState(after(before, found));
  };
  useEffect(() => {
    void read(none);
    return () => {
      asking.current = null;
    };
  }, [of, round]);
  const more = (): void => {
    if (asking.current === null && (current.hasMore || current.problem))
      void read({ ...current, problem: null });
  };
  const { rows, hasMore, problem } = current;
  useReached(problem, more);
  return { rows, hasMore, problem, more, reload: () => setReloads((before) => before + 1) };
};

/** A page of a list, or the problem; null where a new log-in has replaced all that was asked. */
export const readPage = async <P>(path: string, call: Call): Promise<P | Problem | null> => {
  try {
    return (await send<P>('get', path, call)).body;
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
