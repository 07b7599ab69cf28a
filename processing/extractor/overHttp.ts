import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { Endpoint, WorkflowVersion } from '../../domain/workflow.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Traced } from '../../kernel/trace.ts';
import type { Posted } from '../../outbound/exchange.ts';
import { statusText } from '../../outbound/failure.ts';
import type { Answer, Asker, Question } from '../../outbound/send.ts';
import { endpointHeaders } from '../../outbound/sign.ts';
import type { Processor } from '../engine/processor.ts';
import type { Outcome } from '../types.ts';
import { extractionRequest, type FileLink } from './request.ts';
import { ExtractorUnavailable } from './unavailable.ts';

export type ExtractPorts = Readonly<{
  asker: Asker;
  processor: Pick<Processor, 'judge'>;
  withMemory: ReturnType<typeof createAnswerMemory>;
  /** The secret in a setting; null where it is not set. */
  secretOf(setting: string): string | null;
  /** Waits for an extractor's answer, which needs no worker here. */
  waiting<T>(submission: Submission, wait: () => Promise<T>): Promise<T>;
  clock: Clock;
}>;

/** The time of one request with its answer, in ms. */
const TIMEOUT_MS = 60_000;
/** In bytes. */
const MAX_ANSWER = 1_048_576;
/** Beside 5xx: a later request may succeed (Request Timeout, Too Early, Too Many Requests). */
const TRANSIENT: readonly number[] = [408, 425, 429];

/**
 * Sends a submission's files to an http extractor (extractors-3). Throws `ExtractorUnavailable` where a later
 * request may succeed, TransientFailure as the processor does, and the signal's reason.
 */
export const extractOverHttp =
  (ports: ExtractPorts) =>
  async (
    submission: Submission,
    { outputSchema }: WorkflowVersion,
    endpoint: Endpoint,
    files: readonly FileLink[],
    signal: AbortSignal,
    cause: Traced = {},
  ): Promise<Outcome> => {
    const version = { outputSchema, outputJsonSchema: outputJsonSchemaOf(outputSchema) };
    const body = JSON.stringify(extractionRequest(submission, version, files));
    const request = requestOf(ports, submission, endpoint, body);
    return ports.withMemory(async (take) => {
      const question = { ...request, timeoutMs: TIMEOUT_MS, answerLimit: MAX_ANSWER, take, signal, cause };
      const answer = await ports.waiting(submission, () => ports.asker.ask(question));
      const refusal = refusalOf(answer, ports.clock);
      return refusal ?? ports.processor.judge(version, answer.body.toString(), signal);
    });
  };

/** The bytes of all extractors' answers at once: those that arrive, and those that wait to be judged. */
const MAX_MEMORY = 32 * 1_024 * 1_024;

/**
 * The memory of this process for extractors' answers. `take` reserves more bytes, false at the limit, until
 * `use` has ended.
 */
export const createAnswerMemory = (limit = MAX_MEMORY) => {
  let reserved = 0;
  return async <T>(use: (take: Question['take']) => Promise<T>): Promise<T> => {
    let own = 0;
    let hasEnded = false;
    const take = (bytes: number): boolean => {
      if (hasEnded || reserved + bytes > limit) return false;
      reserved += bytes;
      own += bytes;
      return true;
    };
    try {
      return await use(take);
    } finally {
      hasEnded = true;
      reserved -= own;
    }
  };
};

/** The signed request. Throws `ExtractorUnavailable` where the secret is not set: it may be set later. */
const requestOf = (
  { secretOf, clock }: ExtractPorts,
  { routing: { submissionId }, round }: Submission,
  { url, secretEnv }: Endpoint,
  body: string,
): Posted => {
  const secret = secretOf(secretEnv);
  if (secret === null)
    throw new ExtractorUnavailable('the secret that signs the request is not set', { setting: secretEnv });
  const id = `${submissionId}_${round}`;
  const posted = { agent: 'service-extraction/1.0', submissionId, id, body, at: clock.now() };
  return { url, headers: { ...endpointHeaders(posted, secret), Accept: 'application/json' }, body };
};

/**
 * The outcome of an answer without a result; null for one to judge. Throws `ExtractorUnavailable`, also for
 * an answer that was cut off.
 */
const refusalOf = (
  { statusCode, error, isWhole, retryAfter }: Answer,
  clock: Clock,
): Extract<Outcome, { kind: 'failed' }> | null => {
  const isAnswer = statusCode !== null && error === statusText(statusCode);
  if (error !== null && !(isAnswer && isFinal(statusCode)))
    throw new ExtractorUnavailable(error, { retryAfterMs: delayOf(retryAfter, clock) });
  if (error !== null) return { kind: 'failed', reason: `The extractor gave no result: it ${error}.` };
  if (isWhole) return null;
  return { kind: 'failed', reason: `The extractor’s answer has more than ${MAX_ANSWER} bytes.` };
};

/** Whether the extractor would answer so again. */
const isFinal = (statusCode: number): boolean =>
  statusCode >= 300 && statusCode < 500 && !TRANSIENT.includes(statusCode);

/** The delay of a `Retry-After` (seconds, or a date) in ms. */
const delayOf = (retryAfter: string | null, clock: Clock): number => {
  if (retryAfter === null) return 0;
  const ms = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - clock.now().getTime();
  return ms > 0 ? ms : 0;
};
