import { type Answer, answerOf } from './answer.ts';
import { IntakeError } from './error.ts';
import { type Platform, withLimit } from './platform.ts';
import { type Limits, limitsOf, withRetries } from './retry.ts';
import type { CommonOptions, Conditions, Method } from './types.ts';

/** What `createClient` is given. */
export type ClientOptions = Partial<Limits> &
  Readonly<{
    /** The service's address, such as `https://intake.example.com`. */
    url: string;
    /** An API key, or the token of a person's session. Without one no credential is sent. */
    key?: string;
    /** In place of the global one. */
    fetch?: typeof fetch;
    /** Sent with each request to the service. */
    headers?: Readonly<Record<string, string>>;
  }>;

/** A request as it is sent: any path of the API, its members not yet typed. */
export type Call = CommonOptions &
  Conditions &
  Readonly<{
    path?: Readonly<Record<string, string | number>>;
    query?: Readonly<Record<string, unknown>>;
    body?: unknown;
    /** The `etag` of what is known: while that is current, the answer has status 304 and no body. */
    ifNoneMatch?: string | null;
  }>;

export type Send = <Body>(method: Method, path: string, call?: Call) => Promise<Answer<Body>>;

/**
 * The one way to the service. Gives the answer of a 2xx, or a 304. Throws an IntakeError for any other, after
 * its retries, and the reason of `signal`.
 */
export const createSend = (client: ClientOptions, platform: Platform): Send => {
  requireUsable(client);
  return async <Body>(method: Method, path: string, call: Call = {}) => {
    const { signal, body } = call;
    const limits = limitsOf(call, limitsOf(client));
    const url = `${client.url.replace(/\/+$/, '')}${filled(path, call.path ?? {})}${queryOf(call.query ?? {})}`;
    const isKeyed = method === 'post' && path.startsWith('/api/v1/');
    const init = {
      method: method.toUpperCase(),
      headers: new Headers(headersOf(isKeyed, client, call)),
      // The service has none; that of a proxy would make a GET of a POST.
      redirect: 'manual' as const,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    // A POST of another path knows no Idempotency-Key: whether it was done is not known when its answer is
    // lost.
    const repeatable = isKeyed || method !== 'post';
    return withRetries(platform, limits, signal, () =>
      attempt(platform, url, { init, timeoutMs: limits.timeoutMs, signal, repeatable }, (response) =>
        answerOf<Body>(response, platform.now(), repeatable),
      ),
    );
  };
};

/**
 * What no request could be made of would be sent again and again. Neither is repeated: both may be secret.
 */
const requireUsable = ({ url, key = '' }: ClientOptions): void => {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.search || address.hash)
    throw new TypeError('the url must be an http or https address such as https://intake.example.com');
  if (/[^!-~]/.test(key.trim())) throw new TypeError('the key has characters that are in no key');
};

type Attempt = Readonly<{
  init: RequestInit;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  repeatable: boolean;
}>;

/**
 * One attempt, its answer read by `read`. Throws an IntakeError `unreachable` or `timed-out` when none came,
 * and those of `read`.
 */
export const attempt = async <T>(
  { fetch }: Platform,
  url: string,
  { init, timeoutMs, signal, repeatable: retryable }: Attempt,
  read: (response: Response) => Promise<T>,
): Promise<T> => {
  try {
    return await withLimit(timeoutMs, signal, async (limit) =>
      read(await fetch(url, { ...init, signal: limit })),
    );
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof IntakeError) throw cause;
    const code = (cause as Error).name === 'TimeoutError' ? 'timed-out' : 'unreachable';
    // What stands behind the path may be a signature.
    const message = `${init.method} ${url.split('?')[0]}: ${reasonOf(cause as Error)}`;
    throw new IntakeError({ code, message, retryable, cause });
  }
};

/** Node.js tells what failed in the cause alone. */
const reasonOf = ({ cause, message }: Error): string => (cause instanceof Error && cause.message) || message;

const headersOf = (isKeyed: boolean, client: ClientOptions, call: Call): Record<string, string> => ({
  Accept: 'application/json, */*',
  ...(client.key !== undefined && { Authorization: `Bearer ${client.key}` }),
  ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
  ...(isKeyed && { 'Idempotency-Key': call.idempotencyKey ?? crypto.randomUUID() }),
  ...(call.ifMatch && { 'If-Match': call.ifMatch }),
  ...(call.ifNoneMatch && { 'If-None-Match': call.ifNoneMatch }),
  ...client.headers,
  ...call.headers,
});

const filled = (path: string, values: Readonly<Record<string, string | number>>): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = String(values[name] ?? '');
    // As URLs are read, these would name another path.
    if (/^\.{0,2}$/.test(value))
      throw new IntakeError({
        code: 'invalid-path',
        message: `"${value}" can't be ${whole} of the path ${path}`,
      });
    return encodeURIComponent(value);
  });

/** A query with its question mark; empty without values. */
export const queryOf = (query: Readonly<Record<string, unknown>>): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
};
