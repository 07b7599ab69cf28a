import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { type EventOf, REDACTED, reveal } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, nullable, privatePart, Type, text, time, whole } from '../kernel/schema.ts';
import { type Basis, basis } from './redactionBasis.ts';
import { office, requireOffice } from './user.ts';

/** The stream of an invitation: `invitation-<ulid>`. Its token's hash is in the table `invitations`. */
export const invitationStream = (invitationId: string): string => `invitation-${invitationId.slice(4)}`;

/** How many hours an invitation may be used (invitations-1). */
export const INVITATION_HOURS = 72;
/** The same in milliseconds. */
export const INVITATION_MS = INVITATION_HOURS * 3_600_000;

const invitationId = Type.String();
const attempt = whole('the attempt, from 1');

// The token is in no event.
const events = {
  UserInvited: {
    about: 'A person was invited to become a user, or a user to choose a new password.',
    data: closed({
      ...office,
      invitationId,
      userId: nullable(text('who is to choose a new password; null for somebody who is no user yet')),
      expiresAt: time('until when it can be used'),
      byMail: Type.Optional(
        Type.Literal(true, { description: 'its link is sent by mail; absent where its token was shown' }),
      ),
      private: privatePart({ email: Type.String() }),
    }),
  },
  InvitationAccepted: {
    about:
      'It was used, by its token or by a log-in with its e-mail. The user is created, or gets the new password, as a consequence.',
    data: closed({
      invitationId,
      userId: Type.String(),
      offerId: text('the row that keeps the hash of the password that was chosen, if one was'),
      private: privatePart({ name: nullable(Type.String()) }),
    }),
  },
  InvitationRevoked: {
    about: 'It was revoked.',
    // Absent from events that are older than the activity of a company (docs/decisions/0068-activity.md).
    data: closed({ invitationId, companyId: Type.Optional(office.companyId) }),
  },
  InvitationMailed: {
    about: 'The mail server has accepted the mail with its link.',
    data: closed({ invitationId, attempt }),
  },
  InvitationMailFailed: {
    about: 'An attempt to mail its link failed.',
    data: closed({
      invitationId,
      attempt,
      error: text('what was wrong, without any address'),
      nextAttemptAt: nullable(time('when the next attempt is due; null when it was given up')),
    }),
  },
  InvitationRedacted: {
    about: 'What is private of it is removed for ever, alone or with its user. It is used no more.',
    redacts: true,
    data: closed({ invitationId, companyId: office.companyId, ...basis }),
  },
} as const satisfies EventDefinitions;

export type InvitationEvent = EventsOf<typeof events>;
export type InvitationAccepted = EventOf<InvitationEvent, 'InvitationAccepted'>;
export type InvitationMailFailed = EventOf<InvitationEvent, 'InvitationMailFailed'>;

type Facts = Omit<EventOf<InvitationEvent, 'UserInvited'>['data'], 'private'>;
type Acceptance = Readonly<{ userId: string; offerId: string; name: string | null }>;
/** Attempts to mail a link, and whether one more is to come. */
type Mailing = Readonly<{ attempts: number; isPending: boolean }>;

/** `mailing`: null where its token was shown. */
export type Invitation = Omit<Facts, 'byMail'> &
  Readonly<{
    email: string;
    accepted: Acceptance | null;
    revoked: boolean;
    mailing: Mailing | null;
    redacted: boolean;
  }>;

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
  UserInvited: (_state, { private: part, byMail = false, ...facts }) => ({
    ...facts,
    email: reveal(part, 'email'),
    accepted: null,
    revoked: false,
    mailing: byMail ? { attempts: 0, isPending: true } : null,
    redacted: false,
  }),
  InvitationAccepted: (state, { userId, offerId, private: part }) =>
    state && { ...state, accepted: { userId, offerId, name: reveal(part, 'name') } },
  InvitationRevoked: (state) => state && { ...state, revoked: true },
  InvitationMailed: (state, { attempt: attempts }) =>
    state && { ...state, mailing: { attempts, isPending: false } },
  InvitationMailFailed: (state, { attempt: attempts, nextAttemptAt }) =>
    state && { ...state, mailing: { attempts, isPending: nextAttemptAt !== null } },
  InvitationRedacted: (state) =>
    state && {
      ...state,
      email: REDACTED,
      accepted: state.accepted && { ...state.accepted, name: REDACTED },
      redacted: true,
    },
});

const present = (state: Invitation | null): Invitation => {
  if (state === null) throw new DomainError('InvitationNotFound', 'There is no such invitation.');
  return state;
};

/** Whether this attempt to mail the link is the next one: it is not recorded yet. */
const awaitsMail = (state: Invitation | null, attempt: number): state is Invitation =>
  state?.mailing?.isPending === true && state.mailing.attempts + 1 === attempt;

/**
 * The same, and whether it is to be made: an invitation that was used or revoked is mailed no more (mails-4).
 */
export const isToBeMailed = (state: Invitation | null, attempt: number): state is Invitation =>
  awaitsMail(state, attempt) && state.accepted === null && !state.revoked;

/** Whether a mail may still be of use at this time. */
const isMailable = ({ accepted, revoked, expiresAt }: Invitation, at: string): boolean =>
  accepted === null && !revoked && at < expiresAt;

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
    const { invitationId, companyId, accepted, revoked } = present(state);
    if (accepted) throw refusalOf('consumed');
    return revoked ? [] : [{ type: 'InvitationRevoked', data: { invitationId, companyId } }];
  },
  /** `isOpen`: it can still be used. Nothing when it was redacted before. */
  RedactInvitation: ({ at, isOpen, ...facts }: Basis & Readonly<{ at: string; isOpen: boolean }>, state) => {
    const { invitationId, companyId, redacted, accepted, revoked, expiresAt } = present(state);
    if (redacted) return [];
    if (isOpen) throw new DomainError('InvitationOpen', 'The invitation can still be used.');
    return [
      ...(accepted || revoked || at >= expiresAt
        ? []
        : [{ type: 'InvitationRevoked', data: { invitationId, companyId } } as const]),
      { type: 'InvitationRedacted', data: { invitationId, companyId, ...facts } },
    ];
  },
  RecordMail: ({ attempt }: Readonly<{ attempt: number }>, state) =>
    awaitsMail(state, attempt)
      ? [{ type: 'InvitationMailed', data: { invitationId: state.invitationId, attempt } }]
      : [],
  RecordMailFailure: (
    { nextAttemptAt: next, ...failed }: Omit<InvitationMailFailed['data'], 'invitationId'>,
    state,
  ) => {
    if (!awaitsMail(state, failed.attempt)) return [];
    const { invitationId } = state;
    // No attempt comes after its end (mails-3).
    const nextAttemptAt = next !== null && isMailable(state, next) ? next : null;
    return [{ type: 'InvitationMailFailed', data: { invitationId, ...failed, nextAttemptAt } }];
  },
} satisfies Decisions<Invitation | null, InvitationEvent>;

/**
 * An invitation to become a user, or to choose a new password: used once at most (invitations-8). Its link is
 * shown, or mailed.
 */
export const invitation: Decider<Invitation | null, CommandOf<typeof decisions>, InvitationEvent> = {
  category: 'invitation-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: ({ data }) => data.invitationId,
};
