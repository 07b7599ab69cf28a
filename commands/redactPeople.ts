import { type InvitationEvent, invitation, invitationStream } from '../domain/invitation.ts';
import { type Basis, redactedBefore, withItsPerson } from '../domain/redactionBasis.ts';
import { present, type User, type UserEvent, user, userStream } from '../domain/user.ts';
import { userEmail, userEmailStream } from '../domain/userEmail.ts';
import { type EventOf, type Position, REDACTED, type Recorded } from '../kernel/event.ts';
import { whyUnusable } from './completeInvitation.ts';
import { emailClaimedBy } from './emailClaimedBy.ts';
import type { Finish } from './finishInvitation.ts';
import type { Requested } from './forgetAgain.ts';
import { type Context, redactor } from './handle.ts';
import type { IdentityPorts } from './invite.ts';
import { load, loadStream } from './load.ts';
import { type Progress, untilShown } from './untilShown.ts';

type Ports = IdentityPorts &
  Readonly<{
    finish: Finish;
    /** Disables a user, whoever it is. */
    disableAgain(userId: string, context: Context): Promise<void>;
    /** The invitations of a user, and those of an e-mail, as the read model has them. */
    invitationsOf(userId: string, email: string): Promise<readonly string[]>;
    progress: Progress;
    destroyKey(subject: string, eventId: string): Promise<void>;
  }>;

/** See `redactPeople`. */
export type RedactPeople = ReturnType<typeof redactPeople>;

type UserRedacted = Recorded<EventOf<UserEvent, 'UserRedacted'>>;
type InvitationRedacted = Recorded<EventOf<InvitationEvent, 'InvitationRedacted'>>;

/**
 * Redaction of people and of invitations. The event is the promise: from it on nothing private is shown. Then
 * come the steps that `forgetUser` and `forgetInvitation` do, which are harmless when they are repeated.
 */
export const redactPeople = (ports: Ports) => {
  const { log, identity, handle, emailIdOf, destroyKey } = ports;

  /** Removes what is private of an invitation whose redaction the log has. */
  const forgetInvitation = async (invitationId: string): Promise<void> => {
    const { events } = await log.load(invitationStream(invitationId));
    const redacted = events.find(({ type }) => type === 'InvitationRedacted') as
      | InvitationRedacted
      | undefined;
    if (!redacted) return;
    await identity.forgetOffers(invitationId);
    await destroyKey(invitationId, redacted.id);
  };

  const redactKnown = async (invitationId: string, basis: Basis, context: Context): Promise<Position> => {
    // Its user may still be to come, and needs the e-mail.
    await ports.finish(invitationId, context);
    const found = await load(log, invitation, invitationStream(invitationId));
    if (found && found.email !== REDACTED) await identity.forgetInvitee(emailIdOf(found.email), invitationId);
    const at = ports.clock.now().toISOString();
    const command = { type: 'RedactInvitation', ...basis, at, isOpen: false } as const;
    const { position } = await handle(invitation, invitationStream(invitationId), command, context);
    await forgetInvitation(invitationId);
    return position;
  };

  /**
   * Removes what is private of a user whose redaction the log has, and lets the e-mail and the account at the
   * identity provider be another user's. Gives the position of the last event.
   */
  const forgetUser = async (userId: string, context: Context): Promise<Position | null> => {
    const { state, stream } = await loadStream(log, user, userStream(userId));
    const redacted = stream.events.find(({ type }) => type === 'UserRedacted') as UserRedacted | undefined;
    if (!state || !redacted) return null;
    const { emailId, invitationIds, reason, legalBasis, requestedBy } = redacted.data;
    const positions: Position[] = [redacted.position];
    for (const id of invitationIds) {
      const invited = await load(log, invitation, invitationStream(id));
      // Another company learns neither who asked for it, nor why.
      const isOwn = invited?.companyId === state.companyId;
      const stated = isOwn ? { reason, legalBasis, requestedBy } : withItsPerson;
      positions.push(await redactKnown(id, stated, isOwn ? context : { ...context, actor: redactor }));
    }
    await identity.changeUser(userId, (row) =>
      row.passwordHash === null ? null : { ...row, passwordHash: null },
    );
    await identity.removeSessions(userId);
    if (state.subjectId) await identity.releaseSubject(state.subjectId, userId);
    await destroyKey(userId, redacted.id);
    if (emailId !== null) {
      // The pointer first: whoever claims the e-mail then makes a new one.
      await identity.releaseEmail(emailId, userId);
      const release = { type: 'ReleaseEmail', userId } as const;
      positions.push((await handle(userEmail, userEmailStream(emailId), release, context)).position);
    }
    return positions.sort().at(-1) ?? null;
  };

  /** The invitations of a user's e-mail. Nobody invites it before it is released. */
  const invitationsOf = async ({ userId, email }: User): Promise<readonly string[]> => {
    const waits = 'a redaction waits until the read models show who was invited';
    await untilShown(ports.progress, await log.head(), waits);
    return ports.invitationsOf(userId, email);
  };

  /** The e-mail, as an HMAC, of a user whose key is gone, but whose redaction the log has not. */
  const claimed = async ({ userId, redacted }: User): Promise<string | null> =>
    redacted ? null : emailClaimedBy(log, userId);

  const redact = async (
    state: User,
    invitationIds: readonly string[],
    basis: Basis,
    context: Context,
  ): Promise<Position> => {
    const { userId, email } = state;
    const emailId = email === REDACTED ? await claimed(state) : emailIdOf(email);
    const command = { type: 'RedactUser', ...basis, emailId, invitationIds } as const;
    const { position } = await handle(user, userStream(userId), command, context);
    return (await forgetUser(userId, context)) ?? position;
  };

  return {
    forgetUser,
    forgetInvitation,

    /**
     * Redacts a disabled user, and the invitations of the e-mail; may be repeated. Throws `UserNotFound`,
     * `UserNotDisabled`, `StoreUnavailable`.
     */
    redactUser: async (userId: string, basis: Basis, context: Context): Promise<Position> => {
      const state = present(await load(log, user, userStream(userId)));
      // Throws what the decision will throw, before the invitations are looked for.
      user.decide({ type: 'RedactUser', ...basis, emailId: null, invitationIds: [] }, state);
      return redact(state, state.redacted ? [] : await invitationsOf(state), basis, context);
    },

    /**
     * Redacts an invitation that can't be used any more; may be repeated. Throws `InvitationNotFound`,
     * `InvitationOpen`.
     */
    redactInvitation: async (invitationId: string, basis: Basis, context: Context): Promise<Position> => {
      const found = await load(log, invitation, invitationStream(invitationId));
      const isOpen = found !== null && (await whyUnusable(ports, found)) === null;
      // Throws what the decision will throw, before anything is changed.
      invitation.decide(
        { type: 'RedactInvitation', ...basis, at: ports.clock.now().toISOString(), isOpen },
        found,
      );
      return redactKnown(invitationId, basis, context);
    },

    /** Redacts a user of whose redaction a restored log knows nothing any longer. */
    redactUserAgain: async (userId: string, context: Context): Promise<Requested> => {
      const state = await load(log, user, userStream(userId));
      if (state === null) return 'unknown';
      if (!state.disabled) await ports.disableAgain(userId, context);
      // Each invitation has an entry of its own in the ledger.
      await redact(state, [], redactedBefore, context);
      return state.redacted ? 'there' : 'requested';
    },

    /** The same of an invitation. */
    redactInvitationAgain: async (invitationId: string, context: Context): Promise<Requested> => {
      const state = await load(log, invitation, invitationStream(invitationId));
      if (state === null) return 'unknown';
      await redactKnown(invitationId, redactedBefore, context);
      return state.redacted ? 'there' : 'requested';
    },
  };
};
