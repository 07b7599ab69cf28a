import { StoreUnavailable } from '../kernel/errors.ts';
import { createFairSemaphore } from '../kernel/semaphore.ts';

export type Passwords = Readonly<ReturnType<typeof argon2Passwords>>;

/** What OWASP's Password Storage Cheat Sheet asks for at least: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two at once take 38 MiB, and leave threads of Node's pool to files and names. */
const CONCURRENCY = 2;
/** As many take some seconds to be served; more are refused at once, of who has most first. */
const MAX_WAITING = 100;

/** Loaded with the first password, since most services start without one. */
const argon2 = () => import('@node-rs/argon2');

const encoded = (length: number): string => Buffer.alloc(length).toString('base64').replaceAll('=', '');

/** A hash that no password has, of the same cost. */
const UNMATCHABLE = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${encoded(16)}$${encoded(32)}`;

/**
 * Passwords as they are stored: argon2id, in the PHC form, two at once, in turn by who asks (`by`: a network
 * address). `verify` takes as long without a hash as with one, so that nobody learns by the time whether
 * there is one. Both throw `StoreUnavailable` when too many wait for their turn.
 */
export const argon2Passwords = () => {
  const tooMany = () => new StoreUnavailable('too many passwords wait to be hashed');
  const turns = createFairSemaphore(CONCURRENCY, MAX_WAITING, tooMany);
  return {
    hash: (password: string, by: string): Promise<string> =>
      turns.run(by, async () => (await argon2()).hash(normal(password), COST)),
    verify: (stored: string | null, password: string, by: string): Promise<boolean> =>
      turns.run(by, async () => (await argon2()).verify(stored ?? UNMATCHABLE, normal(password))),
  };
};

/** Keyboards differ in how they compose the same letter (NIST SP 800-63B asks for this). */
const normal = (password: string): string => password.normalize('NFKC');
