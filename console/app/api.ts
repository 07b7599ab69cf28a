import { callsOf } from '../../client/calls.ts';
import type { IntakeError } from '../../client/error.ts';
import { platform } from '../../client/platform.ts';
import { createSend, type Send } from '../../client/request.ts';
import type {} from './early.ts';
import { isUnanswered } from './problem.ts';
import { lost } from './reach.ts';
import { base, given, place } from './router.ts';
import { AnotherPerson, hasExpired, loggedInAgain, me } from './session.ts';

/** The company and the mode, as headers. */
export type Scope = Readonly<Partial<Record<'Intake-Company' | 'Intake-Mode', string>>>;

/** Those of the address as it is now. */
export const scopeNow = (): Scope => {
  const { query } = place.get();
  const [company, mode] = [query.get('company'), query.get('mode')];
  return { ...(company && { 'Intake-Company': company }), ...(mode && { 'Intake-Mode': mode }) };
};

/** With the session's cookie and its CSRF token as it is now: there may have been a log-in since the call. */
const fetchAsPerson =
  (isLasting: boolean): typeof fetch =>
  (address, init = {}) => {
    const headers = new Headers(init.headers);
    const csrfToken = me()?.csrfToken;
    if (csrfToken && init.method !== 'GET') headers.set('X-CSRF-Token', csrfToken);
    // What ends something is sent even if the page is left.
    const keepalive = isLasting || init.method === 'DELETE';
    const ask = () => fetch(address, { ...init, headers, keepalive, cache: 'no-store' });
    return early(String(address))?.then((answer) => answer ?? ask()) ?? ask();
  };

const url = `${window.location.origin}${base}`;

/**
 * The answer that app/early.ts has asked for, once, and in the same session; the next is asked anew.
 */
const early = (address: string): Promise<Response | null> | undefined => {
  const path = address.slice(url.length);
  const asked = window.asked?.get(path);
  window.asked?.delete(path);
  return asked?.then((found) =>
    found && (found.sessionId ?? me()?.sessionId) === me()?.sessionId ? found.answer : null,
  );
};

const sendOnceBy = (isLasting: boolean): Send =>
  createSend(
    // People are told soon, and start again by themselves.
    { url, maxRetries: 2, maxPauseMs: 2_000 },
    { ...platform, fetch: fetchAsPerson(isLasting) },
  );
const sendOnce = sendOnceBy(false);

/** `isOpen`: a 401 is an answer like another, and no end of a session. */
const sendBy =
  (isOpen: boolean, once = sendOnce): Send =>
  (method, path, { query = {}, ...call } = {}) => {
    const headers = isOpen || path.startsWith('/api/auth/') ? {} : scopeNow();
    // It is the same request after a log-in.
    const own = {
      headers,
      ...(!isOpen && { idempotencyKey: crypto.randomUUID() }),
      ...call,
      query: given(query),
    };
    return answered(() => once(method, path, own), isOpen, call.signal);
  };

const answered = async <T>(
  ask: () => Promise<T>,
  isOpen: boolean,
  signal: AbortSignal | undefined,
  again = true,
): Promise<T> => {
  const asked = me();
  try {
    // One request has found out for all that the session has ended.
    if (isOpen || !hasExpired()) return await ask();
  } catch (error) {
    const { code = '', status } = error as Partial<IntakeError>;
    if (isUnanswered({ code })) lost();
    if (code === 'csrf-token-required' && again) {
      // Another tab has logged in anew: the cookie is that session's.
      await renewed(asked);
      return answered(ask, isOpen, signal, false);
    }
    if (status !== 401 || isOpen) throw error;
  }
  await loggedInAgain(asked);
  signal?.throwIfAborted();
  return answered(ask, isOpen, signal);
};

let renew: () => Promise<void> = async () => undefined;
/** Tells how the person of the session is read anew. */
export const renewBy = (read: () => Promise<void>): void => {
  renew = read;
};

const renewed = async (asked: ReturnType<typeof me>): Promise<void> => {
  await renew();
  if (asked?.userId !== me()?.userId) throw new AnotherPerson();
};

/**
 * The way to the API, as the person of the session, with the company and mode of the address as it is now.
 * When the session has ended it waits for the log-in and goes on. Throws `IntakeError`, `AnotherPerson`, and
 * what `signal` was aborted with.
 */
export const send = sendBy(false);

/** The calls of the API, over `send`. */
export const api = callsOf(send);

/**
 * The same calls, also sent if the page is left. The bodies of all that are under way have at most 64 KiB.
 */
export const lasting = callsOf(sendBy(false, sendOnceBy(true)));

/** The calls that need no session: they wait for none, and have no company and mode. */
export const open = callsOf(sendBy(true));
