import { hash, verify } from '@node-rs/argon2';
import { StoreUnavailable } from '../kernel/errors.ts';
import type { Passwords } from './passwords.ts';

/** What OWASP's Password Storage Cheat Sheet asks for at least: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two at once take 38 MiB, and leave threads of Node's pool to files and names. */
const AT_ONCE = 2;
/** As many take about a second to be served; who comes later is better told at once. */
const WAITING = 100;

const encoded = (length: number): string => Buffer.alloc(length).toString('base64').replaceAll('=', '');

/** A hash that no password has, of the same cost. */
const NOBODYS = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${encoded(16)}$${encoded(32)}`;

/** Passwords hashed by argon2id, two at once. */
export const argon2Passwords = (): Passwords => {
  const inTurn = turns(AT_ONCE, WAITING);
  return {
    hash: (password) => inTurn(() => hash(normal(password), COST)),
    verify: (stored, password) => inTurn(() => verify(stored ?? NOBODYS, normal(password))),
  };
};

/** Keyboards differ in how they compose the same letter (NIST SP 800-63B asks for this). */
const normal = (password: string): string => password.normalize('NFKC');

/** Runs work in turn, `atOnce` at once. */
const turns = (atOnce: number, most: number) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1;
    else if (waiting.length >= most) throw new StoreUnavailable('too many passwords wait to be hashed');
    // The turn is handed over: `running` stays as it is.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
