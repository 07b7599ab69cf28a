import type { IncomingMessage } from 'node:http';
import type { Claim, IdempotencyRecords, Reserved, Scope } from '../../../stores/idempotency/port.ts';
import { malformed, Problem, problemOf } from '../problems/problem.ts';
import { type Code, problems } from '../problems/problemTypes.ts';
import type { Answer, Endpoint } from '../route.ts';

/** What is kept of an answer. `again`: that it was given; it holds addresses, and is made again with new ones. */
export type Outcome =
  | Readonly<{ kind: 'answer'; answer: Answer }>
  | Readonly<{ kind: 'problem'; code: Code; detail: string } & Pick<Problem, 'headers' | 'members'>>
  | Readonly<{ kind: 'again' }>;

/** Whether an endpoint heeds Idempotency-Key: every POST under /api/v1 (idempotency-1). */
export const isIdempotent = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  method === 'POST' && path.startsWith('/api/v1/');

const BARE = /^[\x20\x21\x23-\x7e]{1,255}$/;
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/** The Idempotency-Key of a request, bare or quoted, null when there is none. Throws 400 for one of another form, or more than one. */
export const readIdempotencyKey = ({ headersDistinct }: IncomingMessage): string | null => {
  const given = headersDistinct['idempotency-key'];
  if (given === undefined) return null;
  const [text = ''] = given;
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (given.length === 1 && quoted !== undefined) return quoted;
  if (given.length === 1 && BARE.test(text)) return text;
  const detail = 'Idempotency-Key must be given once, and have 1 to 255 printable ASCII characters.';
  throw malformed([{ pointer: '/headers/idempotency-key', detail }]);
};

/** A request under an Idempotency-Key, and what answers it. */
type Once = Readonly<{
  scope: Scope;
  body: string;
  /** Does the work under reserved identifiers. */
  attempt(reserved: Reserved): Promise<Answer>;
  /** Makes an answer again that holds addresses; null when it has not been given. For endpoints whose answers do. */
  replay: ((reserved: Reserved, answered: boolean) => Promise<Answer | null>) | undefined;
  /** Resolves when the read models show an answer's events. */
  shown(answer: Answer): Promise<void>;
  /** Hears of an answer that could not be kept: the request can be repeated all the same. */
  failed(error: unknown): void;
}>;

/**
 * Answers a request once, however often it is sent: the same body gets the first answer again. Throws 422 for another body and 409 while the
 * first one is at work.
 */
export const answerOnce = async (records: IdempotencyRecords<Outcome>, once: Once): Promise<Answer> => {
  const begun = await records.begin(once.scope, once.body);
  switch (begun.kind) {
    case 'otherBody':
      throw new Problem('idempotency-key-reused', undefined, { members: { errors: REUSED } });
    case 'running':
      throw new Problem('idempotency-key-in-use', undefined, { headers: { 'Retry-After': '1' } });
    case 'answered': {
      const answer = await replayed(begun.outcome, begun.reserved, once);
      await once.shown(answer);
      return answer;
    }
    case 'claimed':
      return first(records, begun.claim, once);
  }
};

const REUSED = [{ pointer: '/headers/idempotency-key', detail: 'has been used with another body' }];
const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** Refusals that the next attempt may not meet, and what may have done its work all the same: not kept, so that it can be repeated. */
const PASSING: readonly number[] = [401, 403, 429, 500, 503];

/** Whether an answer of this status is kept under its Idempotency-Key. */
export const isKept = (status: number): boolean => !PASSING.includes(status);

const first = async (records: IdempotencyRecords<Outcome>, claim: Claim, once: Once): Promise<Answer> => {
  const { reserved, takenOver } = claim;
  const keep = (outcome: Outcome | null): Promise<void> =>
    (outcome === null ? records.release(claim) : records.finish(claim, outcome)).catch(once.failed);
  try {
    const done = takenOver ? await once.replay?.(reserved, false) : null;
    const answer = done ?? (await once.attempt(reserved));
    await Promise.all([
      keep(once.replay ? { kind: 'again' } : { kind: 'answer', answer }),
      once.shown(answer),
    ]);
    return answer;
  } catch (error) {
    const { code, status, message: detail, headers, members } = problemOf(error);
    const kept = isKept(status) && !problems[code].retryable;
    await keep(kept ? { kind: 'problem', code, detail, headers, members } : null);
    throw error;
  }
};

const replayed = async (outcome: Outcome, reserved: Reserved, once: Once): Promise<Answer> => {
  if (outcome.kind === 'problem') {
    const { code, detail, headers, members } = outcome;
    throw new Problem(code, detail, { headers: { ...headers, ...REPLAYED }, members });
  }
  const answer = outcome.kind === 'answer' ? outcome.answer : await once.replay?.(reserved, true);
  if (!answer) throw new Error(`what was answered under ${reserved.correlationId} is not there any more`);
  return { ...answer, headers: { ...answer.headers, ...REPLAYED } };
};
