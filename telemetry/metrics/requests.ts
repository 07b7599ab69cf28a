import type { Measures } from '../recorder.ts';
import { type Instruments, SECONDS } from './instruments.ts';

const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'PATCH'];

/** Requests by endpoint, method and status. */
export const requestMeasures = (instruments: Instruments): Pick<Measures, 'answered'> => {
  const requests = instruments.counter(
    'intake_http_requests_total',
    'Requests answered; endpoint `none`: no endpoint of ours',
    ['endpoint', 'method', 'status'],
  );
  const duration = instruments.histogram(
    'intake_http_request_duration_seconds',
    'From the first look at a request to its answer, in seconds',
    SECONDS,
    ['endpoint'],
  );
  return {
    answered: ({ endpoint: name, method: sent, status, durationMs }) => {
      const endpoint = name ?? 'none';
      const method = sent === null ? 'none' : METHODS.includes(sent) ? sent : 'other';
      requests.inc({ endpoint, method, status });
      if (durationMs !== null) duration.observe({ endpoint }, durationMs / 1_000);
    },
  };
};
