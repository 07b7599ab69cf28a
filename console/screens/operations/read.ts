import { usePolled } from '../../app/polled.ts';

/** Where the API has the endpoints for operators. */
export const PATH = '/api/v1/operations';

/** How often it is looked what a task does, what changes from second to second, and what seldom does. */
export const SOON_MS = 1_000;
export const OFTEN_MS = 4_000;
export const SELDOM_MS = 10_000;

/** A list's first page; `hasMore`: there is more than it shows. */
export type List<R> = Readonly<{ data: readonly R[]; pagination: Readonly<{ hasMore: boolean }> }>;

/** What the verdict is drawn from, each with a section of its own further down. */
export const useServiceLists = () => ({
  parts: usePolled(`${PATH}/parts`, OFTEN_MS, {}),
  nodes: usePolled(`${PATH}/nodes`, SELDOM_MS, {}),
  queues: usePolled(`${PATH}/queues`, OFTEN_MS, {}),
  projections: usePolled(`${PATH}/projections`, OFTEN_MS, {}),
  quarantined: usePolled(`${PATH}/quarantined`, SELDOM_MS, {}),
  reactions: usePolled(`${PATH}/reactions`, SELDOM_MS, {}),
  parked: usePolled(`${PATH}/parked`, SELDOM_MS, {}),
});
export type ServiceLists = ReturnType<typeof useServiceLists>;
