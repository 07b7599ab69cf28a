import type { Clock } from '../../kernel/clock.ts';
import { Type } from '../../kernel/schema.ts';
import { within } from '../../kernel/timeLimit.ts';
import { type HealthCheck, Live, Ready } from '../../schemas/health.ts';
import type { Observer } from '../engine/observer.ts';
import { Problem } from '../engine/problems/problem.ts';
import { type Route, route } from '../engine/route.ts';

/** The checks of readiness, by name: null when a part works, otherwise a public description of the fault. */
export type Checks = Readonly<Record<string, () => Promise<string | null>>>;

type ReadinessPorts = Readonly<{
  checks: Checks;
  observer: Observer;
  clock: Clock;
  hasStarted(): boolean;
}>;

/** The results of the checks of readiness, for a request. */
export type Readiness = (requestId: string) => Promise<readonly HealthCheck[]>;

/** How long a result is reused: the endpoint is public, and the checks write. */
const FRESH_MS = 1_000;

/**
 * Runs the checks of readiness, at most once a second, and anew once the process has started. One that throws
 * or takes over 2 s has failed, and the observer gets its error.
 */
export const createReadiness = (ports: ReadinessPorts): Readiness => {
  const { checks, observer, clock, hasStarted } = ports;
  let last: Readonly<{ at: number; started: boolean; results: Promise<readonly HealthCheck[]> }> | undefined;
  return (requestId) => {
    const [at, started] = [clock.now().getTime(), hasStarted()];
    const failed = (error: unknown): void => observer.failed(error, requestId);
    if (last?.started !== started || Math.abs(at - last.at) >= FRESH_MS)
      last = { at, started, results: runChecks(checks, failed) };
    return last.results;
  };
};

/** `scrape` gives the metrics in Prometheus' text form. */
type HealthPorts = Readonly<{ readiness: Readiness; scrape(): Promise<string> }>;

/** What every process serves: health and metrics. */
export const healthRoutes = ({ readiness, scrape }: HealthPorts): readonly Route[] => [
  live,
  route({
    name: 'getReady',
    summary: 'Whether the stores can be read and written and the read models are up to date',
    description: 'A 503 names the parts that are not: for load balancers.',
    method: 'GET',
    path: '/health/ready',
    access: 'none',
    answers: { 200: Ready },
    refusals: ['not-ready'],
  })({
    run: async ({ requestId }) => {
      const results = await readiness(requestId);
      if (results.every(({ ok }) => ok)) return { status: 200, body: { status: 'ready', checks: results } };
      const headers = { 'Retry-After': '1' };
      throw new Problem('not-ready', undefined, { headers, members: { checks: results } });
    },
  }),
  route({
    name: 'getMetrics',
    summary: 'Metrics of this process and of the stores, for Prometheus',
    description:
      'Needs METRICS_TOKEN as bearer token; where that is unset, only requests from the same machine are answered.',
    method: 'GET',
    path: '/metrics',
    access: 'operator',
    media: 'text/plain; version=0.0.4; charset=utf-8',
    answers: { 200: Type.String() },
  })({ run: async () => ({ status: 200, body: await scrape() }) }),
];

const live = route({
  name: 'getLive',
  summary: 'Whether the process answers',
  description: 'It looks at nothing else: for the supervisor of a process.',
  method: 'GET',
  path: '/health/live',
  access: 'none',
  answers: { 200: Live },
})({ run: async () => ({ status: 200, body: { status: 'live' } }) });

const CHECK_MS = 2_000;

const runChecks = (checks: Checks, failed: (error: unknown) => void): Promise<readonly HealthCheck[]> =>
  Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        const detail = await within(check(), CHECK_MS, () => `gave no answer within ${CHECK_MS} ms`);
        return { name, ok: detail === null, detail };
      } catch (error) {
        failed(error);
        return { name, ok: false, detail: 'could not be checked' };
      }
    }),
  );
