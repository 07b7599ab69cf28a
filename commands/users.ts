import { present, requireMayCreateKey, type User, user, userStream } from '../domain/user.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Finish } from './finishInvitation.ts';
import type { Context } from './handle.ts';
import { type IdentityPorts, issueInvitation, type NewInvitation } from './invite.ts';
import { load } from './load.ts';

type Disabled = Readonly<{ disabledAt: string; position: Position }>;

/** The operators' commands on users. */
export const users = (ports: IdentityPorts & Readonly<{ finish: Finish }>) => {
  const { handle, log, identity, clock, ids, emailIdOf } = ports;

  /** The user, whose row is created if a crash has prevented that. Throws `UserNotFound`. */
  const complete = async (userId: string, context: Context): Promise<User> => {
    const state = present(await load(log, user, userStream(userId)));
    if (!(await identity.user(userId))) await ports.finish(state.passwordBy, context);
    return state;
  };

  return {
    /**
     * Disables a user and ends all sessions, at once and on every node; may be repeated. Throws
     * `UserNotFound`.
     */
    disableUser: async (userId: string, context: Context): Promise<Disabled> => {
      await complete(userId, context);
      const at = clock.now().toISOString();
      // The row first: after a crash before the event the user is disabled, and disabling again appends the
      // event.
      await identity.changeUser(userId, (row) =>
        row.disabledAt === null ? { ...row, awaits: null, epoch: row.epoch + 1, disabledAt: at } : null,
      );
      const { position } = await handle(user, userStream(userId), { type: 'DisableUser' }, context);
      return { disabledAt: (await identity.user(userId))?.disabledAt ?? at, position };
    },

    /**
     * Removes a user's password, ends all sessions, and issues an invitation to choose a new one. `enable`
     * also enables a disabled user. Throws `UserNotFound`, `UserIsDisabled`.
     */
    resetUser: async (userId: string, enable: boolean, context: Context): Promise<NewInvitation> => {
      const invitationId = `inv_${ids.ulid()}`;
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
      await handle(user, userStream(userId), command, context);
      const { email, role, companyId } = state;
      return issueInvitation(ports, { email, role, companyId, invitationId, userId }, context);
    },

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
