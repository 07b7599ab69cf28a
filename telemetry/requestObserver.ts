import type { Observer, RequestLine } from '../http/engine/observer.ts';
import type { Report } from '../kernel/report.ts';
import { scrubbed } from '../kernel/scrub.ts';
import type { Logger } from './log.ts';
import type { Recorder } from './recorder.ts';

/**
 * Counts each request and writes one line of it: no query, headers or body, which may hold secrets. The
 * requests of a turn of the event loop are recorded together at its end, which takes a fraction of the time.
 */
export const createObserver = (logger: Logger, report: Report, recorder: Recorder): Observer => {
  let waiting: RequestLine[] = [];
  const record = (): void => {
    const lines = waiting;
    waiting = [];
    for (const line of lines) recorder.answered(line);
    for (const line of lines) logger[levelOf(line)]({ ...line, path: knownPath(line) }, 'request');
  };
  return {
    answered: (line) => {
      if (waiting.push(line) === 1) setImmediate(record);
    },
    failed: (error, requestId) => report.error('a request failed', { err: error, requestId }),
  };
};

/** The endpoints that probes, Prometheus and the screen for operators ask for every few seconds. */
export const ROUTINE = [
  ...['getLive', 'getReady', 'getMetrics'],
  ...['listReadModels', 'listTasks', 'listQueues', 'listLeases', 'listNodes', 'listParts', 'listOutages'],
  ...['listQuarantined', 'listParked', 'listReactions', 'getFigures', 'listFailingReceiversOfAll'],
];

/** Those that may wait for a change: how long they take says nothing of the service. */
export const LONG_POLLS = ['listReviewQueue', 'listEvents'];

const levelOf = ({ status, endpoint }: RequestLine): 'debug' | 'info' | 'warn' | 'error' => {
  // A 501 (CONNECT) is the client's fault. In an outage nearly every line is a 503, which is reported
  // elsewhere.
  if (status >= 500 && status !== 501 && status !== 503) return 'error';
  if (status >= 400) return 'warn';
  return endpoint !== null && ROUTINE.includes(endpoint) ? 'debug' : 'info';
};

/** A known path holds identifiers; any other path is arbitrary client input. */
const knownPath = ({ path }: RequestLine): string | null => path && scrubbed(path.slice(0, 200));
