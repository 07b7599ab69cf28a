import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { type EventOf, REDACTED, reveal } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, nullable, privatePart, Type, text, time } from '../kernel/schema.ts';
import { office, requireOffice } from './user.ts';

/** The stream of an invitation: `invitation-<ulid>`. Its token's hash is in the table `invitations`. */
export const invitationStream = (invitationId: string): string => `invitation-${invitationId.slice(4)}`;

/** How long an invitation may be used, in milliseconds (invitations-1). */
export const INVITATION_MS = 72 * 3_600_000;

const invitationId = Type.String();

// The token is in no event.
const events = {
  UserInvited: {
    about: 'A person was invited to become a user, or a user to choose a new password.',
    data: closed({
      ...office,
      invitationId,
      userId: nullable(text('who is to choose a new password; null for somebody who is no user yet')),
      expiresAt: time('until when it can be used'),
      private: privatePart({ email: Type.String() }),
    }),
  },
  InvitationAccepted: {
    about: 'It was used. The user is created, or gets the new password, as a consequence.',
    data: closed({
      invitationId,
      userId: Type.String(),
      offerId: text('the row that keeps the hash of the password that was chosen'),
      private: privatePart({ name: nullable(Type.String()) }),
    }),
  },
  InvitationRevoked: { about: 'It was revoked.', data: closed({ invitationId }) },
} as const satisfies EventDefinitions;

export type InvitationEvent = EventsOf<typeof events>;
export type InvitationAccepted = EventOf<InvitationEvent, 'InvitationAccepted'>;

type Facts = Omit<EventOf<InvitationEvent, 'UserInvited'>['data'], 'private'>;
type Acceptance = Readonly<{ userId: string; offerId: string; name: string | null }>;
export type Invitation = Facts & Readonly<{ email: string; accepted: Acceptance | null; revoked: boolean }>;

/** Why an invitation can't be used, null when it can; always judged in this order (invitations-3). */
export const reasonOf = (state: Invitation | null, at: string): 'invalid' | 'consumed' | 'expired' | null => {
  // Without the address that it was sent to nobody can become a user.
  if (state === null || state.revoked || state.email === REDACTED) return 'invalid';
  if (state.accepted) return 'consumed';
  return at >= state.expiresAt ? 'expired' : null;
};

const refusals = {
  invalid: () => new DomainError('InvitationInvalid', 'There is no such invitation.'),
  consumed: () => new DomainError('InvitationConsumed', 'The invitation has been used.'),
  expired: () => new DomainError('InvitationExpired', 'The invitation has expired.'),
};

/** The rule that this reason breaks. */
export const refusalOf = (reason: keyof typeof refusals): DomainError => refusals[reason]();

const evolve = evolveBy<Invitation | null, InvitationEvent>({
  UserInvited: (_state, { private: part, ...facts }) => ({
    ...facts,
    email: reveal(part, 'email'),
    accepted: null,
    revoked: false,
  }),
  InvitationAccepted: (state, { userId, offerId, private: part }) =>
    state && { ...state, accepted: { userId, offerId, name: reveal(part, 'name') } },
  InvitationRevoked: (state) => state && { ...state, revoked: true },
});

const decisions = {
  InviteUser: ({ email, ...facts }: Facts & Readonly<{ email: string }>, state) => {
    if (state) throw new DomainError('InvitationExists', 'There is an invitation of that identifier.');
    requireOffice(facts);
    return [{ type: 'UserInvited', data: { ...facts, private: { email } } }];
  },
  AcceptInvitation: ({ at, userId, offerId, name }: Acceptance & Readonly<{ at: string }>, state) => {
    const reason = reasonOf(state, at);
    if (state === null || reason !== null) throw refusalOf(reason ?? 'invalid');
    const { invitationId } = state;
    return [{ type: 'InvitationAccepted', data: { invitationId, userId, offerId, private: { name } } }];
  },
  RevokeInvitation: (_input, state) => {
    if (!state) throw new DomainError('InvitationNotFound', 'There is no such invitation.');
    if (state.accepted) throw refusalOf('consumed');
    const { invitationId } = state;
    return state.revoked ? [] : [{ type: 'InvitationRevoked', data: { invitationId } }];
  },
} satisfies Decisions<Invitation | null, InvitationEvent>;

/** An invitation to become a user, or to choose a new password: used once at most (invitations-8). */
export const invitation: Decider<Invitation | null, CommandOf<typeof decisions>, InvitationEvent> = {
  category: 'invitation-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: ({ data }) => data.invitationId,
};
