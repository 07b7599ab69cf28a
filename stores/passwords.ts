import { StoreUnavailable } from '../kernel/errors.ts';
import { createSemaphore } from '../kernel/semaphore.ts';

export type Passwords = Readonly<ReturnType<typeof argon2Passwords>>;

/** What OWASP's Password Storage Cheat Sheet asks for at least: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two at once take 38 MiB, and leave threads of Node's pool to files and names. */
const CONCURRENCY = 2;
/** As many take about a second to be served; more are refused at once. */
const MAX_WAITING = 100;

/** Loaded with the first password, since most services start without one. */
const argon2 = () => import('@node-rs/argon2');

const encoded = (length: number): string => Buffer.alloc(length).toString('base64').replaceAll('=', '');

/** A hash that no password has, of the same cost. */
const UNMATCHABLE = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${encoded(16)}$${encoded(32)}`;

/**
 * Passwords as they are stored: argon2id, in the PHC form, two at once. `verify` takes as long without a hash
 * as with one, so that nobody learns by the time whether there is one. Both throw `StoreUnavailable` when too
 * many wait for their turn.
 */
export const argon2Passwords = () => {
  const semaphore = createSemaphore(CONCURRENCY);
  const limited = <T>(work: () => Promise<T>): Promise<T> => {
    if (semaphore.waiting() >= MAX_WAITING)
      throw new StoreUnavailable('too many passwords wait to be hashed');
    return semaphore.run(work);
  };
  return {
    hash: async (password: string): Promise<string> =>
      limited(async () => (await argon2()).hash(normal(password), COST)),
    verify: async (stored: string | null, password: string): Promise<boolean> =>
      limited(async () => (await argon2()).verify(stored ?? UNMATCHABLE, normal(password))),
  };
};

/** Keyboards differ in how they compose the same letter (NIST SP 800-63B asks for this). */
const normal = (password: string): string => password.normalize('NFKC');
