import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { type EventOf, REDACTED, reveal } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { pick } from '../kernel/pick.ts';
import { closed, meaning, nullable, oneOf, privatePart, Type, text } from '../kernel/schema.ts';
import { type Office, roles } from '../kernel/scope.ts';
import { type Basis, basis } from './redactionBasis.ts';

/** The stream of a user: `user-<ulid>`. The password's hash is in the table `users`. */
export const userStream = (userId: string): string => `user-${userId.slice(4)}`;

/** A super_admin has no company, everybody else has one. Throws `RoleNeedsCompany`, `RoleTakesNoCompany`. */
export const requireOffice = ({ role, companyId }: Office): void => {
  if (role === 'super_admin' && companyId !== null)
    throw new DomainError('RoleTakesNoCompany', 'A super_admin is of no company: all are open to that role.');
  if (role !== 'super_admin' && companyId === null)
    throw new DomainError('RoleNeedsCompany', `The role ${role} needs a company.`);
};

/** A person's role and company, as events carry them. */
export const office = {
  role: oneOf(roles),
  companyId: nullable(text('whose company; null for a super_admin')),
};
const userId = Type.String();
// Absent from events that are older than the activity of a company (docs/decisions/0068-activity.md).
const ofUser = { userId, companyId: Type.Optional(office.companyId) };
const invitationId = text('the invitation by which the password is chosen');
const subjectId = text('an HMAC of the issuer and the subject, which names the account there');

// No password, and no hash of one, is in any event.
const events = {
  UserCreated: {
    about: 'An invited person became a user.',
    data: closed({
      ...office,
      userId,
      invitationId,
      private: privatePart({ email: Type.String(), name: nullable(Type.String()) }),
    }),
  },
  UserDisabled: { about: 'The user was disabled, and all sessions ended.', data: closed(ofUser) },
  UserEnabled: { about: 'The user was enabled again, with the same password.', data: closed(ofUser) },
  UserRoleChanged: {
    about: 'The role was changed, also in sessions that were open.',
    data: closed({
      ...office,
      userId,
      from: meaning(closed(office), 'what it was before'),
      by: meaning(oneOf(['administrator', 'mapping']), 'a person or operator; the company’s log-in settings'),
    }),
  },
  UserPasswordReset: {
    about:
      'The password was removed, and what bound the user to an identity provider, and an invitation created to choose a new password.',
    data: closed({
      ...ofUser,
      invitationId,
      enabled: Type.Boolean({ description: 'whether the user was disabled, and no longer is' }),
    }),
  },
  UserPasswordChosen: { about: 'The user chose a new password.', data: closed({ ...ofUser, invitationId }) },
  UserPasswordChanged: {
    about: 'The user changed the own password, and all other sessions ended.',
    data: closed(ofUser),
  },
  UserIdentityBound: {
    about:
      'The user logged in by an identity provider for the first time, and is that account’s from now on.',
    data: closed({ ...ofUser, issuer: text('the provider’s own address'), subjectId }),
  },
  UserRedacted: {
    about:
      'What is private of the disabled user is removed for ever, and the invitations of the e-mail with it. From here on nothing of it is shown.',
    redacts: true,
    data: closed({
      userId,
      companyId: office.companyId,
      ...basis,
      emailId: nullable(text('an HMAC of the e-mail, which may be invited anew; null where it was gone')),
      invitationIds: Type.Array(Type.String(), { description: 'the invitations of the e-mail' }),
    }),
  },
} as const satisfies EventDefinitions;

export type UserEvent = EventsOf<typeof events>;

/**
 * `passwordBy`: the invitation by which the last password was chosen; `awaits`: the one by which the next may
 * be, if any. `subjectId`: the account at an identity provider that the user is bound to.
 */
export type User = Office &
  Readonly<{
    userId: string;
    email: string;
    disabled: boolean;
    passwordBy: string;
    awaits: string | null;
    subjectId: string | null;
    redacted: boolean;
  }>;

/** A role to change to, and who decides so. */
export type RoleChange = Office & Pick<EventOf<UserEvent, 'UserRoleChanged'>['data'], 'by'>;

type CreateUser = Omit<EventOf<UserEvent, 'UserCreated'>['data'], 'private'> &
  Readonly<{ name: string | null; email: string }>;

type Redact = Basis & Readonly<{ emailId: string | null; invitationIds: readonly string[] }>;

type Identity = Omit<EventOf<UserEvent, 'UserIdentityBound'>['data'], 'userId' | 'companyId'>;

const evolve = evolveBy<User | null, UserEvent>({
  UserCreated: (_state, { userId, role, companyId, invitationId, private: part }) => {
    const email = reveal(part, 'email');
    const open = { disabled: false, passwordBy: invitationId, awaits: null, subjectId: null };
    return { userId, role, companyId, email, ...open, redacted: false };
  },
  UserDisabled: (state) => state && { ...state, disabled: true, awaits: null },
  UserEnabled: (state) => state && { ...state, disabled: false },
  UserRoleChanged: (state, { role, companyId }) => state && { ...state, role, companyId },
  UserPasswordReset: (state, { invitationId }) =>
    state && { ...state, disabled: false, awaits: invitationId, subjectId: null },
  UserPasswordChosen: (state, { invitationId }) =>
    state && { ...state, passwordBy: invitationId, awaits: null },
  UserPasswordChanged: (state) => state,
  UserIdentityBound: (state, { subjectId }) => state && { ...state, subjectId },
  UserRedacted: (state) => state && { ...state, email: REDACTED, redacted: true },
});

const KEEPS_COMPANY = { errors: [{ pointer: '/companyId', detail: 'must be the person’s own company' }] };

const decisions = {
  CreateUser: ({ name, email, ...facts }: CreateUser, state) =>
    state ? [] : [{ type: 'UserCreated', data: { ...facts, private: { email, name } } }],
  DisableUser: (_input, state) => {
    const { disabled, ...found } = present(state);
    return disabled ? [] : [{ type: 'UserDisabled', data: named(found) }];
  },
  EnableUser: (_input, state) => {
    const { disabled, ...found } = known(state);
    return disabled ? [{ type: 'UserEnabled', data: named(found) }] : [];
  },
  ChangeRole: ({ by, ...next }: RoleChange, state) => {
    const { userId, role, companyId } = known(state);
    requireOffice(next);
    if (next.role === role && next.companyId === companyId) return [];
    // A company says nothing of who has left it.
    if (by === 'mapping' && next.companyId !== companyId) return [];
    if (companyId !== null && next.companyId !== null && next.companyId !== companyId)
      throw new DomainError('RoleKeepsCompany', 'Nobody changes from one company to another.', KEEPS_COMPANY);
    return [{ type: 'UserRoleChanged', data: { ...next, userId, from: { role, companyId }, by } }];
  },
  ResetPassword: ({ invitationId, enable }: Readonly<{ invitationId: string; enable: boolean }>, state) => {
    const { disabled, ...found } = known(state);
    if (disabled && !enable) throw new DomainError('UserIsDisabled', 'The user is disabled.');
    return [{ type: 'UserPasswordReset', data: { ...named(found), invitationId, enabled: disabled } }];
  },
  ChoosePassword: ({ invitationId }: Readonly<{ invitationId: string }>, state) => {
    const { awaits, ...found } = present(state);
    if (awaits !== invitationId) return [];
    return [{ type: 'UserPasswordChosen', data: { ...named(found), invitationId } }];
  },
  ChangePassword: (_input, state) => [{ type: 'UserPasswordChanged', data: named(present(state)) }],
  BindIdentity: ({ issuer, subjectId }: Identity, state) => {
    const { subjectId: bound, redacted, ...found } = present(state);
    if (bound === subjectId) return [];
    if (bound !== null || redacted)
      throw new DomainError('IdentityBound', 'The user is bound to another account.');
    return [{ type: 'UserIdentityBound', data: { ...named(found), issuer, subjectId } }];
  },
  /** Nothing when the user was redacted before. Who must be disabled is neither oneself nor the last one. */
  RedactUser: (facts: Redact, state) => {
    const { disabled, redacted, ...found } = present(state);
    if (redacted) return [];
    if (!disabled) throw new DomainError('UserNotDisabled', 'Only a disabled person can be redacted.');
    return [{ type: 'UserRedacted', data: { ...named(found), ...facts } }];
  },
} satisfies Decisions<User | null, UserEvent>;

const named = (state: Pick<User, 'userId' | 'companyId'>) => pick(state, 'userId', 'companyId');

/** The user, if there is one. Throws `UserNotFound`. */
export const present = (state: User | null): User => {
  if (state === null) throw new DomainError('UserNotFound', 'There is no such user.');
  return state;
};

/** The same, of one who is not redacted. Throws `UserRedacted`, too. */
const known = (state: User | null): User => {
  const found = present(state);
  if (found.redacted) throw new DomainError('UserRedacted', 'The user is redacted.');
  return found;
};

/** A person's life as a user. Creating, disabling or enabling a user again is no fault. */
export const user: Decider<User | null, CommandOf<typeof decisions>, UserEvent> = {
  category: 'user-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: ({ data }) => data.userId,
};
