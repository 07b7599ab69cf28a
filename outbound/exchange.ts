import type { IncomingHttpHeaders } from 'node:http';
import type { Egress } from './egress.ts';
import { AttemptError, NOT_HTTP } from './failure.ts';

/** A POST as it is sent. */
export type Posted = Readonly<{
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
}>;

/** A request as it is sent. */
type Sent = Omit<Posted, 'body'> & Readonly<{ method: 'GET' | 'POST'; body: string | Uint8Array | null }>;

/** An answer: `body` holds no more than was to be kept; `isWhole`: it had ended before the limit. */
export type Answered = Readonly<{
  statusCode: number;
  retryAfter: string | null;
  contentType: string | null;
  body: Buffer;
  isWhole: boolean;
}>;

export type Exchange = Readonly<ReturnType<typeof exchange>>;

/**
 * How many bytes of a body are read, and kept: as far as `take` allows so many more, or the first `keep` of
 * them.
 */
type Reading = Readonly<{ limit: number }> &
  (Readonly<{ take(bytes: number): boolean }> | Readonly<{ keep: number }>);

/** How many interim answers (1xx) a receiver may send before its real one. */
const INTERIM_LIMIT = 16;

/** A POST and its answer; see `exchange`. */
export const post = (egress: Egress, posted: Posted, reading: Reading): Exchange =>
  exchange(egress, { method: 'POST', ...posted }, reading);

/**
 * One request and its answer. `stop` rejects at once: undici itself would hold an abort back while it still
 * connects. A request stopped in that time is dropped before a byte of it is sent.
 */
export const exchange = (egress: Egress, { method, url, headers, body }: Sent, reading: Reading) => {
  const { limit } = reading;
  const { origin, pathname, search } = new URL(url);
  const answer = deferred<Answered>();
  const chunks: Buffer[] = [];
  let abort: ((reason: Error) => void) | null = null;
  let stopped: Error | null = null;
  let head: Omit<Answered, 'body' | 'isWhole'> | null = null;
  let size = 0;
  let interim = 0;
  const stop = (reason: Error): void => {
    stopped = reason;
    answer.reject(reason);
    abort?.(reason);
  };
  const end = (isWhole: boolean): void => {
    if (head === null) stop(new AttemptError(NOT_HTTP));
    else answer.resolve({ ...head, body: Buffer.concat(chunks), isWhole });
  };
  egress.dispatch(
    { origin, path: pathname + search, method, headers, body },
    {
      onRequestStart: (controller) => {
        abort = (reason) => controller.abort(reason);
        if (stopped) abort(stopped);
      },
      onResponseStart: (_controller, statusCode, received) => {
        if (statusCode >= 200) head = { statusCode, ...named(received) };
        else if (++interim > INTERIM_LIMIT) stop(new AttemptError(NOT_HTTP));
      },
      onResponseData: (_controller, chunk) => {
        if ('keep' in reading && size < reading.keep) chunks.push(chunk.subarray(0, reading.keep - size));
        size += chunk.length;
        if (size < limit) {
          if ('keep' in reading) return;
          if (reading.take(chunk.length)) chunks.push(chunk);
          else stop(new AttemptError('too many large answers came at once'));
          return;
        }
        end(false);
        stop(new Error('enough of the answer was read'));
      },
      onResponseEnd: () => end(true),
      onResponseError: (_controller, error) => answer.reject(error),
    },
  );
  return {
    /** Comes once the answer's body has ended or passed the limit. */
    answer: answer.promise,
    statusSoFar: (): number | null => head?.statusCode ?? null,
    stop,
  };
};

const named = (headers: IncomingHttpHeaders) => ({
  retryAfter: single(headers['retry-after']),
  contentType: single(headers['content-type']),
});

const single = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' ? header : null;

type Deferred<T> = Readonly<{ promise: Promise<T>; resolve(value: T): void; reject(reason: Error): void }>;

const deferred = <T>(): Deferred<T> => {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: (value) => settle?.resolve(value), reject: (reason) => settle?.reject(reason) };
};
