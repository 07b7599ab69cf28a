import { randomBytes } from 'node:crypto';
import type { Office } from '../kernel/scope.ts';
import { hashToken } from '../stores/identity.ts';
import type { Passwords } from '../stores/passwords.ts';
import type { IdentityPorts } from './invite.ts';

type Ports = Pick<IdentityPorts, 'identity' | 'clock' | 'emailIdOf'> & Readonly<{ passwords: Passwords }>;

/** The administrator of a session token. */
export type Administrator = Office & Readonly<{ userId: string; tokenHash: string }>;

/** The lifetime of a session in milliseconds (logins-1). */
const SESSION_MS = 12 * 3_600_000;

/** Log-in of administrators by password, and their session bearer tokens (agent-1). */
export const authentication = ({ identity, passwords, clock, emailIdOf }: Ports) => ({
  /**
   * A new session; null when the e-mail or the password is wrong or the user is disabled: neither answer nor
   * timing reveals which.
   */
  logIn: async (email: string, password: string) => {
    const row = await identity.userByEmail(emailIdOf(email));
    const right = await passwords.verify(row?.passwordHash ?? null, password);
    if (!right || row === null || row.disabledAt !== null) return null;
    const token = `ast_${randomBytes(32).toString('base64url')}`;
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + SESSION_MS).toISOString();
    // The epoch is that of the checked password: a concurrent reset ends this session too.
    await identity.addSession(hashToken(token), { userId: row.userId, epoch: row.epoch, expiresAt }, now);
    return { token, expiresAt };
  },

  /**
   * The administrator of a token, by the user's present row; null when the token is unknown or expired, or
   * the user is disabled.
   */
  administrator: async (token: string): Promise<Administrator | null> => {
    const tokenHash = hashToken(token);
    const session = await identity.session(tokenHash);
    if (session === null || session.expiresAt <= clock.now().toISOString()) return null;
    const row = await identity.user(session.userId);
    if (row === null || row.disabledAt !== null || row.epoch !== session.epoch) return null;
    const { userId, role, companyId } = row;
    return { userId, role, companyId, tokenHash };
  },

  /** Ends one session. */
  logOut: (tokenHash: string): Promise<void> => identity.endSession(tokenHash),
});
