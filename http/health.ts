import { type HealthCheck, Live, Ready } from '../schemas/health.ts';
import type { Observer } from './observer.ts';
import { Problem } from './problem.ts';
import { type Route, route } from './route.ts';

/** What readiness depends on, by name: null when it is well, else what is wrong, in words that may be told to anybody. */
export type Checks = Readonly<Record<string, () => Promise<string | null>>>;

const CHECK_MS = 2_000;

/** GET /health/live and /health/ready; a check that throws or takes over 2 s is not well, and the observer hears of it. */
export const healthRoutes = (checks: Checks, observer: Observer): readonly Route[] => [
  route({
    name: 'getLive',
    summary: 'Whether the process answers',
    method: 'GET',
    path: '/health/live',
    access: 'none',
    answers: { 200: Live },
  })({ run: async () => ({ status: 200, body: { status: 'live' } }) }),
  route({
    name: 'getReady',
    summary: 'Whether the stores can be reached and the read models are up to date',
    method: 'GET',
    path: '/health/ready',
    access: 'none',
    answers: { 200: Ready },
    refusals: ['not-ready'],
  })({
    run: async ({ requestId }) => {
      const seen = await Promise.all(
        Object.entries(checks).map(([name, check]) =>
          look(name, check, (error) => observer.failed(error, requestId)),
        ),
      );
      if (seen.some(({ ok }) => !ok)) throw new Problem('not-ready', undefined, notReady(seen));
      return { status: 200, body: { status: 'ready', checks: seen } };
    },
  }),
];

const notReady = (checks: readonly HealthCheck[]) => ({
  headers: { 'Retry-After': '1' },
  members: { checks },
});

const look = async (
  name: string,
  check: () => Promise<string | null>,
  failed: (error: unknown) => void,
): Promise<HealthCheck> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`gave no answer within ${CHECK_MS} ms`), CHECK_MS);
  });
  try {
    const detail = await Promise.race([check(), late]);
    return { name, ok: detail === null, detail };
  } catch (error) {
    failed(error);
    return { name, ok: false, detail: 'could not be checked' };
  } finally {
    clearTimeout(timer);
  }
};
