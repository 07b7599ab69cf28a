import type { Attempt } from '../../domain/webhookDelivery.ts';
import type { Egress } from './egress.ts';
import { AttemptTimedOut, failureText, InvalidAnswer, statusText } from './failure.ts';

/** How long an attempt may last in all: name look-up, connection, TLS, headers and body (contract, section 6, "Retries"). */
const ATTEMPT_MS = 10_000;

/** How much of an answer's body is read (decisions, section 6). */
export const ANSWER_LIMIT = 65_536;

/** How many interim answers (1xx) a receiver may send before its real one. */
const INTERIM_LIMIT = 16;

/** A POST to make. `timeoutMs` is for everything, 10 s unless given; `signal` calls it off. */
export type Outgoing = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  timeoutMs?: number;
  signal?: AbortSignal;
}>;

/**
 * Sends POSTs. A receiver's fault is an Attempt with an error. Throws the signal's reason when called off, and the error
 * itself when the fault is our own (`failureText`): neither is an attempt to record.
 */
export type Sender = Readonly<{ send(request: Outgoing): Promise<Attempt> }>;

/** True for a complete 2xx answer (or the first 64 KiB of one) within the time. */
export const succeeded = ({ statusCode, error }: Attempt): boolean =>
  error === null && statusCode !== null && statusText(statusCode) === null;

/** A sender that goes out through the egress guard. Close the egress to end its connections. */
export const createSender = (egress: Egress): Sender => ({
  send: async ({ timeoutMs = ATTEMPT_MS, signal, ...request }) => {
    signal?.throwIfAborted();
    const started = performance.now();
    const exchange = post(egress, request);
    const timer = setTimeout(() => exchange.stop(new AttemptTimedOut(timeoutMs)), timeoutMs);
    const callOff = (): void => exchange.stop(signal?.reason);
    signal?.addEventListener('abort', callOff, { once: true });
    const ended = (statusCode: number | null, error: string | null): Attempt => ({
      statusCode,
      durationMs: Math.round(performance.now() - started),
      error,
    });
    try {
      const statusCode = await exchange.status;
      return ended(statusCode, statusText(statusCode));
    } catch (error) {
      signal?.throwIfAborted();
      const text = failureText(error);
      if (text === null) throw error;
      return ended(exchange.statusSoFar(), text);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', callOff);
    }
  },
});

type Exchange = Readonly<{
  /** The answer's status, once its body has ended or passed the limit. */
  status: Promise<number>;
  statusSoFar(): number | null;
  stop(reason: Error): void;
}>;

/**
 * One request and its answer. `stop` rejects at once: undici itself would hold an abort back while it still connects.
 * A request stopped in that time is dropped before a byte of it is sent.
 */
const post = (egress: Egress, { url, headers, body }: Outgoing): Exchange => {
  const { origin, pathname, search } = new URL(url);
  const answer = deferred<number>();
  let abort: ((reason: Error) => void) | null = null;
  let stopped: Error | null = null;
  let status: number | null = null;
  let size = 0;
  let interim = 0;
  const stop = (reason: Error): void => {
    stopped = reason;
    answer.reject(reason);
    abort?.(reason);
  };
  const end = (): void => {
    if (status === null) stop(new InvalidAnswer());
    else answer.resolve(status);
  };
  egress.dispatch(
    { origin, path: pathname + search, method: 'POST', headers, body },
    {
      onRequestStart: (controller) => {
        abort = (reason) => controller.abort(reason);
        if (stopped) abort(stopped);
      },
      onResponseStart: (_controller, code) => {
        if (code >= 200) status = code;
        else if (++interim > INTERIM_LIMIT) stop(new InvalidAnswer());
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length;
        if (size < ANSWER_LIMIT) return;
        end();
        stop(new Error('enough of the answer was read'));
      },
      onResponseEnd: end,
      onResponseError: (_controller, error) => answer.reject(error),
    },
  );
  return { status: answer.promise, statusSoFar: () => status, stop };
};

type Deferred<T> = Readonly<{ promise: Promise<T>; resolve(value: T): void; reject(reason: Error): void }>;

const deferred = <T>(): Deferred<T> => {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value) => settle?.resolve(value), reject: (reason) => settle?.reject(reason) };
};
