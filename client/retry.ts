import { IntakeError } from './error.ts';
import type { Platform } from './platform.ts';

/** How often and how long a client tries; times in milliseconds. */
export type Limits = Readonly<{
  /** How long one attempt may take; a minute unless told. Uploads get more time with their size. */
  timeoutMs: number;
  /** How often a request is sent again; 15 unless told, which rides out half a minute without the service. */
  maxRetries: number;
  /** The longest pause that the service may ask for; two minutes unless told. A longer one ends the call. */
  maxPauseMs: number;
}>;

const DEFAULTS: Limits = { timeoutMs: 60_000, maxRetries: 15, maxPauseMs: 120_000 };
const FIRST_MS = 250;
const LONGEST_MS = 8_000;

/** What was told, and `others` for the rest. */
export const limitsOf = (told: Partial<Limits>, others = DEFAULTS): Limits => ({
  timeoutMs: told.timeoutMs ?? others.timeoutMs,
  maxRetries: told.maxRetries ?? others.maxRetries,
  maxPauseMs: told.maxPauseMs ?? others.maxPauseMs,
});

/**
 * Runs a task again while it throws an IntakeError that is `retryable`; at last throws that. Each pause is a
 * random part of an exponentially growing time, so that clients that failed together do not come back
 * together; and no less than the service asked for.
 */
export const withRetries = async <T>(
  { random, sleep }: Pick<Platform, 'random' | 'sleep'>,
  { maxRetries, maxPauseMs }: Limits,
  signal: AbortSignal | undefined,
  task: () => Promise<T>,
): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof IntakeError && error.retryable) || attempt >= maxRetries) throw error;
      const askedMs = error.retryAfterMs ?? 0;
      if (askedMs > maxPauseMs) throw error;
      await sleep(askedMs + random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt), signal);
    }
  }
};
