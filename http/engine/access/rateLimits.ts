import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../problems/problem.ts';

/** Where somebody stands in the running window: whether it is used up, what is left of it, and the milliseconds until the next one. */
type Standing = Readonly<{ exceeded: boolean; left: number; msLeft: number }>;

/** Counts in windows of a fixed length, which begin with the first thing counted. In the memory of this process: each node counts alone. */
type Limit = Readonly<{ count(who: string): Promise<Standing>; giveBack(who: string): Promise<void> }>;

/** How a request counts for its key: the headers that tell of it, and the 429 once the window is used up. */
export type Counted = Readonly<{ headers: Readonly<Record<string, string>>; refusal: Problem | null }>;

/**
 * Attempts to authenticate, by address (AUTH_FAILURES). `admit` before a check counts it as failed and throws 429 when the address has used
 * up its failures, so that guesses sent all at once are counted too; `passed` takes that back once the check has succeeded.
 */
export type AuthFailures = Readonly<{
  admit(address: string): Promise<void>;
  passed(address: string): Promise<void>;
}>;

/** `request` counts a request of a key to this node, `webhookTest` throws 429 after ten of them in a minute to whatever node. */
export type RateLimits = Readonly<{
  request(keyId: string): Promise<Counted>;
  webhookTest(keyId: string): Promise<void>;
  authFailures: AuthFailures;
}>;

const MINUTE = 60;
/** How many webhook tests a key has in a minute. */
export const WEBHOOK_TESTS = 10;
/** Whom a limit remembers at most; beyond, it forgets those that it has not seen for longest. */
const REMEMBERED = 10_000;

/** `countTest` counts a webhook test of a key among those of all nodes. */
type Settings = Readonly<{
  requestsPerSecond: number;
  authFailures: number;
  countTest(keyId: string): Promise<Readonly<{ count: number; msLeft: number }>>;
}>;

/**
 * The limits on requests a second by key and on failed authentication a minute by address (limits-1, limits-4). All are off when
 * `requestsPerSecond` is 0.
 */
export const createRateLimits = ({
  requestsPerSecond: quota,
  authFailures,
  countTest,
}: Settings): RateLimits => {
  if (quota === 0) return noLimits;
  const requests = createLimit(quota, 1);
  const failures = createLimit(authFailures, MINUTE);
  return {
    request: async (keyId) => {
      const standing = await requests.count(keyId);
      const headers = {
        'RateLimit-Policy': `"default";q=${quota};w=1`,
        RateLimit: `"default";r=${standing.left};t=${secondsLeft(standing)}`,
      };
      const detail = `A key may send ${quota} requests a second.`;
      return { headers, refusal: standing.exceeded ? limited(standing, detail) : null };
    },
    webhookTest: async (keyId) => {
      const { count, msLeft } = await countTest(keyId);
      const detail = `A key may test ${WEBHOOK_TESTS} webhook addresses a minute.`;
      if (count > WEBHOOK_TESTS) throw limited({ msLeft }, detail);
    },
    authFailures: {
      admit: async (address) => {
        const standing = await failures.count(address);
        if (standing.exceeded) throw limited(standing, 'Too many failed attempts came from this address.');
      },
      passed: failures.giveBack,
    },
  };
};

/**
 * Makes an attempt to authenticate, which counts as failed unless its outcome passes. One that came to no end, since a store is away or too many
 * wait, is nobody's failure. Throws 429, and what `attempt` throws.
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

const createLimit = (points: number, seconds: number): Limit => {
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  const seen = new Set<string>();
  const remember = async (who: string): Promise<void> => {
    seen.delete(who);
    seen.add(who);
    const [oldest] = seen;
    if (seen.size <= REMEMBERED || oldest === undefined) return;
    seen.delete(oldest);
    await limiter.delete(oldest);
  };
  return {
    count: async (who) => {
      await remember(who);
      const { consumedPoints, remainingPoints, msBeforeNext } = await consume(limiter, who);
      return { exceeded: consumedPoints > points, left: remainingPoints, msLeft: msBeforeNext };
    },
    giveBack: async (who) => void (await limiter.reward(who)),
  };
};

/** The limiter rejects with the same figures that it resolves with. */
const consume = async (limiter: RateLimiterMemory, who: string): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(who);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
};

const secondsLeft = ({ msLeft }: Pick<Standing, 'msLeft'>): number => Math.max(1, Math.ceil(msLeft / 1000));

const limited = (standing: Pick<Standing, 'msLeft'>, detail: string): Problem =>
  new Problem('rate-limited', detail, { headers: { 'Retry-After': String(secondsLeft(standing)) } });
