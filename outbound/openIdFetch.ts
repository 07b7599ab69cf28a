import type { Egress } from './egress.ts';
import { exchange } from './exchange.ts';
import { AttemptError } from './failure.ts';

/** More than the keys of any provider take. */
const ANSWER_LIMIT = 1024 * 1024;

/** A request as openid-client makes it. */
type Init = Readonly<{
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: unknown;
  signal?: AbortSignal;
}>;

/** Throws `AttemptError`. */
export type GuardedFetch = (url: string, init: Init) => Promise<Response>;

/** `fetch` through the egress guard: redirects are not followed, and a body over 1 MiB is a failure. */
export const guardedFetch =
  (egress: Egress): GuardedFetch =>
  async (url, { method, headers, body, signal }) => {
    const sent = exchange(
      egress,
      { method: method === 'POST' ? 'POST' : 'GET', url, headers, body: body ? String(body) : null },
      { limit: ANSWER_LIMIT, take: () => true },
    );
    const stop = (): void => sent.stop(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const { statusCode, contentType, isWhole, body: content } = await sent.answer;
      if (!isWhole) throw new AttemptError('the answer is larger than 1 MiB');
      const type = contentType === null ? {} : { 'content-type': contentType };
      return new Response(NO_BODY.includes(statusCode) ? null : new Uint8Array(withoutNull(content)), {
        status: statusCode,
        headers: type,
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };

/**
 * Some providers say so that there is no refresh token, which openid-client takes for one that is no text.
 */
const withoutNull = (content: Buffer): Buffer => {
  const text = content.toString('utf8');
  return NO_TOKEN.test(text) ? Buffer.from(text.replace(NO_TOKEN, '$<end>')) : content;
};

/** A member of a JSON object with the comma before or after it. */
const NO_TOKEN = /"refresh_token"\s*:\s*null\s*(?:,|(?<end>\}))|,\s*"refresh_token"\s*:\s*null(?=\s*\})/;

/** Statuses that a Response takes no body with. */
const NO_BODY = [204, 205, 304];
