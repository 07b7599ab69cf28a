import type { Problem } from './api.ts';
import { IntakeError } from './error.ts';

/** An answer of the service; `etag` is what `ifMatch` takes. */
export type Answer<Body> = Readonly<{ status: number; headers: Headers; etag: string | null; body: Body }>;

/**
 * A 2xx or 304, read to its end. Throws an IntakeError for any other answer. `repeatable`: whether the
 * request may be sent again though it may have been done.
 */
export const answerOf = async <Body>(
  response: Response,
  now: number,
  repeatable: boolean,
): Promise<Answer<Body>> => {
  const { ok, status, headers } = response;
  const media = headers.get('content-type') ?? '';
  const isJson = media.includes('json');
  // The service has no pages here: that of a proxy's log-in is not its answer.
  if ((ok || status === 304) && !media.includes('html')) {
    const isEmpty = status === 204 || status === 304;
    const body = isEmpty ? undefined : await (isJson ? response.json() : response.blob());
    return { status, headers, etag: headers.get('etag'), body: body as Body };
  }
  const text = await response.text();
  const facts = { status, retryAfterMs: retryAfterOf(headers, now) };
  const problem: Partial<Problem> = isJson ? JSON.parse(text) : {};
  if (isProblem(problem))
    throw new IntakeError({ ...facts, code: problem.code, message: wordsOf(problem), problem });
  const message = `The answer has status ${status} and is not from the service: ${text.slice(0, 200)}`;
  // A proxy in front of a service that starts or stops.
  const retryable = status === 429 || (repeatable && status >= 500);
  throw new IntakeError({ ...facts, code: 'unexpected-answer', message, retryable });
};

const isProblem = (body: Partial<Problem>): body is Problem => typeof body.code === 'string';

const wordsOf = ({ detail, errors = [] }: Problem): string =>
  [detail, ...errors.map((fault) => `${fault.pointer} ${fault.detail}.`)].join(' ');

/** The wait that an answer asks for, in milliseconds, as seconds or as a date; null when it asks for none. */
export const retryAfterOf = (headers: Headers, now: number): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};
