import { randomBytes } from 'node:crypto';
import { company, companyStream } from '../domain/company.ts';
import { INVITATION_MS, invitation, invitationStream } from '../domain/invitation.ts';
import { userEmail, userEmailStream } from '../domain/userEmail.ts';
import type { Clock } from '../kernel/clock.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Office } from '../kernel/scope.ts';
import type { EventLog } from '../stores/events/log.ts';
import { hashToken, type Identity } from '../stores/identity.ts';
import type { Context, Handle } from './handle.ts';
import { load } from './load.ts';

/**
 * What the commands on users and invitations need. `emailIdOf` gives the HMAC of an e-mail, however it is
 * spelled.
 */
export type IdentityPorts = Readonly<{
  handle: Handle;
  log: EventLog;
  identity: Identity;
  clock: Clock;
  ids: Ids;
  emailIdOf(email: string): string;
}>;

/** An invitation with its token, to be shown once: it is stored nowhere. `expiresAt` in ISO 8601. */
export type NewInvitation = Readonly<{ id: string; token: string; expiresAt: string; position: Position }>;

type Invitee = Office & Readonly<{ email: string; invitationId: string; userId: string | null }>;

/** Makes the token and the stream of an invitation that begins now. */
export const issueInvitation = async (
  { identity, handle, clock }: IdentityPorts,
  invitee: Invitee,
  context: Context,
): Promise<NewInvitation> => {
  const { invitationId: id } = invitee;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + INVITATION_MS).toISOString();
  // The row first: nobody knows the token yet, and without the event it leads nowhere.
  await identity.addInvitation(hashToken(token), id);
  const command = { type: 'InviteUser', ...invitee, expiresAt } as const;
  const { position } = await handle(invitation, invitationStream(id), command, context);
  return { id, token, expiresAt, position };
};

/** Invites people to become users, and takes invitations back. */
export const invitations = (ports: IdentityPorts) => {
  const { handle, log, ids, emailIdOf } = ports;
  return {
    /** Throws `CompanyNotFound`, `EmailTaken`, and what `requireOffice` throws. */
    invite: async (
      invitee: Office & Readonly<{ email: string }>,
      context: Context,
    ): Promise<NewInvitation> => {
      const { companyId, email } = invitee;
      if (companyId !== null && !(await load(log, company, companyStream(companyId))))
        throw new DomainError('CompanyNotFound', `There is no company ${companyId}.`);
      if (await load(log, userEmail, userEmailStream(emailIdOf(email))))
        throw new DomainError('EmailTaken', 'There is a user of this e-mail already.');
      const named = { ...invitee, invitationId: `inv_${ids.ulid()}`, userId: null };
      return issueInvitation(ports, named, context);
    },

    /** Refuses the invitation's token from now on. Throws `InvitationNotFound`, `InvitationConsumed`. */
    revokeInvitation: async (invitationId: string, context: Context): Promise<Position> => {
      const stream = invitationStream(invitationId);
      return (await handle(invitation, stream, { type: 'RevokeInvitation' }, context)).position;
    },
  };
};
