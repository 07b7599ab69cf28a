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
  request(keyId: string): Counted;
  webhookTest(keyId: string): Promise<void>;
  authFailures: AuthFailures;
}>;

const MINUTE_S = 60;
/** Of a key in a minute. */
export const WEBHOOK_TESTS = 10;
/** Identifiers that a limit keeps; beyond that it drops the one whose window ends first. */
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
    request: (keyId) => {
      const standing = requests.count(keyId);
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
        const standing = failures.count(address);
        if (standing.exceeded)
          throw limited(standing.resetMs, 'Too many failed attempts came from this address.');
      },
      passed: async (address) => failures.giveBack(address),
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
  request: () => ({ headers: {}, refusal: null }),
  webhookTest: async () => undefined,
  authFailures: { admit: async () => undefined, passed: async () => undefined },
};

type Window = { count: number; readonly endsAt: number };

/** Counts in fixed windows from the first count on, in the memory of this process. `resetMs`: to the next one. */
const createLimit = (points: number, seconds: number) => {
  // By the start of their windows: the first one ends first.
  const windows = new Map<string, Window>();
  const current = (id: string, now: number): Window => {
    const found = windows.get(id);
    if (found && found.endsAt > now) return found;
    const window = { count: 0, endsAt: now + seconds * 1_000 };
    windows.delete(id);
    windows.set(id, window);
    const [oldest] = windows.keys();
    if (windows.size > MAX_KEPT && oldest !== undefined) windows.delete(oldest);
    return window;
  };
  return {
    count: (id: string) => {
      const now = Math.floor(performance.now()); // fractions would round up to a second more
      const window = current(id, now);
      window.count += 1;
      const { count, endsAt } = window;
      return { exceeded: count > points, remaining: Math.max(0, points - count), resetMs: endsAt - now };
    },
    giveBack: (id: string): void => {
      current(id, Math.floor(performance.now())).count -= 1;
    },
  };
};

const resetSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const limited = (resetMs: number, detail: string): Problem =>
  new Problem('rate-limited', detail, { headers: { 'Retry-After': String(resetSeconds(resetMs)) } });
