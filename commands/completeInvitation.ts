import { type Invitation, invitation, invitationStream, reasonOf, refusalOf } from '../domain/invitation.ts';
import { user, userStream } from '../domain/user.ts';
import { userEmail, userEmailStream } from '../domain/userEmail.ts';
import { DomainError } from '../kernel/decider.ts';
import type { Cause, Position } from '../kernel/event.ts';
import type { Role } from '../kernel/scope.ts';
import { hashToken } from '../stores/identity.ts';
import type { Passwords } from '../stores/passwords.ts';
import type { Finish } from './finishInvitation.ts';
import { companyNameOf, mayUsePassword, passwordLogInOff, requireGoodPassword } from './goodPassword.ts';
import type { Context } from './handle.ts';
import type { IdentityPorts } from './invite.ts';
import { load } from './load.ts';

/** `passwordLogIn`: whether others than super_admins may log in by password (PASSWORD_LOGIN). */
type CompletePorts = IdentityPorts &
  Readonly<{ passwords: Passwords; finish: Finish; passwordLogIn: boolean }>;
type Reason = NonNullable<ReturnType<typeof reasonOf>>;

type Completion = Readonly<{ token: string; password: string; name: string | null }>;
type Completed = Readonly<{ userId: string; email: string; role: Role; position: Position }>;

/** The use of invitations by their tokens (invitations-8). */
export const completions = (ports: CompletePorts) => {
  const { log, identity, passwords, finish, passwordLogIn } = ports;

  /** A usable invitation, or the reason why there is none. */
  const check = async (token: string) => {
    const id = await identity.invitationByToken(hashToken(token));
    const found = id === null ? null : await load(log, invitation, invitationStream(id));
    const reason = found ? await whyUnusable(ports, found) : 'invalid';
    return found === null || reason !== null
      ? { reason: reason ?? 'invalid', invitation: null }
      : { reason, invitation: found };
  };

  return {
    /**
     * The invitation of a token, or why it can't be used: `invalid`, `consumed` or `expired`, checked in this
     * order.
     */
    check,

    /**
     * Creates the user, or sets the user's new password. Of concurrent requests exactly one wins, by the
     * invitation's stream. Throws `InvitationInvalid`, `InvitationConsumed`, `InvitationExpired`,
     * `PasswordLogInOff`, `PasswordRefused`, checked in this order.
     */
    complete: async ({ token, password, name }: Completion, cause: Cause): Promise<Completed> => {
      const { reason, invitation: found } = await check(token);
      if (reason !== null) throw refusalOf(reason);
      const { invitationId, email, role, companyId } = found;
      if (!mayUsePassword(passwordLogIn, { role, subjectId: null })) throw passwordLogInOff();
      await requireGoodPassword(password, { email, companyName: await companyNameOf(log, companyId) });
      const userId = found.userId ?? `usr_${ports.ids.ulid()}`;
      const context: Context = { ...cause, actor: { kind: 'user', id: userId } };
      // Offered before the event, so that no crash leaves a used invitation without a password.
      await accept(
        ports,
        found,
        { userId, name, passwordHash: await passwords.hash(password, invitationId) },
        context,
      );
      const finished = await finish(invitationId, context);
      if (finished?.user?.passwordBy !== invitationId) throw refusalOf('consumed');
      return { userId, email, role, position: finished.position };
    },
  };
};

/** `passwordHash`: null for a user who logs in by the identity provider alone. */
type Acceptance = Readonly<{ userId: string; name: string | null; passwordHash: string | null }>;

/**
 * Uses an invitation; `finishInvitation` does the rest. Throws `InvitationInvalid`, `InvitationConsumed`,
 * `InvitationExpired`.
 */
export const accept = async (
  { handle, identity, clock, ids }: IdentityPorts,
  { invitationId }: Invitation,
  { passwordHash, userId, name }: Acceptance,
  context: Context,
): Promise<void> => {
  const offerId = ids.ulid();
  await identity.offer(invitationId, offerId, passwordHash);
  const at = clock.now().toISOString();
  const command = { type: 'AcceptInvitation', userId, offerId, name, at } as const;
  try {
    await handle(invitation, invitationStream(invitationId), command, context);
  } catch (error) {
    // After any other error the event may have been stored.
    if (error instanceof DomainError) await identity.forgetOffers(invitationId, offerId);
    throw error;
  }
};

/** Why an invitation can't be used now, null when it can: `invalid`, `consumed` or `expired`. */
export const whyUnusable = async (
  ports: Pick<IdentityPorts, 'log' | 'emailIdOf' | 'clock'>,
  found: Invitation,
): Promise<Reason | null> =>
  (await supersededBy(ports, found)) ?? reasonOf(found, ports.clock.now().toISOString());

/**
 * Why an unused invitation is superseded: its e-mail has a user, there is a newer reset, or the user is
 * disabled.
 */
const supersededBy = async (
  { log, emailIdOf }: Pick<IdentityPorts, 'log' | 'emailIdOf'>,
  { invitationId, userId, email, accepted, revoked }: Invitation,
): Promise<Reason | null> => {
  if (accepted !== null || revoked) return null;
  if (userId === null)
    return (await load(log, userEmail, userEmailStream(emailIdOf(email)))) ? 'consumed' : null;
  return (await load(log, user, userStream(userId)))?.awaits === invitationId ? null : 'invalid';
};
