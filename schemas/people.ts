import {
  closed,
  example,
  id,
  Mode,
  meaning,
  nullable,
  type Of,
  oneOf,
  optional,
  pageOf,
  seldom,
  Time,
  Type,
  text,
  time,
  times,
} from '../kernel/schema.ts';
import { Email, EmailOfPerson, InvitationEnd, NameOfPerson, Role, TOKEN } from './identity.ts';

const office = { role: Role, companyId: nullable(id('cmp')) };

/** A user. Times in UTC. */
export const Person = Type.Object({
  id: id('usr'),
  email: EmailOfPerson,
  name: NameOfPerson,
  ...office,
  createdAt: example(Time, times.made),
  lastLogInAt: nullable(Time),
  disabledAt: seldom(Time),
  resetAt: seldom(time('when the password was removed; null while there is one')),
  awaits: nullable(text('the invitation by which a new password may be chosen')),
  boundAt: seldom(time('since when the user is bound to an account of the identity provider')),
});

/** Users (people-14). */
export const People = pageOf(Person);

export type People = Of<typeof People>;

export const PersonName = Type.Object({ id: id('usr'), name: NameOfPerson });

/** Names by identifier, in the order asked for; without those that are not there (people-18). */
export const Names = pageOf(PersonName);
export type Names = Of<typeof Names>;

/** A live key of a person who is disabled, or may make it no more. */
export const KeyLeft = Type.Object({
  id: id('key'),
  name: nullable(example(Type.String(), 'ERP')),
  companyId: nullable(id('cmp')),
  mode: Mode,
  lastUsedAt: nullable(Time),
});
export type KeyLeft = Of<typeof KeyLeft>;

const keysLeft = (which: string) =>
  Type.Array(KeyLeft, {
    description: `${which}, which go on until they are revoked: newest first, at most 100 (people-22)`,
  });

export const PersonDisabled = Type.Object({
  id: id('usr'),
  disabledAt: Time,
  keys: keysLeft('the live keys that the person made'),
});
export const PersonEnabled = Type.Object({ id: id('usr'), disabledAt: seldom(Time) });

const companyToBe = optional(meaning(id('cmp'), 'the caller’s or the person’s own by default'));

/** `companyId` is needed where a super_admin becomes a person of a company. */
export const ChangeRole = closed({ role: Role, companyId: companyToBe });
export const RoleChanged = Type.Object({
  id: id('usr'),
  ...office,
  keys: keysLeft('the live keys that the person made, and may make no more'),
});

const token = {
  mailed: Type.Boolean({
    description: 'whether the link is sent by mail; the list says how that goes',
    examples: [false],
  }),
  token: nullable(text('the token, once; null where it is mailed', TOKEN)),
  url: nullable(
    text(
      'the page where the person accepts it, once; null where it is mailed',
      `https://intake.example.com/invite#token=${TOKEN}`,
    ),
  ),
  expiresAt: InvitationEnd,
};

/** The invitation by which a new password is chosen. */
export const PersonReset = Type.Object({ id: id('usr'), invitationId: id('inv'), ...token });
export type PersonReset = Of<typeof PersonReset>;

/** `companyId` is needed where the caller acts for no company and the role has one. */
export const InvitationRequest = closed({ email: Email, role: Role, companyId: companyToBe });
export const InvitationMade = Type.Object({ id: id('inv'), email: Email, ...office, ...token });
export type InvitationMade = Of<typeof InvitationMade>;

/** How mailing a link goes; null where the token was shown. */
export const InvitationMail = Type.Object({
  attempts: Type.Integer(),
  mailedAt: nullable(Time),
  error: nullable(text('of the last attempt')),
  nextAttemptAt: nullable(time('null when no attempt is to come')),
});

export const InvitationProgress = oneOf(['open', 'consumed', 'expired', 'revoked']);

/** An invitation without its token. */
export const Invitation = Type.Object({
  id: id('inv'),
  email: EmailOfPerson,
  ...office,
  userId: seldom(meaning(id('usr'), 'whom it has made, or whose password it resets')),
  state: InvitationProgress,
  createdAt: Time,
  expiresAt: InvitationEnd,
  acceptedAt: seldom(Time),
  revokedAt: seldom(Time),
  mail: nullable(InvitationMail),
});

/** Invitations without their tokens (people-15). */
export const Invitations = pageOf(Invitation);

export type Invitations = Of<typeof Invitations>;

export const InvitationRevoked = Type.Object({ id: id('inv'), revoked: Type.Boolean() });

/** POST …/redact of a person or an invitation (person-redaction-1, person-redaction-5). */
export const PersonRedacted = Type.Object({ id: id('usr'), redacted: Type.Boolean() });
export const InvitationRedacted = Type.Object({ id: id('inv'), redacted: Type.Boolean() });
