import { requireMayCreateKey } from '../domain/apiKey.ts';
import { present, type RoleChange, type User, user, userStream } from '../domain/user.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Finish } from './finishInvitation.ts';
import type { Context } from './handle.ts';
import { type IdentityPorts, issueInvitation, type NewInvitation } from './invite.ts';
import { isAdministrator, type KeepAdministrator } from './keepAdministrator.ts';
import { load } from './load.ts';
import { settleUser } from './settleUser.ts';

type Ports = IdentityPorts & Readonly<{ finish: Finish; keepAdministrator: KeepAdministrator }>;
type Disabled = Readonly<{ disabledAt: string; position: Position }>;

/** That an administrator changes somebody else. Throws `OwnRole`. */
const requireOther = (userId: string, { actor }: Context): void => {
  if (actor.kind === 'user' && actor.id === userId)
    throw new DomainError('OwnRole', 'Nobody changes their own role.');
};

/** The administrators' commands on users. */
export const users = (ports: Ports) => {
  const { handle, log, identity, clock, ids, emailIdOf, keepAdministrator } = ports;
  const settle = settleUser(ports);

  /** The user, whose row is created if a crash has prevented that. Throws `UserNotFound`. */
  const complete = async (userId: string, context: Context): Promise<User> => {
    const state = present(await load(log, user, userStream(userId)));
    if (!(await identity.user(userId))) await ports.finish(state.passwordBy, context);
    return state;
  };

  /**
   * Runs `leave`, by which this user leaves the administrators, if the user is one. The operator may leave
   * nobody: the command line invites the next one.
   */
  const leaving = <T>(state: User, { actor }: Context, leave: () => Promise<T>): Promise<T> =>
    isAdministrator(state) && !state.disabled && actor.kind !== 'operator'
      ? keepAdministrator(state, leave)
      : leave();

  /** Lets the account at the identity provider that a user is bound to be another user's. */
  const release = async (state: User | null): Promise<void> => {
    if (state?.subjectId) await identity.releaseSubject(state.subjectId, state.userId);
  };

  const disable = async (userId: string, context: Context): Promise<Disabled> => {
    const at = clock.now().toISOString();
    // The row first: after a crash before the event the user is disabled, and disabling again appends the
    // event.
    await identity.changeUser(userId, (row) =>
      row.disabledAt === null ? { ...row, awaits: null, epoch: row.epoch + 1, disabledAt: at } : null,
    );
    const handled = await handle(user, userStream(userId), { type: 'DisableUser' }, context);
    await settle(userId, handled);
    return { disabledAt: (await identity.user(userId))?.disabledAt ?? at, position: handled.position };
  };

  return {
    /**
     * Disables a user and ends all sessions, at once and on every node; may be repeated. Throws
     * `UserNotFound`, `LastAdministrator`.
     */
    disableUser: async (userId: string, context: Context): Promise<Disabled> => {
      const state = await complete(userId, context);
      return leaving(state, context, () => disable(userId, context));
    },

    /** The same of the last administrator too, who had been redacted before a backup was restored. */
    disableAgain: async (userId: string, context: Context): Promise<void> => {
      await complete(userId, context);
      await disable(userId, context);
    },

    /** Lets a disabled user log in again, with the same password; may be repeated. Throws `UserNotFound`. */
    enableUser: async (userId: string, context: Context): Promise<Position> => {
      await complete(userId, context);
      const handled = await handle(user, userStream(userId), { type: 'EnableUser' }, context);
      await settle(userId, handled, true);
      return handled.position;
    },

    /**
     * Changes a user's role, from the next request of open sessions on; may be repeated. Throws
     * `UserNotFound`, `OwnRole`, `LastAdministrator`, and what `requireOffice` throws.
     */
    changeRole: async (userId: string, change: RoleChange, context: Context): Promise<Position> => {
      const command = { type: 'ChangeRole', ...change } as const;
      if (change.by === 'administrator') requireOther(userId, context);
      const state = await complete(userId, context);
      // Throws what the decision will throw, before anything is changed.
      const isSame = user.decide(command, state).length === 0;
      const run = async (): Promise<Position> => {
        const handled = await handle(user, userStream(userId), command, context);
        await settle(userId, handled);
        return handled.position;
      };
      return isSame ? run() : leaving(state, context, run);
    },

    /**
     * Removes a user's password, and what binds the user to an identity provider, ends all sessions, and
     * issues an invitation to choose a new password. `enable` also enables a disabled user. Throws
     * `UserNotFound`, `UserIsDisabled`.
     */
    resetUser: async (
      userId: string,
      enable: boolean,
      context: Context,
      ulid = ids.ulid(),
    ): Promise<NewInvitation> => {
      const invitationId = `inv_${ulid}`;
      const command = { type: 'ResetPassword', invitationId, enable } as const;
      const state = await complete(userId, context);
      // Throws what the decision will throw, before the row is changed.
      user.decide(command, state);
      // The row first, as above: the old password must not outlive a crash.
      await identity.changeUser(userId, (row) =>
        row.disabledAt !== null && !enable
          ? null
          : { ...row, passwordHash: null, awaits: invitationId, epoch: row.epoch + 1, disabledAt: null },
      );
      await release(state);
      const handled = await handle(user, userStream(userId), command, context);
      // Again: a log-in between the row and the event was still that of the account. After a crash before the
      // epoch is raised such a session goes on until it ends by itself, or the user is disabled.
      await release(await load(log, user, userStream(userId), handled.revision - 1));
      await identity.changeUser(userId, (row) => ({ ...row, epoch: row.epoch + 1 }));
      await settle(userId, handled, enable);
      const { email, role, companyId } = present(handled.state);
      return issueInvitation(ports, { email, role, companyId, invitationId, userId }, context);
    },

    /** Makes a user's row as the log says: the role and company, and disabled where it is. */
    settleUser: settle,

    /**
     * The user who creates a key for a company (null: unscoped). Throws `UserNotFound`, `UserIsDisabled`, and
     * what `requireMayCreateKey` throws.
     */
    requireKeyMaker: async (email: string, keyCompanyId: string | null): Promise<string> => {
      const row = await identity.userByEmail(emailIdOf(email));
      if (row === null) throw new DomainError('UserNotFound', 'There is no user of this e-mail.');
      if (row.disabledAt !== null) throw new DomainError('UserIsDisabled', 'The user is disabled.');
      requireMayCreateKey(row, keyCompanyId);
      return row.userId;
    },
  };
};
