import { company, companyStream, roleByClaims } from '../domain/company.ts';
import { invitation, invitationStream } from '../domain/invitation.ts';
import { user, userStream } from '../domain/user.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Cause, Position } from '../kernel/event.ts';
import { withoutNameMarks } from '../kernel/nameMarks.ts';
import type { Office, Role } from '../kernel/scope.ts';
import type { UserRow } from '../stores/identity.ts';
import { invitationsByEmail } from './acceptByEmail.ts';
import type { Finish } from './finishInvitation.ts';
import type { Context } from './handle.ts';
import type { IdentityPorts } from './invite.ts';
import { load, loadStream } from './load.ts';
import { settleUser } from './settleUser.ts';

/** What the identity provider says of who logged in there. */
export type Claims = Readonly<{ iss: string; sub: string; [claim: string]: unknown }>;

/**
 * Why claims prove no user: the e-mail is not verified, nobody's, or invited by several companies; no claim
 * gives the role of an invitation, or the one whose link was opened is not for this person.
 */
type NoUser = 'email' | 'unknown' | 'several' | 'role' | 'invitation';
/** Why a user is refused: disabled, bound to another account, or without a claim that gives a role. */
type NotAdmitted = 'disabled' | 'subject' | 'role';

export type Refusal = NoUser | NotAdmitted;

type Proven =
  | Readonly<{ refusal: null; row: UserRow; position: Position }>
  | Readonly<{ refusal: NotAdmitted; row: UserRow }>
  | Readonly<{ refusal: NoUser; row: null }>;

/** `subjectIdOf` gives the HMAC of an account at an identity provider. */
export type ProvenUserPorts = IdentityPorts &
  Readonly<{ finish: Finish; subjectIdOf(issuer: string, subject: string): string }>;

/**
 * The user whom the claims prove, bound to their account, with the role that they give. `accepts`: the
 * invitation whose link was opened; null without one.
 */
export const provenUser = (ports: ProvenUserPorts) => {
  const { log, identity, emailIdOf, subjectIdOf } = ports;
  const byEmail = invitationsByEmail(ports);
  const bind = binding(ports);
  const change = roleChange(ports);

  /**
   * The role that the claims give by the map of the company, null for none; undefined where it has no map.
   */
  const mappedRole = async ({ companyId }: Office, claims: Claims): Promise<Role | null | undefined> => {
    if (companyId === null) return undefined;
    const { roleMap = null } = (await load(log, company, companyStream(companyId))) ?? {};
    return roleMap === null ? undefined : roleByClaims(roleMap, claims);
  };

  /** The user of a verified e-mail, also one whom an open invitation makes; else why there is none. */
  const userByEmail = async (
    claims: Claims,
    accepts: string | null,
    cause: Cause,
  ): Promise<UserRow | NoUser> => {
    const { email } = claims;
    if (typeof email !== 'string' || claims.email_verified !== true) return 'email';
    const row = await identity.userByEmail(emailIdOf(email));
    if (row) return row;
    const invited = await byEmail.open(email, accepts, cause);
    if (invited === 'several') return invited;
    if (invited) {
      // Before the invitation is used: it is still open once the provider says a role.
      if ((await mappedRole(invited, claims)) === null) return 'role';
      await byEmail.accept(invited, nameOf(claims), cause);
    }
    const made = await identity.userByEmail(emailIdOf(email));
    return made ?? (accepts === null ? 'unknown' : 'invitation');
  };

  /** Whether an invitation is of the e-mail of this user. */
  const isOf = async (invitationId: string, { userId }: UserRow): Promise<boolean> => {
    const found = await load(log, invitation, invitationStream(invitationId));
    return found !== null && (await identity.userByEmail(emailIdOf(found.email)))?.userId === userId;
  };

  /**
   * The user whom the log says to be bound to this account: a pointer may still lead to one who was reset.
   */
  const boundUser = async (subjectId: string): Promise<UserRow | null> => {
    const userId = await identity.userIdBySubject(subjectId);
    const state = userId === null ? null : await load(log, user, userStream(userId));
    return state?.subjectId === subjectId ? identity.user(state.userId) : null;
  };

  /** The user as of now: a reset and a disabling during the log-in count. */
  const admitted = async (before: UserRow, subjectId: string): Promise<Proven> => {
    const { userId } = before;
    // The row before the log: a reset that follows raises the epoch again, and so ends the session.
    const row = (await identity.user(userId)) ?? before;
    const { state, stream } = await loadStream(log, user, userStream(userId));
    if (row.disabledAt !== null) return { refusal: 'disabled', row };
    if (stream.head === null || state?.subjectId !== subjectId) return { refusal: 'subject', row };
    return { refusal: null, row, position: stream.head.position };
  };

  return async (claims: Claims, accepts: string | null, cause: Cause): Promise<Proven> => {
    const { iss: issuer, sub } = claims;
    const subjectId = subjectIdOf(issuer, sub);
    const bound = await boundUser(subjectId);
    const row = bound ?? (await userByEmail(claims, accepts, cause));
    if (typeof row === 'string') return { refusal: row, row: null };
    if (accepts !== null && !(await isOf(accepts, row))) return { refusal: 'invitation', row: null };
    const { userId } = row;
    if (row.disabledAt !== null) return { refusal: 'disabled', row };
    const role = await mappedRole(row, claims);
    if (role === null) return { refusal: 'role', row };
    const self: Context = { ...cause, actor: { kind: 'user', id: userId } };
    // Who is bound is not bound again: a reset at this moment ends it.
    if (bound === null && !(await bind(userId, { issuer, subjectId }, self)))
      return { refusal: 'subject', row };
    // It is the provider that changes the role, and nobody the own one.
    const provider: Context = { ...cause, actor: { kind: 'system', id: 'identity-provider' } };
    if (role !== undefined) await change(row, role, provider);
    return admitted(row, subjectId);
  };
};

/** Gives a user this role, and ends all sessions if it is another one. */
const roleChange = (ports: ProvenUserPorts) => {
  const { handle, identity } = ports;
  const settle = settleUser(ports);
  return async (row: UserRow, role: Role, context: Context): Promise<void> => {
    const { userId, companyId } = row;
    // Before the event: no crash leaves sessions open that were begun with other rights.
    if (row.role !== role) await identity.changeUser(userId, (one) => ({ ...one, epoch: one.epoch + 1 }));
    // Also of a company's last org_admin: rights that the provider has taken away are gone.
    const command = { type: 'ChangeRole', role, companyId, by: 'mapping' } as const;
    const handled = await handle(user, userStream(userId), command, context);
    await settle(userId, handled);
  };
};

const MAX_NAME = 128;

const nameOf = ({ name }: Claims): string | null =>
  typeof name === 'string' ? withoutNameMarks(name).trim().slice(0, MAX_NAME) || null : null;

/** Binds a user to an account; false where either is bound to another. */
const binding =
  ({ log, handle, identity }: ProvenUserPorts) =>
  async (
    userId: string,
    account: Readonly<{ issuer: string; subjectId: string }>,
    context: Context,
  ): Promise<boolean> => {
    const stream = userStream(userId);
    const command = { type: 'BindIdentity', ...account } as const;
    const { subjectId } = account;
    try {
      // Throws what the decision will throw, before the account is reserved.
      user.decide(command, await load(log, user, stream));
      if (!(await identity.reserveSubject(subjectId, userId))) return false;
      await handle(user, stream, command, context);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError && error.name === 'IdentityBound')) throw error;
      // A crash, or another log-in at this moment, has left it reserved for nothing.
      await identity.releaseSubject(subjectId, userId);
      return false;
    }
  };
