import type { IncomingMessage } from 'node:http';
import { submissionIdOf } from '../../../domain/streamNames.ts';
import type { Claim, IdempotencyRecords, Reserved, Scope } from '../../../stores/idempotency/port.ts';
import { malformed, Problem, problemOf } from '../problems/problem.ts';
import { type ProblemCode, problemTypes } from '../problems/problemTypes.ts';
import type { Answer, Endpoint } from '../route.ts';

/** The stored form of an answer. `again`: it is made again, with new signed addresses. */
export type Outcome =
  | Readonly<{ kind: 'answer'; answer: Answer }>
  | Readonly<{ kind: 'problem'; code: ProblemCode; detail: string } & Pick<Problem, 'headers' | 'members'>>
  | Readonly<{ kind: 'again' }>;

/** Whether an endpoint accepts Idempotency-Key: every POST under /api/v1 (idempotency-1). */
export const isIdempotent = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  method === 'POST' && path.startsWith('/api/v1/');

const BARE = /^[\x20\x21\x23-\x7e]{1,255}$/;
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/** The Idempotency-Key of a request, bare or quoted; null when there is none. Throws 400 for another form. */
export const readIdempotencyKey = ({ headersDistinct }: IncomingMessage): string | null => {
  const values = headersDistinct['idempotency-key'];
  if (values === undefined) return null;
  const [text = ''] = values;
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1');
  if (values.length === 1 && quoted !== undefined) return quoted;
  if (values.length === 1 && BARE.test(text)) return text;
  const detail = 'Idempotency-Key must be given once, and have 1 to 255 printable ASCII characters.';
  throw malformed([{ pointer: '/headers/idempotency-key', detail }]);
};

type IdempotentRequest = Readonly<{
  scope: Scope;
  body: string;
  /** Does the work with reserved identifiers. */
  attempt(reserved: Reserved): Promise<Answer>;
  /** For answers with signed addresses: makes one again; null when there was none. */
  replay: ((reserved: Reserved, answered: boolean) => Promise<Answer | null>) | undefined;
  /** Which submission it is about, or its answer; null for none. */
  subject(answer: Answer | null): string | null;
  /** Resolves when the read models include an answer's events. */
  visible(answer: Answer): Promise<void>;
  /** An answer could not be stored: the request can be repeated all the same. */
  failed(error: unknown): void;
}>;

/**
 * Answers a request once, however often it is sent: the same body gets the first answer again. Throws 422 for
 * another body, 409 while the first request is being answered, and once the submission is redacted.
 */
export const answerOnce = async (
  records: IdempotencyRecords<Outcome>,
  request: IdempotentRequest,
): Promise<Answer> => {
  const started = await records.begin(request.scope, request.body);
  switch (started.kind) {
    case 'otherBody':
      throw new Problem('idempotency-key-reused', undefined, { members: { errors: REUSED } });
    case 'running':
      throw new Problem('idempotency-key-in-use', undefined, { headers: { 'Retry-After': '1' } });
    case 'redacted':
      throw new Problem('submission-redacted', undefined, { headers: REPLAYED });
    case 'answered': {
      const answer = await replayed(started.outcome, started.reserved, request);
      await request.visible(answer);
      return answer;
    }
    case 'claimed':
      return first(records, started.claim, request);
  }
};

const REUSED = [{ pointer: '/headers/idempotency-key', detail: 'has been used with another body' }];
const REPLAYED = { 'Idempotency-Replayed': 'true' };

/** The refusal of a request that was given a secret before, which `detail` names (idempotency-13). */
export const secretShown = (detail: string): Problem =>
  new Problem('secret-shown-once', detail, { headers: REPLAYED });

type Named = Readonly<{ submissionId?: unknown; sessionId?: unknown }>;

/** The submission that the parameters of a path, or the body of an answer, name; null for none. */
export const submissionNamedBy = (names: object): string | null => {
  const { sessionId, submissionId = sessionId } = names as Named;
  return typeof submissionId === 'string' ? submissionIdOf(submissionId) : null;
};

/** Statuses after which the same request may succeed, or may have done its work: they are not stored. */
const TRANSIENT: readonly number[] = [401, 403, 429, 500, 503];

/** Whether an answer of this status is stored under its Idempotency-Key. */
export const isStored = (status: number): boolean => !TRANSIENT.includes(status);

const first = async (
  records: IdempotencyRecords<Outcome>,
  claim: Claim,
  request: IdempotentRequest,
): Promise<Answer> => {
  const { reserved, takenOver } = claim;
  const store = (outcome: Outcome | null, subject: string | null): Promise<void> =>
    (outcome === null ? records.release(claim) : records.finish(claim, outcome, subject)).catch(
      request.failed,
    );
  try {
    const done = takenOver ? await request.replay?.(reserved, false) : null;
    const answer = done ?? (await request.attempt(reserved));
    await Promise.all([
      store(request.replay ? { kind: 'again' } : { kind: 'answer', answer }, request.subject(answer)),
      request.visible(answer),
    ]);
    return answer;
  } catch (error) {
    const { code, status, message: detail, headers, members } = problemOf(error);
    const stored = isStored(status) && !problemTypes[code].retryable;
    // There may be no submission with an identifier that is not found, and so no key.
    const subject = code === 'not-found' ? null : request.subject(null);
    await store(stored ? { kind: 'problem', code, detail, headers, members } : null, subject);
    throw error;
  }
};

const replayed = async (
  outcome: Outcome,
  reserved: Reserved,
  request: IdempotentRequest,
): Promise<Answer> => {
  if (outcome.kind === 'problem') {
    const { code, detail, headers, members } = outcome;
    throw new Problem(code, detail, { headers: { ...headers, ...REPLAYED }, members });
  }
  const answer = outcome.kind === 'answer' ? outcome.answer : await request.replay?.(reserved, true);
  if (!answer) throw new Error(`the answer to ${reserved.correlationId} can’t be made again`);
  return { ...answer, headers: { ...answer.headers, ...REPLAYED } };
};
