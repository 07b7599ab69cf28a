import { type Invitation, invitation, invitationStream, reasonOf } from '../domain/invitation.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Cause } from '../kernel/event.ts';
import { accept } from './completeInvitation.ts';
import type { Finish } from './finishInvitation.ts';
import type { IdentityPorts } from './invite.ts';
import { load } from './load.ts';

type Ports = IdentityPorts & Readonly<{ finish: Finish }>;

/** The use of invitations by people whose e-mail somebody else vouches for (logins-11). */
export const invitationsByEmail = (ports: Ports) => {
  const { log, identity, clock, ids, emailIdOf, finish } = ports;

  /** Completes what an invitation that was used began, and forgets one that can't be used any more. */
  const settle = async ({ invitationId, accepted }: Invitation, emailId: string, cause: Cause) => {
    if (accepted) await finish(invitationId, { ...cause, actor: { kind: 'user', id: accepted.userId } });
    await identity.forgetInvitee(emailId, invitationId);
  };

  return {
    /**
     * The invitation of an e-mail that a log-in accepts: `accepts`, or where that is null the newest one of
     * the only company that has open ones; `several` where the person must choose, null where none can be
     * used. The users of those that were used, whose making a crash has interrupted or another request is at,
     * are made then.
     */
    open: async (
      email: string,
      accepts: string | null,
      cause: Cause,
    ): Promise<Invitation | 'several' | null> => {
      const emailId = emailIdOf(email);
      const at = clock.now().toISOString();
      const usable: Invitation[] = [];
      let isUser = false;
      for (const id of await identity.invitationsOf(emailId)) {
        // Null for one that is being made, which has its row before its event.
        const found = await load(log, invitation, invitationStream(id));
        if (found && reasonOf(found, at) === null) usable.push(found);
        else if (found) await settle(found, emailId, cause);
        isUser ||= found?.accepted != null;
      }
      if (isUser) return null;
      if (accepts !== null) return usable.find(({ invitationId }) => invitationId === accepts) ?? null;
      // No company takes in a person who may have meant another one.
      if (new Set(usable.map(({ companyId }) => companyId)).size > 1) return 'several';
      return usable.at(-1) ?? null;
    },

    /**
     * Makes the user of an invitation, who has no password. Of concurrent requests one wins, for all of them.
     */
    accept: async (found: Invitation, name: string | null, cause: Cause): Promise<void> => {
      const userId = `usr_${ids.ulid()}`;
      const context = { ...cause, actor: { kind: 'user', id: userId } } as const;
      try {
        await accept(ports, found, { userId, name, passwordHash: null }, context);
      } catch (error) {
        // Whoever has used it at this moment is the same person: the user is looked up by the e-mail.
        if (!(error instanceof DomainError)) throw error;
      }
      await finish(found.invitationId, context);
    },
  };
};
