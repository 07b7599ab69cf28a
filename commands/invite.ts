import { randomBytes } from 'node:crypto';
import { INVITATION_MS, invitation, invitationStream } from '../domain/invitation.ts';
import { userEmail, userEmailStream } from '../domain/userEmail.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { NameOf } from '../kernel/hmac.ts';
import type { Office } from '../kernel/scope.ts';
import type { EventLog } from '../stores/events/log.ts';
import { hashToken, type Identity } from '../stores/identity.ts';
import { requireCompany } from './administer.ts';
import type { CommandPorts, Context } from './handle.ts';
import { load } from './load.ts';

/**
 * What the commands on users and invitations need. `emailIdOf` gives the HMAC of a normalised e-mail,
 * `mailedToken` the token of an invitation that is mailed (null: nothing is mailed).
 */
export type IdentityPorts = CommandPorts &
  Readonly<{
    log: EventLog;
    identity: Identity;
    emailIdOf(email: string): string;
    mailedToken: ((invitationId: string) => string) | null;
  }>;

/**
 * An invitation and its token, shown once: it is stored nowhere. `token` is null where it is mailed
 * (mails-1). `expiresAt` in ISO 8601.
 */
export type NewInvitation = Readonly<{
  id: string;
  token: string | null;
  expiresAt: string;
  position: Position;
}>;

/**
 * The token of an invitation that is mailed: derived from its identifier under the naming key, so that each
 * attempt mails the same link and no token is stored (mails-2).
 */
export const mailedToken = (nameOf: NameOf, invitationId: string): string =>
  Buffer.from(nameOf('invitation', invitationId), 'hex').toString('base64url');

/**
 * The page that a new invitation leads to. The token is the fragment, which browsers send to no server: it is
 * in no log of a proxy, and no link preview uses it.
 */
export const invitationUrl = (publicUrl: string, token: string): string =>
  `${publicUrl}/invite#token=${token}`;

type Invitee = Office & Readonly<{ email: string; invitationId: string; userId: string | null }>;

/** Creates the token and the stream of an invitation. */
export const issueInvitation = async (
  { identity, handle, clock, emailIdOf, mailedToken }: IdentityPorts,
  invitee: Invitee,
  context: Context,
): Promise<NewInvitation> => {
  const { invitationId: id, email, userId } = invitee;
  const byMail = mailedToken !== null;
  const token = byMail ? mailedToken(id) : randomBytes(32).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + INVITATION_MS).toISOString();
  // The rows first: the token is not known to anyone yet, and without the event it is invalid.
  await identity.addInvitation(hashToken(token), id);
  if (userId === null) await identity.addInvitee(emailIdOf(email), id);
  const command = { type: 'InviteUser', ...invitee, expiresAt, ...(byMail ? { byMail } : {}) } as const;
  const { position } = await handle(invitation, invitationStream(id), command, context);
  return { id, token: byMail ? null : token, expiresAt, position };
};

/** How an invitation stands: used up, when its e-mail has a user; revoked, when a newer reset replaced it. */
export type InvitationState = 'open' | 'consumed' | 'expired' | 'revoked';

/** An invitation as it is listed. Times in ISO 8601. */
type Listed = Readonly<{
  id: string;
  email: string;
  userId: string | null;
  expiresAt: string;
  acceptedAt: string | null;
  revokedAt: string | null;
}>;

/** The administrators' commands on invitations. */
export const invitations = (ports: IdentityPorts) => {
  const { handle, log, ids, emailIdOf, identity, clock } = ports;
  return {
    /**
     * `ulid` names the invitation: a new one, unless it was reserved for the request. Throws
     * `CompanyNotFound`, `EmailTaken`, and what `requireOffice` throws.
     */
    invite: async (
      invitee: Office & Readonly<{ email: string }>,
      context: Context,
      ulid = ids.ulid(),
    ): Promise<NewInvitation> => {
      const { companyId, email } = invitee;
      if (companyId !== null) await requireCompany(log, companyId);
      if (await load(log, userEmail, userEmailStream(emailIdOf(email))))
        throw new DomainError('EmailTaken', 'There is a user of this e-mail already.');
      const named = { ...invitee, invitationId: `inv_${ulid}`, userId: null };
      return issueInvitation(ports, named, context);
    },

    /** How a listed invitation stands, as the service judges its token. */
    standingOf: async (item: Listed): Promise<InvitationState> => {
      const { id, email, userId, acceptedAt, revokedAt, expiresAt } = item;
      if (revokedAt !== null) return 'revoked';
      if (acceptedAt !== null) return 'consumed';
      if (userId === null && (await identity.userByEmail(emailIdOf(email)))) return 'consumed';
      if (userId !== null && (await identity.user(userId))?.awaits !== id) return 'revoked';
      return expiresAt <= clock.now().toISOString() ? 'expired' : 'open';
    },

    /** Refuses the invitation's token from now on. Throws `InvitationNotFound`, `InvitationConsumed`. */
    revokeInvitation: async (invitationId: string, context: Context): Promise<Position> => {
      const stream = invitationStream(invitationId);
      return (await handle(invitation, stream, { type: 'RevokeInvitation' }, context)).position;
    },
  };
};
