import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import type { Submission } from '../../domain/submission/state.ts';
import type { Endpoint, WorkflowVersion } from '../../domain/workflow.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Posted } from '../../outbound/exchange.ts';
import { statusText } from '../../outbound/failure.ts';
import type { Answer, Asker } from '../../outbound/send.ts';
import { endpointHeaders } from '../../outbound/sign.ts';
import type { Processor } from '../engine/processor.ts';
import type { Outcome } from '../types.ts';
import type { AnswerMemory } from './answerMemory.ts';
import { extractionRequest, type FileLink } from './request.ts';
import { ExtractorUnavailable } from './unavailable.ts';

export type ExtractPorts = Readonly<{
  asker: Asker;
  processor: Pick<Processor, 'judge'>;
  memory: AnswerMemory;
  /** The secret in a setting; null where it is not set. */
  secretOf(setting: string): string | null;
  /** Waits for what an extractor answers: meanwhile nothing is done here. */
  waiting<T>(submission: Submission, wait: () => Promise<T>): Promise<T>;
  clock: Clock;
}>;

/** How long an extractor has for everything, in milliseconds. */
const TRY_MS = 60_000;
/** How much of an answer is read, in bytes. */
const ANSWER_LIMIT = 1_048_576;
/** Beside 5xx: a later try may do (Request Timeout, Too Early, Too Many Requests). */
const PASSING: readonly number[] = [408, 425, 429];

/**
 * Has an http extractor read a submission's files (extractors-3). Throws `ExtractorUnavailable` when it may do so later, TransientFailure as
 * the processor does, and the signal's reason when called off.
 */
export const extractOverHttp =
  (ports: ExtractPorts) =>
  async (
    submission: Submission,
    { outputSchema }: WorkflowVersion,
    endpoint: Endpoint,
    files: readonly FileLink[],
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const wanted = { outputSchema, outputJsonSchema: outputJsonSchemaOf(outputSchema) };
    const body = JSON.stringify(extractionRequest(submission, wanted, files));
    const request = requestOf(ports, submission, endpoint, body);
    return ports.memory.during(async (take) => {
      const question = { ...request, timeoutMs: TRY_MS, answerLimit: ANSWER_LIMIT, take, signal };
      const answer = await ports.waiting(submission, () => ports.asker.ask(question));
      const refused = refusalOf(answer, ports.clock);
      return refused ?? ports.processor.judge(wanted, answer.body.toString(), signal);
    });
  };

/** The signed request. Throws `ExtractorUnavailable` where there is no secret to sign with: it may be set later. */
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

/** The outcome of an answer that holds no result; null for one that is to be judged. Throws `ExtractorUnavailable`, also for an answer that broke off. */
const refusalOf = (
  { statusCode, error, isWhole, retryAfter }: Answer,
  clock: Clock,
): Extract<Outcome, { kind: 'failed' }> | null => {
  const isAnswer = statusCode !== null && error === statusText(statusCode);
  if (error !== null && !(isAnswer && isFinal(statusCode)))
    throw new ExtractorUnavailable(error, { retryAfterMs: waitOf(retryAfter, clock) });
  if (error !== null) return { kind: 'failed', reason: `The extractor gave no result: it ${error}.` };
  if (isWhole) return null;
  return { kind: 'failed', reason: `The extractor’s answer has more than ${ANSWER_LIMIT} bytes.` };
};

/** Whether an extractor that answers so would do it again. */
const isFinal = (statusCode: number): boolean =>
  statusCode >= 300 && statusCode < 500 && !PASSING.includes(statusCode);

/** Milliseconds that a `Retry-After` asks for: seconds, or a date. */
const waitOf = (retryAfter: string | null, clock: Clock): number => {
  if (retryAfter === null) return 0;
  const ms = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - clock.now().getTime();
  return ms > 0 ? ms : 0;
};
