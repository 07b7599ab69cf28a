import { randomBytes } from 'node:crypto';
import { INVITATION_MS, invitation, invitationStream } from '../domain/invitation.ts';
import { userEmail, userEmailStream } from '../domain/userEmail.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Office } from '../kernel/scope.ts';
import type { EventLog } from '../stores/events/log.ts';
import { hashToken, type Identity } from '../stores/identity.ts';
import { requireCompany } from './administer.ts';
import type { CommandPorts, Context } from './handle.ts';
import { load } from './load.ts';

/** What the commands on users and invitations need. `emailIdOf` gives the HMAC of a normalised e-mail. */
export type IdentityPorts = CommandPorts &
  Readonly<{ log: EventLog; identity: Identity; emailIdOf(email: string): string }>;

/** An invitation and its token, shown once: it is stored nowhere. `expiresAt` in ISO 8601. */
export type NewInvitation = Readonly<{ id: string; token: string; expiresAt: string; position: Position }>;

type Invitee = Office & Readonly<{ email: string; invitationId: string; userId: string | null }>;

/** Creates the token and the stream of an invitation. */
export const issueInvitation = async (
  { identity, handle, clock }: IdentityPorts,
  invitee: Invitee,
  context: Context,
): Promise<NewInvitation> => {
  const { invitationId: id } = invitee;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + INVITATION_MS).toISOString();
  // The row first: the token is not known to anyone yet, and without the event it is invalid.
  await identity.addInvitation(hashToken(token), id);
  const command = { type: 'InviteUser', ...invitee, expiresAt } as const;
  const { position } = await handle(invitation, invitationStream(id), command, context);
  return { id, token, expiresAt, position };
};

/** The operators' commands on invitations. */
export const invitations = (ports: IdentityPorts) => {
  const { handle, log, ids, emailIdOf } = ports;
  return {
    /** Throws `CompanyNotFound`, `EmailTaken`, and what `requireOffice` throws. */
    invite: async (
      invitee: Office & Readonly<{ email: string }>,
      context: Context,
    ): Promise<NewInvitation> => {
      const { companyId, email } = invitee;
      if (companyId !== null) await requireCompany(log, companyId);
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
