import { randomBytes } from 'node:crypto';
import { type LogInRefusal, logIn, logInStream } from '../domain/logIn.ts';
import { user as userDecider, userStream } from '../domain/user.ts';
import type { Background } from '../kernel/background.ts';
import type { Cause } from '../kernel/event.ts';
import type { Office } from '../kernel/scope.ts';
import { hashToken, isOfEpoch, type SessionKind, type SessionRow, type UserRow } from '../stores/identity.ts';
import type { Passwords } from '../stores/passwords.ts';
import { mayUsePassword } from './goodPassword.ts';
import type { Context } from './handle.ts';
import type { IdentityPorts } from './invite.ts';
import { load } from './load.ts';

type Ports = IdentityPorts &
  Readonly<{
    passwords: Passwords;
    background: Pick<Background, 'runWithin'>;
    /** Whether others than super_admins may log in by password (PASSWORD_LOGIN). */
    passwordLogIn: boolean;
  }>;

/** The person of a session, which ends at `expiresAt` (ISO 8601) or before. */
export type Person = Office & Readonly<{ userId: string; sessionId: string; expiresAt: string }>;

/** A session that a token proves. `isUnrecorded`: its use is to be noted now, by `record`. */
export type ProvenSession = Readonly<{ person: Person; tokenHash: string; isUnrecorded: boolean }>;

/**
 * The lifetime of a session in milliseconds, and how long one in a cookie may be idle (logins-1, people-6).
 */
export const SESSION_MS = 12 * 3_600_000;
const IDLE_MS = 2 * 3_600_000;
/** How exactly the last use is known. */
const TOUCH_MS = 60_000;
/** A refused log-in is recorded within so many milliseconds. */
const RECORDED_MS = 10_000;
/** Names no user. */
const NOBODY = 'usr_nobody';
/** Of one person. A new session ends the oldest. */
const MAX_SESSIONS = 200;

/**
 * From where somebody logs in. `agent`: the browser or program. `former`: the token in the cookie that the
 * new session's takes the place of, if there is one.
 */
export type Client = Readonly<{ kind: SessionKind; address: string; agent: string; former?: string | null }>;
type NewSession = Readonly<{ token: string; sessionId: string; expiresAt: string }>;
type Method = 'password' | 'oidc';

const contextOfService = (cause: Cause): Context => ({ ...cause, actor: { kind: 'system', id: 'log-in' } });

/** Log-in of people by password, and their sessions (logins-1). */
export const authentication = (ports: Ports) => {
  const { identity, log, passwords, passwordLogIn, clock, ids, emailIdOf, handle, background } = ports;
  const contextOf = (cause: Cause, userId: string): Context => ({
    ...cause,
    actor: { kind: 'user', id: userId },
  });
  const isLive = ({ kind, expiresAt, lastSeenAt }: SessionRow): boolean => {
    const at = clock.now().getTime();
    return Date.parse(expiresAt) > at && (kind === 'token' || Date.parse(lastSeenAt) + IDLE_MS > at);
  };

  /** Ends a session. The row first: after a crash before the event the session has ended all the same. */
  const close = async (tokenHash: string, row: SessionRow, context: Context): Promise<void> => {
    await identity.endSession(tokenHash, row.userId);
    if (isLive(row)) await handle(logIn, logInStream(row.sessionId), { type: 'LogOut' }, context);
  };

  /** Ends the oldest sessions of a user who has too many. */
  const endOldest = async (userId: string, cause: Cause): Promise<void> => {
    const all = [...(await identity.sessionsOf(userId))].sort(([, a], [, b]) => byTime(a, b));
    for (const [tokenHash, row] of all.slice(0, -MAX_SESSIONS))
      await close(tokenHash, row, contextOf(cause, userId));
  };

  /**
   * Ends the session, whosever it is, whose cookie a new one replaces: nobody could end it there any more.
   */
  const endFormer = async ({ kind, former }: Client, userId: string, cause: Cause): Promise<void> => {
    if (kind !== 'cookie' || !former) return;
    const tokenHash = hashToken(former);
    const row = await identity.session(tokenHash);
    if (row?.kind !== 'cookie') return;
    // Nobody ends a session of somebody else: whoever had the browser before has done nothing.
    await close(tokenHash, row, row.userId === userId ? contextOf(cause, userId) : contextOfService(cause));
  };

  /** A new session, with a token of its own, of a user who has proved who they are (people-7). */
  const begin = async (user: UserRow, method: Method, client: Client, cause: Cause): Promise<NewSession> => {
    const { userId, companyId, epoch } = user;
    const { kind, address, agent } = client;
    const token = `ast_${randomBytes(32).toString('base64url')}`;
    const sessionId = `lgn_${ids.ulid()}`;
    const now = clock.now();
    const createdAt = now.toISOString();
    const expiresAt = new Date(now.getTime() + SESSION_MS).toISOString();
    const facts = { sessionId, userId, companyId, method, address, expiresAt };
    // The event first: nobody is logged in of whom the log does not say so.
    const command = { type: 'RecordLogIn', ...facts } as const;
    await handle(logIn, logInStream(sessionId), command, contextOf(cause, userId));
    // The epoch is that of the checked password: a concurrent reset ends this session too.
    const row = { sessionId, userId, kind, epoch, agent, createdAt, lastSeenAt: createdAt, expiresAt };
    await identity.addSession(hashToken(token), row);
    await endOldest(userId, cause);
    await endFormer(client, userId, cause);
    return { token, sessionId, expiresAt };
  };

  /**
   * Records a log-in that was refused, some time after the answer: neither its time nor that of the requests
   * that follow must reveal that the user exists.
   */
  const refuse = (
    { userId, companyId }: UserRow,
    method: Method,
    reason: LogInRefusal,
    { address }: Client,
    cause: Cause,
  ): null => {
    const sessionId = `lgn_${ids.ulid()}`;
    const facts = { sessionId, userId, companyId, method, reason, address };
    const command = { type: 'RecordFailedLogIn', ...facts } as const;
    background.runWithin(RECORDED_MS, () =>
      handle(logIn, logInStream(sessionId), command, contextOfService(cause)),
    );
    return null;
  };

  /** Whether a user's password works (`mayUsePassword`). */
  const isUsableBy = async (row: UserRow | null): Promise<boolean> => {
    if (passwordLogIn) return true;
    // Loaded for everybody, also for nobody: no time tells whose the e-mail is.
    const state = await load(log, userDecider, userStream(row?.userId ?? NOBODY));
    return mayUsePassword(passwordLogIn, { role: row?.role ?? null, subjectId: state?.subjectId ?? null });
  };

  return {
    begin,
    refuse,

    /**
     * A new session; null when the e-mail or the password is wrong, the user is disabled, or may not log in
     * by password (logins-16, logins-25): neither answer nor timing reveals which. `onProven` is called
     * before the session begins, and may throw to prevent that.
     */
    logIn: async (
      email: string,
      password: string,
      client: Client,
      cause: Cause,
      onProven: () => void,
    ): Promise<NewSession | null> => {
      const row = await identity.userByEmail(emailIdOf(email));
      const hash = row?.passwordHash ?? null;
      const [right, isUsable] = await Promise.all([
        passwords.verify(hash, password, client.address),
        isUsableBy(row),
      ]);
      if (row === null) return null;
      if (row.disabledAt !== null) return refuse(row, 'password', 'disabled', client, cause);
      if (!right) return refuse(row, 'password', 'password', client, cause);
      if (!isUsable) return refuse(row, 'password', 'role', client, cause);
      onProven();
      return begin(row, 'password', client, cause);
    },

    /**
     * The session of a token that was sent in this way, with the user's present role; null when the token is
     * unknown or expired, or the user is disabled.
     */
    session: async (token: string, kind: SessionKind): Promise<ProvenSession | null> => {
      const tokenHash = hashToken(token);
      const row = await identity.session(tokenHash);
      if (row === null || row.kind !== kind || !isLive(row)) return null;
      const user = await identity.user(row.userId);
      if (user === null || user.disabledAt !== null || !isOfEpoch(user, row)) return null;
      const isUnrecorded = clock.now().getTime() - Date.parse(row.lastSeenAt) >= TOUCH_MS;
      const { userId, role, companyId } = user;
      const { sessionId, expiresAt } = row;
      return { person: { userId, role, companyId, sessionId, expiresAt }, tokenHash, isUnrecorded };
    },

    /** Whether a token is of a session that has ended by itself, or with others of its user. */
    hasEnded: async (token: string): Promise<boolean> => {
      const row = await identity.session(hashToken(token));
      if (row === null || !isLive(row)) return row !== null;
      const user = await identity.user(row.userId);
      return user === null || !isOfEpoch(user, row);
    },

    /** Notes that a session is used now. */
    record: (tokenHash: string): Promise<void> => identity.touchSession(tokenHash, clock.now().toISOString()),

    /** The sessions of a user that have not ended, the newest first. */
    sessions: async (userId: string): Promise<readonly SessionRow[]> => {
      const user = await identity.user(userId);
      if (user === null) return [];
      const own = [...(await identity.sessionsOf(userId)).values()];
      return own.filter((row) => isOfEpoch(user, row) && isLive(row)).sort((a, b) => byTime(b, a));
    },

    /** Ends a session of a user, or all without `sessionId`; gives how many there were. */
    end: async (userId: string, sessionId: string | null, cause: Cause): Promise<number> => {
      const own = [...(await identity.sessionsOf(userId))];
      const ended = own.filter(([, row]) => sessionId === null || row.sessionId === sessionId);
      for (const [tokenHash, row] of ended) await close(tokenHash, row, contextOf(cause, userId));
      return ended.length;
    },
  };
};

/** The oldest first; identifiers of one millisecond are in no order. */
const byTime = (one: SessionRow, other: SessionRow): number => (startOf(one) < startOf(other) ? -1 : 1);

const startOf = ({ createdAt, sessionId }: SessionRow): string => `${createdAt} ${sessionId}`;
