/** Where the API has the endpoints for operators. */
export const PATH = '/api/v1/operations';

/** How often it is looked what a task does, what changes from second to second, and what seldom does. */
export const SOON_MS = 1_000;
export const OFTEN_MS = 4_000;
export const SELDOM_MS = 10_000;

/** A list's first page; `hasMore`: there is more than it shows. */
export type List<R> = Readonly<{ data: readonly R[]; pagination: Readonly<{ hasMore: boolean }> }>;
