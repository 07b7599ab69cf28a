import { Type } from '../../kernel/schema.ts';
import { type Route, route } from '../engine/route.ts';

/** The metrics for Prometheus; `read` gives them in its text form. */
export const metricsRoute = (read: () => Promise<string>): Route =>
  route({
    name: 'getMetrics',
    summary: 'Figures of this process and of the stores, for Prometheus',
    description:
      'Answers with METRICS_TOKEN as bearer token; where that is unset, only requests from the same machine.',
    method: 'GET',
    path: '/metrics',
    access: 'operator',
    media: 'text/plain; version=0.0.4; charset=utf-8',
    answers: { 200: Type.String() },
  })({ run: async () => ({ status: 200, body: await read() }) });
