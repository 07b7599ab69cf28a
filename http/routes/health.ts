import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/timeLimit.ts';
import { type HealthCheck, Live, Ready } from '../../schemas/health.ts';
import type { Observer } from '../engine/observer.ts';
import { Problem } from '../engine/problems/problem.ts';
import { type Route, route } from '../engine/route.ts';

/**
 * What readiness depends on, by name: null when it is well, else what is wrong, in words that may be told to
 * anybody.
 */
export type Checks = Readonly<Record<string, () => Promise<string | null>>>;

const CHECK_MS = 2_000;
/** How long what was seen is told again: anybody may ask, and the checks write. */
const FRESH_MS = 1_000;

/**
 * GET /health/live and /health/ready; a check that throws or takes over 2 s is not well, and the observer
 * hears of it. The checks run at most once a second.
 */
export const healthRoutes = (checks: Checks, observer: Observer, clock: Clock): readonly Route[] => {
  let last: Readonly<{ at: number; seen: Promise<readonly HealthCheck[]> }> | null = null;
  const seenLately = (requestId: string): Promise<readonly HealthCheck[]> => {
    const at = clock.now().getTime();
    if (last === null || Math.abs(at - last.at) >= FRESH_MS)
      last = { at, seen: lookAt(checks, (error) => observer.failed(error, requestId)) };
    return last.seen;
  };
  return [live, ready(seenLately)];
};

const live = route({
  name: 'getLive',
  summary: 'Whether the process answers',
  method: 'GET',
  path: '/health/live',
  access: 'none',
  answers: { 200: Live },
})({ run: async () => ({ status: 200, body: { status: 'live' } }) });

const ready = (seenLately: (requestId: string) => Promise<readonly HealthCheck[]>): Route =>
  route({
    name: 'getReady',
    summary: 'Whether the stores can be read and written and the read models are up to date',
    method: 'GET',
    path: '/health/ready',
    access: 'none',
    answers: { 200: Ready },
    refusals: ['not-ready'],
  })({
    run: async ({ requestId }) => {
      const seen = await seenLately(requestId);
      if (seen.some(({ ok }) => !ok)) throw new Problem('not-ready', undefined, notReady(seen));
      return { status: 200, body: { status: 'ready', checks: seen } };
    },
  });

const lookAt = (checks: Checks, failed: (error: unknown) => void): Promise<readonly HealthCheck[]> =>
  Promise.all(Object.entries(checks).map(([name, check]) => look(name, check, failed)));

const notReady = (checks: readonly HealthCheck[]) => ({
  headers: { 'Retry-After': '1' },
  members: { checks },
});

const look = async (
  name: string,
  check: () => Promise<string | null>,
  failed: (error: unknown) => void,
): Promise<HealthCheck> => {
  try {
    const detail = await within(check(), CHECK_MS, () => `gave no answer within ${CHECK_MS} ms`);
    return { name, ok: detail === null, detail };
  } catch (error) {
    failed(error);
    return { name, ok: false, detail: 'could not be checked' };
  }
};
