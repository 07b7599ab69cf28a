import { usePolled } from '../../app/polled.ts';
import type { Resource } from '../../app/resource.ts';
import type { Query } from '../../app/router.ts';

/** An address of the endpoints for operators. */
export const operations = (path: string): string => `/api/v1/operations/${path}`;

/** How often it is looked what a task does, what changes from second to second, and what seldom does. */
export const SOON_MS = 1_000;
export const OFTEN_MS = 4_000;
export const SELDOM_MS = 10_000;

/** A list's first page; `hasMore`: there is more than it shows. */
export type List<R> = Readonly<{ data: readonly R[]; pagination: Readonly<{ hasMore: boolean }> }>;

/** Follows a list of those endpoints. */
export const useList = <R>(path: string, everyMs: number, query?: Query): Resource<List<R>> =>
  usePolled<List<R>>(operations(path), everyMs, query);
