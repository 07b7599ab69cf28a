import type { Observer, RequestLine } from '../http/engine/observer.ts';
import type { Report } from '../kernel/report.ts';
import { scrubbed } from '../kernel/scrub.ts';
import type { Logger } from './log.ts';
import type { Recorder } from './recorder.ts';

/** Counts each request and writes one line of it: no query, headers or body, which may hold secrets. */
export const createObserver = (logger: Logger, report: Report, recorder: Recorder): Observer => ({
  answered: (line) => {
    recorder.answered(line);
    logger[levelOf(line)]({ ...line, path: knownPath(line) }, 'request');
  },
  failed: (error, requestId) => report.error('a request failed', { err: error, requestId }),
});

/** What probes and Prometheus ask for every few seconds. */
const ROUTINE = ['getLive', 'getReady', 'getMetrics'];

const levelOf = ({ status, endpoint }: RequestLine): 'debug' | 'info' | 'warn' | 'error' => {
  // A 501 (CONNECT) is the client's fault. In an outage nearly every line is a 503, which is reported
  // elsewhere.
  if (status >= 500 && status !== 501 && status !== 503) return 'error';
  if (status >= 400) return 'warn';
  return endpoint !== null && ROUTINE.includes(endpoint) ? 'debug' : 'info';
};

/** A known path holds identifiers; any other path is arbitrary client input. */
const knownPath = ({ path }: RequestLine): string | null => path && scrubbed(path.slice(0, 200));
