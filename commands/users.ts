import { present, requireMayCreateKey, type User, user, userStream } from '../domain/user.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Finish } from './finishInvitation.ts';
import type { Context } from './handle.ts';
import { type IdentityPorts, issueInvitation, type NewInvitation } from './invite.ts';
import { load } from './load.ts';

type Disabled = Readonly<{ disabledAt: string; position: Position }>;

/** What operators do to users. */
export const users = (ports: IdentityPorts & Readonly<{ finish: Finish }>) => {
  const { handle, log, identity, clock, ids, emailIdOf } = ports;

  /** The user, with a row: one whose making was cut short would get it later, open. Throws `UserNotFound`. */
  const whole = async (userId: string, context: Context): Promise<User> => {
    const state = present(await load(log, user, userStream(userId)));
    if (!(await identity.user(userId))) await ports.finish(state.passwordBy, context);
    return state;
  };

  return {
    /**
     * Shuts a user out, with all sessions, at once and on every node; again without fault. Throws
     * `UserNotFound`.
     */
    disableUser: async (userId: string, context: Context): Promise<Disabled> => {
      await whole(userId, context);
      const at = clock.now().toISOString();
      // The row first: a crash before the event leaves the user shut out, and disabling again writes the
      // event.
      await identity.changeUser(userId, (row) =>
        row.disabledAt === null ? { ...row, awaits: null, epoch: row.epoch + 1, disabledAt: at } : null,
      );
      const { position } = await handle(user, userStream(userId), { type: 'DisableUser' }, context);
      return { disabledAt: (await identity.user(userId))?.disabledAt ?? at, position };
    },

    /**
     * Takes a user's password away, ends all sessions, and gives an invitation to choose a new one. `enable`
     * lets a disabled user come back that way. Throws `UserNotFound`, `UserIsDisabled`.
     */
    resetUser: async (userId: string, enable: boolean, context: Context): Promise<NewInvitation> => {
      const invitationId = `inv_${ids.ulid()}`;
      const command = { type: 'ResetPassword', invitationId, enable } as const;
      const state = await whole(userId, context);
      // Refuses what the log will refuse, before the row is touched.
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
     * The user who makes a key for that company (null: unscoped). Throws `UserNotFound`, `UserIsDisabled`,
     * and what `requireMayCreateKey` throws.
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
