import { hash } from 'node:crypto';
import { Problem } from '../problems/problem.ts';
import { createLimit } from './countedWindows.ts';

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

/**
 * Log-ins with the right password of an e-mail. `admit` throws 429 once they are used up, before the password
 * is looked at; `count` counts one whose password is right, and throws 429 if others have used them up since.
 */
type LogInsOfEmail = Readonly<{ admit(email: string): void; count(email: string): void }>;

/**
 * Attempts are counted apart by what is guessed: a program's wrong key keeps nobody of its address from
 * logging in. `credential`: keys, session tokens and the operator's; `logIn`: passwords and answers of the
 * identity provider.
 */
type Guessed = 'credential' | 'logIn' | 'invitation';

/**
 * `webhookTest` throws 429 after ten tests of a key or person in a minute, `evidenceExport` after thirty
 * exports of a person (audit-4), `invitation` after a hundred by a company (null: the platform) in an hour
 * (limits-6), all counted over all nodes; `logInBegun` once an address has begun too many log-ins;
 * `emailFailures` are the failed log-ins of an e-mail, which lock nobody out at another address or in a
 * browser of its own (logins-20); `emailLogIns` those with the right password (logins-21).
 */
export type RateLimits = Readonly<{
  request(callerId: string): Counted;
  webhookTest(callerId: string): Promise<void>;
  evidenceExport(userId: string): Promise<void>;
  invitation(companyId: string | null): Promise<void>;
  logInBegun(address: string): Promise<void>;
  failures: Readonly<Record<Guessed, AuthFailures>>;
  emailFailures(email: string): AuthFailures;
  emailLogIns: LogInsOfEmail;
}>;

const MINUTE_S = 60;
const HOUR_S = 3_600;
/** What all nodes count together: so many in a window of this length, in milliseconds. */
export const COUNTED = {
  /** Of a key or person. */
  webhookTest: { limit: 10, lengthMs: 60_000 },
  /** Of a person. */
  evidenceExport: { limit: 30, lengthMs: 60_000 },
  /** To a company, or to the platform: each is a mail to any address. */
  invitation: { limit: 100, lengthMs: 3_600_000 },
} as const;
/**
 * A log-in that is begun costs a row, or a hash: so many an address in a minute, for each failure that it may
 * have (logins-19).
 */
const BEGUN_PER_FAILURE = 10;
/** Failed log-ins of an e-mail in an hour, for each failure that an address may have in a minute. */
const OF_EMAIL_PER_FAILURE = 10;
/** Log-ins with that e-mail that an address has from then on. */
const OF_EMAIL_AND_ADDRESS = 3;
/** Log-ins of an e-mail in a minute with the right password: each costs a hash, an event and a session. */
const RIGHT_OF_EMAIL = 20;

/** Counts one more among those of all nodes. */
type Count = (id: string) => Promise<Readonly<{ count: number; remainingMs: number }>>;

type Settings = Readonly<{
  requestsPerSecond: number;
  authFailures: number;
  counts: Readonly<Record<keyof typeof COUNTED, Count>>;
}>;

/** The limits (limits-1, limits-4), which are off when `requestsPerSecond` is 0. */
export const createRateLimits = ({
  requestsPerSecond: quota,
  authFailures,
  counts,
}: Settings): RateLimits => {
  if (quota === 0) return noLimits;
  const requests = createLimit(quota, 1);
  const begun = createLimit(authFailures * BEGUN_PER_FAILURE, MINUTE_S);
  const atMost = (name: keyof typeof COUNTED, detailOf: (limit: number) => string) => async (id: string) => {
    const { limit } = COUNTED[name];
    const { count, remainingMs } = await counts[name](id);
    if (count > limit) throw limited(remainingMs, detailOf(limit));
  };
  const invitation = atMost(
    'invitation',
    (n) => `A company may invite people or reset passwords ${n} times an hour.`,
  );
  return {
    request: (callerId) => {
      const standing = requests.count(callerId);
      const headers = {
        'RateLimit-Policy': `"default";q=${quota};w=1`,
        RateLimit: `"default";r=${standing.remaining};t=${resetSeconds(standing.resetMs)}`,
      };
      const detail = `A key, or a person, may send ${quota} requests a second.`;
      return { headers, refusal: standing.exceeded ? limited(standing.resetMs, detail) : null };
    },
    webhookTest: atMost(
      'webhookTest',
      (n) => `A key, or a person, may test ${n} webhook addresses a minute.`,
    ),
    evidenceExport: atMost('evidenceExport', (n) => `A person may export evidence ${n} times a minute.`),
    invitation: (companyId) => invitation(companyId ?? 'platform'),
    logInBegun: async (address) => {
      const standing = begun.count(address);
      if (standing.exceeded) throw limited(standing.resetMs, 'Too many log-ins were begun at this address.');
    },
    failures: {
      credential: createAddressFailures(authFailures),
      logIn: createAddressFailures(authFailures),
      invitation: createAddressFailures(authFailures),
    },
    emailFailures: createEmailFailures(authFailures * OF_EMAIL_PER_FAILURE),
    emailLogIns: createEmailLogIns(),
  };
};

const createAddressFailures = (points: number): AuthFailures => {
  const failures = createLimit(points, MINUTE_S);
  return {
    admit: async (address) => {
      const standing = failures.count(address);
      if (standing.exceeded)
        throw limited(standing.resetMs, 'Too many failed attempts came from this address.');
    },
    passed: async (address) => failures.giveBack(address),
  };
};

/** What an e-mail may cost by log-ins: only who knows its password uses them up. */
const createEmailLogIns = (): LogInsOfEmail => {
  const all = createLimit(RIGHT_OF_EMAIL, MINUTE_S);
  const refuse = (resetMs: number) => limited(resetMs, 'There were too many log-ins with this e-mail.');
  return {
    admit: (email) => {
      const { remaining, resetMs } = all.standing(keyOf(email));
      if (remaining === 0) throw refuse(resetMs);
    },
    count: (email) => {
      const { exceeded, resetMs } = all.count(keyOf(email));
      if (exceeded) throw refuse(resetMs);
    },
  };
};

const keyOf = (email: string): string => hash('sha256', email, 'base64');

/**
 * Once an e-mail has had so many failures in an hour, wherever they came from, each origin (an address, or a
 * browser in which the person has logged in before) has a few attempts with it: guesses of many addresses
 * end, and the person still logs in.
 */
const createEmailFailures = (points: number): RateLimits['emailFailures'] => {
  const all = createLimit(points, HOUR_S);
  const own = createLimit(OF_EMAIL_AND_ADDRESS, HOUR_S);
  return (email) => {
    const key = keyOf(email);
    return {
      admit: async (origin) => {
        const standing = own.count(`${origin} ${key}`);
        if (all.count(key).exceeded && standing.exceeded)
          throw limited(standing.resetMs, 'Too many log-ins with this e-mail have failed.');
      },
      passed: async (origin) => {
        own.giveBack(`${origin} ${key}`);
        all.giveBack(key);
      },
    };
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

const noFailures: AuthFailures = { admit: async () => undefined, passed: async () => undefined };

const noLimits: RateLimits = {
  request: () => ({ headers: {}, refusal: null }),
  webhookTest: async () => undefined,
  evidenceExport: async () => undefined,
  invitation: async () => undefined,
  logInBegun: async () => undefined,
  failures: { credential: noFailures, logIn: noFailures, invitation: noFailures },
  emailFailures: () => noFailures,
  emailLogIns: { admit: () => undefined, count: () => undefined },
};

const resetSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const limited = (resetMs: number, detail: string): Problem =>
  new Problem('rate-limited', detail, { headers: { 'Retry-After': String(resetSeconds(resetMs)) } });
