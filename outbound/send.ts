import type { Attempt } from '../domain/webhookDeliveryEvents.ts';
import { pick } from '../kernel/pick.ts';
import { type Traced, traceIn } from '../kernel/trace.ts';
import type { Egress, EgressOptions } from './egress.ts';
import { type Answered, type Exchange, type Posted, post } from './exchange.ts';
import { AttemptError, failureText, statusText } from './failure.ts';

/** How long an attempt may last in all: name look-up, connection, TLS, headers and body (webhooks-15). */
const ATTEMPT_MS = 10_000;

/** How much of an answer's body is read (webhooks-23). */
export const ANSWER_LIMIT = 65_536;

/**
 * A POST to make. `timeoutMs` is for everything, 10 s unless given; `signal` aborts it. `cause`: its trace
 * goes on in the receiver (traces-2).
 */
export type Outgoing = Posted & Readonly<{ timeoutMs?: number; signal?: AbortSignal; cause?: Traced }>;

/** How much of an answer is kept with its attempt, in bytes (deliveries-9). */
const KEPT_BYTES = 2_048;

/** An attempt, and how its answer begins, as text; empty where there was none. */
export type Sent = Attempt & Readonly<{ answer: string }>;

/**
 * Sends POSTs. A receiver's fault is an Attempt with an error. Throws the signal's reason when aborted, and
 * the error itself when the fault is our own (`failureText`): neither is an attempt to record.
 */
export type Sender = Readonly<{ send(request: Outgoing): Promise<Sent> }>;

/** A POST whose answer is kept: at most `answerLimit` bytes, as far as `take` allows so many more. */
export type Question = Outgoing & Readonly<{ answerLimit: number; take(bytes: number): boolean }>;

/** An attempt and what was answered. Without an error, a body that is not whole passed the limit. */
export type Answer = Attempt & Pick<Answered, 'retryAfter' | 'body' | 'isWhole'>;

/** Sends POSTs for their answers; throws as `Sender`. */
export type Asker = Readonly<{ ask(question: Question): Promise<Answer> }>;

/** True for a complete 2xx answer (or the first 64 KiB of one) within the time. */
export const succeeded = ({ statusCode, error }: Attempt): boolean =>
  error === null && statusCode !== null && statusText(statusCode) === null;

/** An attempt that failed before anything was sent. */
export const notSent = (error: string): Attempt => ({ statusCode: null, durationMs: 0, error });

/** Why nothing can be sent once the subject's key has been destroyed. */
export const REDACTED_BODY = 'what was to be sent is not kept any more';

/** A sender behind the egress guard. Close the egress to end its connections. */
export const createSender = (egress: Egress): Sender & Asker => ({
  send: async (request) => {
    const reading = { limit: ANSWER_LIMIT, keep: KEPT_BYTES };
    const { body, ...answered } = await attempt(request, () => post(egress, traced(request), reading));
    // A character that the limit cuts is left out.
    const answer = new TextDecoder().decode(body, { stream: true });
    return { ...pick(answered, 'statusCode', 'durationMs', 'error'), answer };
  },
  ask: ({ answerLimit, take, ...request }) =>
    attempt(request, () => post(egress, traced(request), { limit: answerLimit + 1, take })),
});

/** `resolve` is WEBHOOK_RESOLVE; `ca`: authorities to trust beside Node's own (PEM). */
type WebhookSettings = Required<Pick<EgressOptions, 'resolve'>> &
  Readonly<{ egress: 'public' | 'any'; ca: string | null }>;

/**
 * The one way out for webhooks and their tests, syncs and http extractors, which share its rule and its
 * connections. It is made for the first of them: to load an HTTP client takes a tenth of the service's start.
 * `close` ends all connections at once.
 */
export const webhookSender = ({ egress, resolve, ca }: WebhookSettings) => {
  const make = async () => {
    const { createEgress } = await import('./egress.ts');
    const guarded = createEgress({ egress, resolve, ...(ca === null ? {} : { ca }) });
    return { ...createSender(guarded), close: guarded.close };
  };
  let made: ReturnType<typeof make> | undefined;
  const sender = () => {
    made ??= make();
    return made;
  };
  return {
    send: async (request: Outgoing) => (await sender()).send(request),
    ask: async (question: Question) => (await sender()).ask(question),
    close: async () => (await made)?.close(),
  };
};

const traced = ({ url, headers, body, cause }: Outgoing): Posted => ({
  ...{ url, body },
  headers: cause ? { ...headers, ...traceIn(cause) } : headers,
});

const NOTHING = { retryAfter: null, body: Buffer.alloc(0), isWhole: false };

const attempt = async (
  { timeoutMs = ATTEMPT_MS, signal }: Outgoing,
  start: () => Exchange,
): Promise<Answer> => {
  signal?.throwIfAborted();
  const started = performance.now();
  const exchange = start();
  const late = (): AttemptError => new AttemptError(`no complete answer within ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => exchange.stop(late()), timeoutMs);
  const stop = (): void => exchange.stop(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const durationMs = (): number => Math.round(performance.now() - started);
  try {
    const answered = await exchange.answer;
    return { ...answered, durationMs: durationMs(), error: statusText(answered.statusCode) };
  } catch (error) {
    signal?.throwIfAborted();
    const text = failureText(error);
    if (text === null) throw error;
    return { ...NOTHING, statusCode: exchange.statusSoFar(), durationMs: durationMs(), error: text };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
};
