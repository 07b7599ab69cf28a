import type { Tables } from './documents/port.ts';
import { createPurge } from './documents/rows.ts';

/**
 * A log-in that was begun at the identity provider. `returnTo`: where its page goes on; `invitationId`: the
 * invitation that it accepts, absent where its link was not opened; `expiresAt` in ISO 8601.
 */
export type LogInAttempt = Readonly<{ returnTo: string; invitationId?: string; expiresAt: string }>;

export type LogInAttempts = Readonly<ReturnType<typeof createLogInAttempts>>;

const TABLE = 'logInAttempts';

/** How many rows a new one checks for expiry: more than it adds, so that they can't pile up. */
const CHECKED = 10;

/** The table `logInAttempts`: one row for each, by the hash of its token, taken once. */
export const createLogInAttempts = (tables: Tables) => {
  const purgeSome = createPurge<LogInAttempt>(tables, TABLE, CHECKED);
  return {
    /** Adds an attempt, and removes some of those that expired before `now` (ISO 8601). */
    add: async (tokenHash: string, attempt: LogInAttempt, now: string): Promise<void> => {
      await tables.insert(TABLE, tokenHash, attempt);
      await purgeSome(({ expiresAt }) => expiresAt <= now);
    },
    /** Removes an attempt and gives it; null when there is none, or somebody else takes it at this moment. */
    take: async (tokenHash: string): Promise<LogInAttempt | null> => {
      const found = await tables.read<LogInAttempt>(TABLE, tokenHash);
      return found && (await tables.remove(TABLE, tokenHash, found.version)) ? found.row : null;
    },
  };
};
