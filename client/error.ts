import type { Problem, ProblemCode } from './api.ts';

/** What has no answer of the service after it: found out by the client. */
export type ClientCode =
  | 'unreachable'
  | 'timed-out'
  | 'unexpected-answer'
  | 'invalid-path'
  | 'upload-refused'
  | 'still-processing'
  | 'signature-invalid';

export type IntakeErrorCode = ProblemCode | ClientCode;

type Facts = Readonly<{ code: IntakeErrorCode; message: string; cause?: unknown }> &
  Partial<Pick<IntakeError, 'status' | 'problem' | 'retryable' | 'retryAfterMs'>>;

/**
 * What a call of the client fails with, unless its signal is aborted or a file can't be read. `code` says
 * what happened, for programs: that of the service's problem, or one of the client's own.
 */
export class IntakeError extends Error {
  override readonly name = 'IntakeError';
  declare readonly code: IntakeErrorCode;
  /** The status of the answer; null without one. */
  declare readonly status: number | null;
  /** The service's own words, with every fault; null when it did not answer. */
  declare readonly problem: Problem | null;
  /** Whether the same request may succeed later. The client has tried that already, `maxRetries` times. */
  declare readonly retryable: boolean;
  /** How long the service asked to wait, in milliseconds; null when it did not say. */
  declare readonly retryAfterMs: number | null;
  /** Names the request in the log of the service. */
  declare readonly requestId: string | null;

  constructor({ message, cause, ...facts }: Facts) {
    super(message, cause === undefined ? {} : { cause });
    const { retryable = false, requestId = null } = facts.problem ?? {};
    Object.assign(this, { status: null, problem: null, retryable, retryAfterMs: null, requestId, ...facts });
  }
}
