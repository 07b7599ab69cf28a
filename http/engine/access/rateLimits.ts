import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problems/problem.ts';

/** A counted request: its `RateLimit` headers, and the 429 once the window is used up. */
type Counted = Readonly<{ headers: Readonly<Record<string, string>>; refusal: Problem | null }>;

/**
 * Attempts to authenticate, by address (AUTH_FAILURES). `admit` counts one as failed before its check and
 * throws 429 once the failures are used up, so that concurrent guesses count too; `passed` takes that back.
 */
export type AuthFailures = Readonly<{
  admit(address: string): Promise<void>;
  passed(address: string): Promise<void>;
}>;

/** `webhookTest` throws 429 after ten tests of a key in a minute, counted over all nodes. */
export type RateLimits = Readonly<{
  request(keyId: string): Promise<Counted>;
  webhookTest(keyId: string): Promise<void>;
  authFailures: AuthFailures;
}>;

const MINUTE_S = 60;
/** Of a key in a minute. */
export const WEBHOOK_TESTS = 10;
/** Identifiers that a limit keeps; beyond that it drops the least recently counted. */
const MAX_KEPT = 10_000;

/** `countTest` counts a webhook test of a key among those of all nodes. */
type Settings = Readonly<{
  requestsPerSecond: number;
  authFailures: number;
  countTest(keyId: string): Promise<Readonly<{ count: number; remainingMs: number }>>;
}>;

/** The limits (limits-1, limits-4), which are off when `requestsPerSecond` is 0. */
export const createRateLimits = ({
  requestsPerSecond: quota,
  authFailures,
  countTest,
}: Settings): RateLimits => {
  if (quota === 0) return noLimits;
  const requests = createLimit(quota, 1);
  const failures = createLimit(authFailures, MINUTE_S);
  return {
    request: async (keyId) => {
      const standing = await requests.count(keyId);
      const headers = {
        'RateLimit-Policy': `"default";q=${quota};w=1`,
        RateLimit: `"default";r=${standing.remaining};t=${resetSeconds(standing.resetMs)}`,
      };
      const detail = `A key may send ${quota} requests a second.`;
      return { headers, refusal: standing.exceeded ? limited(standing.resetMs, detail) : null };
    },
    webhookTest: async (keyId) => {
      const { count, remainingMs } = await countTest(keyId);
      const detail = `A key may test ${WEBHOOK_TESTS} webhook addresses a minute.`;
      if (count > WEBHOOK_TESTS) throw limited(remainingMs, detail);
    },
    authFailures: {
      admit: async (address) => {
        const standing = await failures.count(address);
        if (standing.exceeded)
          throw limited(standing.resetMs, 'Too many failed attempts came from this address.');
      },
      passed: failures.giveBack,
    },
  };
};

/**
 * Makes an attempt to authenticate, which counts as failed unless its outcome passes; one that throws does
 * not count, since a store was unavailable or the queue was full. Throws 429, and what `attempt` throws.
 */
export const countedAttempt = async <T>(
  { admit, passed }: AuthFailures,
  address: string,
  attempt: () => Promise<T>,
  passes: (outcome: T) => boolean,
): Promise<T> => {
  await admit(address);
  let failed = false;
  try {
    const outcome = await attempt();
    failed = !passes(outcome);
    return outcome;
  } finally {
    if (!failed) await passed(address);
  }
};

const noLimits: RateLimits = {
  request: async () => ({ headers: {}, refusal: null }),
  webhookTest: async () => undefined,
  authFailures: { admit: async () => undefined, passed: async () => undefined },
};

/** Counts in fixed windows from the first count on, in the memory of this process. `resetMs`: to the next one. */
const createLimit = (points: number, seconds: number) => {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  const recent = new Set<string>();
  const keep = async (id: string): Promise<void> => {
    recent.delete(id);
    recent.add(id);
    const [oldest] = recent;
    if (recent.size <= MAX_KEPT || oldest === undefined) return;
    recent.delete(oldest);
    await limiter.delete(oldest);
  };
  return {
    count: async (id: string) => {
      await keep(id);
      const { consumedPoints, remainingPoints, msBeforeNext } = await consume(limiter, id);
      return { exceeded: consumedPoints > points, remaining: remainingPoints, resetMs: msBeforeNext };
    },
    giveBack: async (id: string): Promise<void> => void (await limiter.reward(id)),
  };
};

/** The limiter rejects with the same figures that it resolves with. */
const consume = async (limiter: RateLimiterMemory, id: string): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(id);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
};

const resetSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const limited = (resetMs: number, detail: string): Problem =>
  new Problem('rate-limited', detail, { headers: { 'Retry-After': String(resetSeconds(resetMs)) } });
