import { createHash } from 'node:crypto';
import type { Office } from '../kernel/scope.ts';
import type { Tables } from './documents/port.ts';
import { changeRow, createPurge, removeRow } from './documents/rows.ts';

/**
 * A user's row, which alone holds the password's hash (argon2id; null: there is none to log in
 * with). `awaits` names the invitation that may give a new one. `epoch` is raised to end all sessions at
 * once. `disabledAt` in ISO 8601.
 */
type UserRow = Office &
  Readonly<{
    userId: string;
    passwordHash: string | null;
    awaits: string | null;
    epoch: number;
    disabledAt: string | null;
  }>;

/** A session bearer token's row: valid while its user's epoch is the same. `expiresAt` in ISO 8601. */
type SessionRow = Readonly<{ userId: string; epoch: number; expiresAt: string }>;

export type Identity = Readonly<ReturnType<typeof createIdentity>>;

const USERS = 'users';
const INVITATIONS = 'invitations';
const SESSIONS = 'sessionTokens';

/** How many sessions a log-in checks for expiry: more than it adds, so that they can't pile up. */
const CHECKED = 10;

/** Lower-case hex SHA-256 of an invitation's or a session's token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The tables `users` (pointers by e-mail), `invitations` (by token hash; offers) and `sessionTokens`. */
export const createIdentity = (tables: Tables) => {
  const purgeSome = createPurge<SessionRow>(tables, SESSIONS, CHECKED);
  const find = async <R>(table: string, key: string): Promise<R | null> =>
    (await tables.read<R>(table, key))?.row ?? null;
  const user = (userId: string) => find<UserRow>(USERS, userId);

  return {
    user,
    /** The user of an e-mail, given as its HMAC. */
    userByEmail: async (emailId: string): Promise<UserRow | null> => {
      const pointer = await find<{ userId: string }>(USERS, `email:${emailId}`);
      return pointer && user(pointer.userId);
    },
    /** Adds a user, who can log in at once; changes nothing when the user is there. */
    addUser: async (row: UserRow, emailId: string): Promise<void> => {
      await tables.insert(USERS, row.userId, row);
      await tables.insert(USERS, `email:${emailId}`, { userId: row.userId });
    },
    /** Changes a user's row; `next` gives null to leave it. False when there is no such user. */
    changeUser: async (userId: string, next: (row: UserRow) => UserRow | null): Promise<boolean> =>
      (await changeRow<UserRow>(tables, USERS, userId, (row) => row && next(row))) !== null,
    addInvitation: async (tokenHash: string, invitationId: string): Promise<void> => {
      await tables.insert(INVITATIONS, tokenHash, { invitationId });
    },
    /** The invitation whose token has this hash, null when there is none. */
    invitationByToken: async (tokenHash: string): Promise<string | null> =>
      (await find<{ invitationId: string }>(INVITATIONS, tokenHash))?.invitationId ?? null,
    /** Keeps the hash of a password until it is known whether its offer was the one that won. */
    offer: async (invitationId: string, offerId: string, passwordHash: string): Promise<void> => {
      await tables.insert(INVITATIONS, offerKey(invitationId, offerId), { passwordHash });
    },
    offered: async (invitationId: string, offerId: string): Promise<string | null> =>
      (await find<{ passwordHash: string }>(INVITATIONS, offerKey(invitationId, offerId)))?.passwordHash ??
      null,
    /** Forgets what was offered: one offer, or all of an invitation's. */
    forgetOffers: async (invitationId: string, offerId?: string): Promise<void> => {
      if (offerId !== undefined) return removeRow(tables, INVITATIONS, offerKey(invitationId, offerId));
      const all = offerKey(invitationId, '');
      const rows = await tables.list(INVITATIONS, { after: all, limit: 100 });
      for (const { key } of rows.filter((row) => row.key.startsWith(all)))
        await removeRow(tables, INVITATIONS, key);
    },
    /** Adds a session, and removes some of those that have expired. */
    addSession: async (tokenHash: string, row: SessionRow, at: Date): Promise<void> => {
      await tables.insert(SESSIONS, tokenHash, row);
      await purgeSome(({ expiresAt }) => expiresAt <= at.toISOString());
    },
    session: (tokenHash: string) => find<SessionRow>(SESSIONS, tokenHash),
    endSession: (tokenHash: string) => removeRow(tables, SESSIONS, tokenHash),
  };
};

const offerKey = (invitationId: string, offerId: string): string => `offer:${invitationId}:${offerId}`;
