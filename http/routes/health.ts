import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/timeLimit.ts';
import { type HealthCheck, Live, Ready } from '../../schemas/health.ts';
import type { Observer } from '../engine/observer.ts';
import { Problem } from '../engine/problems/problem.ts';
import { type Route, route } from '../engine/route.ts';

/** The checks of readiness, by name: null when a part works, otherwise a public description of the fault. */
export type Checks = Readonly<Record<string, () => Promise<string | null>>>;

const CHECK_MS = 2_000;
/** How long a result is reused: the endpoint is public, and the checks write. */
const FRESH_MS = 1_000;

/**
 * GET /health/live and /health/ready. A check that throws or takes over 2 s has failed, and the observer gets
 * its error. The checks run at most once a second.
 */
export const healthRoutes = (checks: Checks, observer: Observer, clock: Clock): readonly Route[] => {
  let last: Readonly<{ at: number; results: Promise<readonly HealthCheck[]> }> | null = null;
  const recentResults = (requestId: string): Promise<readonly HealthCheck[]> => {
    const at = clock.now().getTime();
    if (last === null || Math.abs(at - last.at) >= FRESH_MS)
      last = { at, results: runChecks(checks, (error) => observer.failed(error, requestId)) };
    return last.results;
  };
  return [live, ready(recentResults)];
};

const live = route({
  name: 'getLive',
  summary: 'Whether the process answers',
  method: 'GET',
  path: '/health/live',
  access: 'none',
  answers: { 200: Live },
})({ run: async () => ({ status: 200, body: { status: 'live' } }) });

const ready = (recentResults: (requestId: string) => Promise<readonly HealthCheck[]>): Route =>
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
      const results = await recentResults(requestId);
      if (results.some(({ ok }) => !ok)) throw new Problem('not-ready', undefined, notReady(results));
      return { status: 200, body: { status: 'ready', checks: results } };
    },
  });

const runChecks = (checks: Checks, failed: (error: unknown) => void): Promise<readonly HealthCheck[]> =>
  Promise.all(Object.entries(checks).map(([name, check]) => runCheck(name, check, failed)));

const notReady = (checks: readonly HealthCheck[]) => ({
  headers: { 'Retry-After': '1' },
  members: { checks },
});

const runCheck = async (
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
