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
  const isAnswer = (ok || status === 304) && !media.includes('html');
  const answer = { status, headers, etag: headers.get('etag') };
  if (isAnswer && (status === 204 || status === 304)) return { ...answer, body: undefined as Body };
  if (isAnswer && !isJson) return { ...answer, body: (await response.blob()) as Body };
  const text = await response.text();
  const json = isJson ? parsed(text) : undefined;
  if (isAnswer && json !== undefined) return { ...answer, body: json as Body };
  // Its rest was lost on the way: it is as if none had come.
  if (isAnswer && BEGINS_AS_JSON.test(text)) throw new Error('the answer breaks off');
  const facts = { status, retryAfterMs: retryAfterOf(headers, now) };
  if (isProblem(json))
    throw new IntakeError({ ...facts, code: json.code, message: wordsOf(json), problem: json });
  const told = headers.get('location') ?? text.slice(0, 200);
  const message = `The answer has status ${status} and is not from the service: ${told}`;
  // A proxy in front of a service that starts or stops.
  const retryable = status === 429 || (repeatable && status >= 500);
  throw new IntakeError({ ...facts, code: 'unexpected-answer', message, retryable });
};

const BEGINS_AS_JSON = /^\s*[{[]/;

/** Undefined for what is no JSON, whatever its headers say. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isProblem = (body: unknown): body is Problem =>
  typeof (body as Partial<Problem> | null | undefined)?.code === 'string';

/** A single fault is the detail itself. */
const wordsOf = ({ detail, errors = [] }: Problem): string => {
  const faults = errors.map((fault) => `${fault.pointer} ${fault.detail}.`);
  return [detail, ...faults.filter((words) => words !== detail)].join(' ');
};

/** The wait that an answer asks for, in milliseconds, as seconds or as a date; null when it asks for none. */
export const retryAfterOf = (headers: Headers, now: number): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
};
