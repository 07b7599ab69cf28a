import { createHash } from 'node:crypto';
import type { Office } from '../kernel/scope.ts';
import type { Tables } from './documents/port.ts';
import { changeRow, createPurge, removeRow, tableRows } from './documents/rows.ts';
import { identityPointers } from './identityPointers.ts';

/**
 * A user's row, which alone holds the password's hash (argon2id; null: there is none to log in with).
 * `awaits` names the invitation that may give a new one. `epoch` is raised to end all sessions at once.
 * `disabledAt` in ISO 8601. `revision` is that of the user's stream that the role, the company and
 * `disabledAt` are of; rows of before they could change have none. `goesOn` is the session in which the
 * password was changed: of those before this epoch it alone is valid in it.
 */
export type UserRow = Office &
  Readonly<{
    userId: string;
    passwordHash: string | null;
    awaits: string | null;
    epoch: number;
    disabledAt: string | null;
    revision?: number;
    goesOn?: Readonly<{ sessionId: string; epoch: number }>;
  }>;

/**
 * When users (by identifier) began to leave the administrators of a company or of the platform, in
 * milliseconds since 1970.
 */
type Leaving = Readonly<Record<string, number>>;

/** How a session's token is sent: as a bearer token by programs, in a cookie by pages. */
export type SessionKind = 'token' | 'cookie';

/**
 * A session's row: valid while its user's epoch is the same. `agent` is its browser or program, as it named
 * itself. Times in ISO 8601.
 */
export type SessionRow = Readonly<{
  sessionId: string;
  userId: string;
  kind: SessionKind;
  epoch: number;
  agent: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
}>;

/** Whether a session has not ended with others of its user. */
export const isOfEpoch = ({ epoch, goesOn }: UserRow, session: SessionRow): boolean =>
  session.epoch === epoch || (goesOn?.epoch === epoch && goesOn.sessionId === session.sessionId);

export type Identity = Readonly<ReturnType<typeof createIdentity>>;

const USERS = 'users';
const INVITATIONS = 'invitations';
const SESSIONS = 'sessionTokens';

/** How many sessions a log-in checks for expiry: more than it adds, so that they can't pile up. */
const CHECKED = 10;

/** Far longer than it takes from the check to the change of the row. */
const LEAVING_MS = 60_000;

/** Names a session of a user. */
type Pointer = Readonly<{ tokenHash: string; expiresAt: string }>;

/** Lower-case hex SHA-256 of an invitation's or a session's token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * The tables `users` (pointers by e-mail, and by account of the identity provider), `invitations` (by token
 * hash; pointers by e-mail; offers) and `sessionTokens`.
 */
export const createIdentity = (tables: Tables) => {
  const purgeSome = createPurge<Pointer>(tables, SESSIONS, CHECKED);
  const find = async <R>(table: string, key: string): Promise<R | null> =>
    (await tables.read<R>(table, key))?.row ?? null;
  const pointers = identityPointers(tables);
  const user = (userId: string) => find<UserRow>(USERS, userId);

  return {
    ...pointers,
    user,
    /** The user of an e-mail, given as its HMAC. */
    userByEmail: async (emailId: string): Promise<UserRow | null> => {
      const userId = await pointers.userIdByEmail(emailId);
      return userId === null ? null : user(userId);
    },
    /** Adds a user, who can log in at once; changes nothing when the user is there. */
    addUser: async (row: UserRow, emailId: string): Promise<void> => {
      await tables.insert(USERS, row.userId, row);
      await pointers.reserveEmail(emailId, row.userId);
    },
    /** Changes a user's row; `next` gives null to leave it. False when there is no such user. */
    changeUser: async (userId: string, next: (row: UserRow) => UserRow | null): Promise<boolean> =>
      (await changeRow<UserRow>(tables, USERS, userId, (row) => row && next(row))) !== null,
    /** The rows of these users, in one read. */
    users: async (userIds: readonly string[]): Promise<readonly UserRow[]> =>
      [...(await tables.readMany<UserRow>(USERS, userIds)).values()].map(({ row }) => row),
    /**
     * Notes that a user is about to leave the administrators of a company (null: the platform), if `permits`
     * says so for those who are about to leave already. Of concurrent calls each sees the others. Gives what
     * `permits` gave.
     */
    startLeaving: async (
      companyId: string | null,
      userId: string,
      now: number,
      permits: (leaving: readonly string[]) => Promise<boolean>,
    ): Promise<boolean> => {
      const key = leavingKey(companyId);
      for (;;) {
        const found = await tables.read<Leaving>(USERS, key);
        const others = without(found?.row ?? {}, userId, now);
        if (!(await permits(Object.keys(others)))) return false;
        const row: Leaving = { ...others, [userId]: now };
        const isNoted = found
          ? await tables.replace(USERS, key, found.version, row)
          : await tables.insert(USERS, key, row);
        if (isNoted) return true;
      }
    },
    /** Ends what `startLeaving` noted: the user's row says from now on whether the user is one. */
    endLeaving: async (companyId: string | null, userId: string, now: number): Promise<void> => {
      await changeRow<Leaving>(
        tables,
        USERS,
        leavingKey(companyId),
        (row) => row && without(row, userId, now),
      );
    },
    addInvitation: async (tokenHash: string, invitationId: string): Promise<void> => {
      await tables.insert(INVITATIONS, tokenHash, { invitationId });
    },
    /** The invitation whose token has this hash, null when there is none. */
    invitationByToken: async (tokenHash: string): Promise<string | null> =>
      (await find<{ invitationId: string }>(INVITATIONS, tokenHash))?.invitationId ?? null,
    /**
     * Keeps the hash of a password, null for none, until it is known whether its offer was the one that won.
     */
    offer: async (invitationId: string, offerId: string, passwordHash: string | null): Promise<void> => {
      await tables.insert(INVITATIONS, offerKey(invitationId, offerId), { passwordHash });
    },
    /** What was offered; null once it is forgotten. */
    offered: (invitationId: string, offerId: string) =>
      find<{ passwordHash: string | null }>(INVITATIONS, offerKey(invitationId, offerId)),
    /** Forgets what was offered: one offer, or all of an invitation's. */
    forgetOffers: async (invitationId: string, offerId?: string): Promise<void> => {
      if (offerId !== undefined) return removeRow(tables, INVITATIONS, offerKey(invitationId, offerId));
      const all = offerKey(invitationId, '');
      const rows = await tables.list(INVITATIONS, { after: all, limit: 100 });
      for (const { key } of rows.filter((row) => row.key.startsWith(all)))
        await removeRow(tables, INVITATIONS, key);
    },
    /** Adds a session, and removes some of those that have expired. */
    addSession: async (tokenHash: string, row: SessionRow): Promise<void> => {
      const { expiresAt } = row;
      // The pointer first: no session is valid that its user can't list and end.
      await tables.insert(SESSIONS, ownKey(row.userId, tokenHash), { tokenHash, expiresAt });
      await tables.insert(SESSIONS, tokenHash, row);
      await purgeSome(({ expiresAt }) => expiresAt <= row.createdAt);
    },
    session: (tokenHash: string) => find<SessionRow>(SESSIONS, tokenHash),
    /**
     * The sessions of a user by the hashes of their tokens, also those that have expired and are still there.
     */
    sessionsOf: async (userId: string): Promise<ReadonlyMap<string, SessionRow>> => {
      const hashes: string[] = [];
      for await (const { tokenHash } of tableRows<Pointer>(tables, SESSIONS, ownKey(userId, '')))
        hashes.push(tokenHash);
      const found = await tables.readMany<SessionRow>(SESSIONS, hashes);
      return new Map([...found].map(([tokenHash, { row }]) => [tokenHash, row]));
    },
    /** Notes when a session was last used. */
    touchSession: async (tokenHash: string, lastSeenAt: string): Promise<void> => {
      await changeRow<SessionRow>(tables, SESSIONS, tokenHash, (row) => row && { ...row, lastSeenAt });
    },
    /** Removes all sessions of a user. */
    removeSessions: async (userId: string): Promise<void> => {
      for await (const { tokenHash } of tableRows<Pointer>(tables, SESSIONS, ownKey(userId, ''))) {
        await removeRow(tables, SESSIONS, tokenHash);
        await removeRow(tables, SESSIONS, ownKey(userId, tokenHash));
      }
    },
    endSession: async (tokenHash: string, userId: string): Promise<void> => {
      await removeRow(tables, SESSIONS, tokenHash);
      await removeRow(tables, SESSIONS, ownKey(userId, tokenHash));
    },
  };
};

const ownKey = (userId: string, tokenHash: string): string => `user:${userId}:${tokenHash}`;

/** Those who are leaving beside a user. What a crash has left behind counts for a minute. */
const without = (leaving: Leaving, userId: string, now: number): Leaving =>
  Object.fromEntries(
    Object.entries(leaving).filter(([id, at]) => id !== userId && Math.abs(now - at) < LEAVING_MS),
  );

const leavingKey = (companyId: string | null): string => `leaving:${companyId ?? 'platform'}`;

const offerKey = (invitationId: string, offerId: string): string => `offer:${invitationId}:${offerId}`;
