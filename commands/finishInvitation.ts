import { type Invitation, invitation, invitationStream } from '../domain/invitation.ts';
import { type User, user, userStream } from '../domain/user.ts';
import { userEmail, userEmailStream } from '../domain/userEmail.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Position } from '../kernel/event.ts';
import type { Context } from './handle.ts';
import type { IdentityPorts } from './invite.ts';
import { load } from './load.ts';

type Accepted = Invitation & Readonly<{ accepted: NonNullable<Invitation['accepted']> }>;
type Finished = Readonly<{ user: User | null; position: Position }>;

/** See `finishInvitation`. */
export type Finish = ReturnType<typeof finishInvitation>;

/**
 * The steps after an invitation's acceptance: the user is created, or gets the new password. Each may be
 * repeated, so that the next call completes what a crash interrupted. Null when it is not accepted, or is
 * redacted, or another invitation of the same e-mail was accepted first.
 */
export const finishInvitation =
  (ports: IdentityPorts) =>
  async (invitationId: string, context: Context): Promise<Finished | null> => {
    const found = await load(ports.log, invitation, invitationStream(invitationId));
    if (!found || !isAccepted(found) || found.redacted) return null;
    const follow = found.userId === null ? makeUser : setPassword;
    const finished = await follow(ports, found, context);
    await ports.identity.forgetOffers(invitationId);
    return finished;
  };

const isAccepted = (found: Invitation): found is Accepted => found.accepted !== null;

const makeUser = async (
  { handle, identity, emailIdOf }: IdentityPorts,
  { invitationId, email, role, companyId, accepted }: Accepted,
  context: Context,
): Promise<Finished | null> => {
  const { userId, offerId, name } = accepted;
  const emailId = emailIdOf(email);
  try {
    await handle(userEmail, userEmailStream(emailId), { type: 'ClaimEmail', userId }, context);
  } catch (error) {
    if (error instanceof DomainError && error.name === 'EmailTaken') return null;
    throw error;
  }
  const command = { type: 'CreateUser', userId, role, companyId, invitationId, email, name } as const;
  const { state, position } = await handle(user, userStream(userId), command, context);
  const offer = await identity.offered(invitationId, offerId);
  // The row last: no user logs in whom the log does not have.
  if (offer) {
    const { passwordHash } = offer;
    const row = { userId, role, companyId, passwordHash, awaits: null, epoch: 0, disabledAt: null };
    await identity.addUser(row, emailId);
  }
  await identity.forgetInvitee(emailId, invitationId);
  return { user: state, position };
};

const setPassword = async (
  { handle, identity }: IdentityPorts,
  { invitationId, accepted }: Accepted,
  context: Context,
): Promise<Finished> => {
  const { userId, offerId } = accepted;
  const command = { type: 'ChoosePassword', invitationId } as const;
  const { state, position } = await handle(user, userStream(userId), command, context);
  const offer = await identity.offered(invitationId, offerId);
  if (offer)
    await identity.changeUser(userId, (row) =>
      row.awaits === invitationId ? { ...row, passwordHash: offer.passwordHash, awaits: null } : null,
    );
  return { user: state, position };
};
