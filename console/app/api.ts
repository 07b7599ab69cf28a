import type { Me } from '../../schemas/identity.ts';
import type { Problem } from '../../schemas/problems.ts';
import { say, texts } from '../texts.ts';
import { base, place, type Query, queryOf } from './router.ts';
import { AnotherPerson, hasExpired, loggedInAgain, me } from './session.ts';

/** An answer that is not a 2xx, or none at all, as a problem. */
export class ApiProblem extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** `tag` is the entity tag, to be sent as `ifMatch` with a decision on what was read. */
export type Answer<T> = Readonly<{ body: T; tag: string | null }>;

type Call = Readonly<{
  /** POST with a body and GET without one, unless told. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Query;
  body?: unknown;
  ifMatch?: string | null;
  /** With it a 304 is an answer too, whose body is null. */
  ifNoneMatch?: string | null;
  /** It is sent even if the page is left. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** How long the whole answer may take; a minute unless told. */
  limitMs?: number;
  /** Of the address as it is now, unless told. */
  scope?: Scope;
  /** A 401 is an answer like another, and no end of a session. */
  open?: boolean;
}>;

/** The company and the mode, as headers. */
export type Scope = Readonly<Partial<Record<'Intake-Company' | 'Intake-Mode', string>>>;

/** Those of the address as it is now. */
export const scopeNow = (): Scope => {
  const { query } = place.get();
  const [company, mode] = [query.get('company'), query.get('mode')];
  return { ...(company && { 'Intake-Company': company }), ...(mode && { 'Intake-Mode': mode }) };
};

/** Longer than any endpoint takes, the long polls included. */
const LIMIT_MS = 60_000;
const PAUSES_MS = [300, 1_000];

/**
 * Calls the API, the one place that does: with the session's cookie, its CSRF token, the company and mode of the
 * address as it was then. When the session has ended it waits for the log-in and goes on. A request that got no
 * answer is sent again where that changes nothing: it reads, or has an Idempotency-Key. Throws `ApiProblem`,
 * `AnotherPerson`, and what `signal` was aborted with.
 */
export const call = async <T>(path: string, options: Call = {}): Promise<Answer<T>> => {
  // What an address says must lead nowhere else than the screen meant.
  if (new URL(path, window.location.origin).pathname !== path)
    throw new ApiProblem(made('not-found', 404, texts.problems.noAddress));
  const { headers, body, ok, status } = await answered(path, {
    ...options,
    headers: headersOf(path, options),
  });
  if (!ok && status !== 304) throw new ApiProblem(body as Problem);
  return { body: body as T, tag: headers.get('etag') };
};

type Sending = Call & Readonly<{ headers: Record<string, string> }>;
type Received = Readonly<{ ok: boolean; status: number; headers: Headers; body: unknown }>;

const answered = async (path: string, options: Sending, again = true): Promise<Received> => {
  const { open, signal } = options;
  const asked = me();
  // One request has found out for all that the session has ended.
  const answer = hasExpired() && !open ? null : await received(path, options);
  if (answer === null || (answer.status === 401 && !open)) {
    await loggedInAgain(asked);
    signal?.throwIfAborted();
    return answered(path, options);
  }
  if (answer.status !== 403 || !again) return answer;
  if ((answer.body as Problem).code !== 'csrf-token-required') return answer;
  // Another tab has logged in anew: the cookie is that session's.
  await renewed(asked);
  return answered(path, options, false);
};

let renew: () => Promise<void> = async () => undefined;
/** Tells how the person of the session is read anew. */
export const renewBy = (read: () => Promise<void>): void => {
  renew = read;
};

const renewed = async (asked: Me | null): Promise<void> => {
  await renew();
  if (asked?.userId !== me()?.userId) throw new AnotherPerson();
};

const received = async (path: string, options: Sending): Promise<Received> => {
  const response = await sent(path, options);
  const { ok, status, headers } = response;
  const media = headers.get('content-type') ?? '';
  const isJson = /json/.test(media);
  if (/html/.test(media) || !(ok || isJson || status === 304))
    return { ok: false, status, headers, body: unreadable(status) };
  try {
    const hasBody = status !== 204 && status !== 304;
    const body = hasBody ? await (isJson ? response.json() : response.blob()) : null;
    return { ok, status, headers, body };
  } catch (error) {
    // It has broken off.
    options.signal?.throwIfAborted();
    throw new ApiProblem(unreachable(error));
  }
};

const sent = async (path: string, options: Sending): Promise<Response> => {
  const { query = {}, body, headers, signal, keepalive = false } = options;
  const method = methodOf(options);
  const csrfToken = me()?.csrfToken;
  const init: RequestInit = {
    method,
    // Of the session as it is now: there may have been a log-in meanwhile.
    headers: { ...headers, ...(method !== 'GET' && csrfToken ? { 'X-CSRF-Token': csrfToken } : {}) },
    credentials: 'same-origin',
    cache: 'no-store',
    keepalive,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const { limitMs = LIMIT_MS } = options;
  const isRepeatable = method === 'GET' || isIdempotent(method, path);
  for (let tries = 0; ; tries += 1) {
    const limit = AbortSignal.timeout(limitMs);
    try {
      return await fetch(`${base}${path}${queryOf(query)}`, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch (error) {
      signal?.throwIfAborted();
      const pause = isRepeatable ? PAUSES_MS[tries] : undefined;
      if (pause === undefined) throw new ApiProblem(unreachable(error));
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
};

const methodOf = ({ method, body }: Call): string => method ?? (body === undefined ? 'GET' : 'POST');

const isIdempotent = (method: string, path: string): boolean =>
  method === 'POST' && path.startsWith('/api/v1/');

const headersOf = (path: string, options: Call): Record<string, string> => {
  const { body, ifMatch, ifNoneMatch, scope = scopeNow() } = options;
  return {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(isIdempotent(methodOf(options), path) ? { 'Idempotency-Key': crypto.randomUUID() } : {}),
    ...(ifMatch ? { 'If-Match': ifMatch } : {}),
    ...(ifNoneMatch ? { 'If-None-Match': ifNoneMatch } : {}),
    ...(path.startsWith('/api/auth/') ? {} : scope),
  };
};

const made = (
  code: string,
  status: number,
  { title, detail }: Readonly<{ title: string; detail: string }>,
) => ({
  type: `/problems/${code}`,
  title,
  status,
  detail,
  instance: null,
  code,
  requestId: '',
  retryable: code !== 'not-found',
});

const unreachable = (error: unknown): Problem =>
  made('unreachable', 503, {
    ...texts.problems.unreachable,
    ...(error instanceof DOMException && error.name === 'TimeoutError' ? texts.problems.late : {}),
  });

/** What a proxy answers in the service's place. */
const unreadable = (status: number): Problem => {
  const { title, detail } = texts.problems.unreadable;
  return made('unreadable', status, { title, detail: say(detail, { status }) });
};
