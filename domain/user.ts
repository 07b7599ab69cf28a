import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import { type EventOf, reveal } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, nullable, oneOf, privatePart, Type, text } from '../kernel/schema.ts';
import { type Office, roles } from '../kernel/scope.ts';

/** The stream of a user: `user-<ulid>`. The password's hash is in the table `users`. */
export const userStream = (userId: string): string => `user-${userId.slice(4)}`;

/** An org_admin has one company, a super_admin none. Throws `RoleNeedsCompany`, `RoleTakesNoCompany`. */
export const requireOffice = ({ role, companyId }: Office): void => {
  if (role === 'org_admin' && companyId === null)
    throw new DomainError('RoleNeedsCompany', 'An org_admin needs a company.');
  if (role === 'super_admin' && companyId !== null)
    throw new DomainError('RoleTakesNoCompany', 'A super_admin is of no company: all are open to that role.');
};

/** An administrator's role and company, as events carry them. */
export const office = {
  role: oneOf(roles),
  companyId: nullable(text('whose company; null for a super_admin')),
};
const userId = Type.String();
const invitationId = text('the invitation by which the password is chosen');

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
  UserDisabled: { about: 'The user was disabled, and all sessions ended.', data: closed({ userId }) },
  UserPasswordReset: {
    about: 'The password was removed, and an invitation created to choose a new one.',
    data: closed({
      userId,
      invitationId,
      enabled: Type.Boolean({ description: 'whether the user was disabled, and no longer is' }),
    }),
  },
  UserPasswordChosen: { about: 'The user chose a new password.', data: closed({ userId, invitationId }) },
} as const satisfies EventDefinitions;

export type UserEvent = EventsOf<typeof events>;

/**
 * `passwordBy`: the invitation by which the last password was chosen; `awaits`: the one by which the next may
 * be, if any.
 */
export type User = Office &
  Readonly<{
    userId: string;
    email: string;
    disabled: boolean;
    passwordBy: string;
    awaits: string | null;
  }>;

type CreateUser = Omit<EventOf<UserEvent, 'UserCreated'>['data'], 'private'> &
  Readonly<{ name: string | null; email: string }>;

const evolve = evolveBy<User | null, UserEvent>({
  UserCreated: (_state, { userId, role, companyId, invitationId, private: part }) => {
    const email = reveal(part, 'email');
    return { userId, role, companyId, email, disabled: false, passwordBy: invitationId, awaits: null };
  },
  UserDisabled: (state) => state && { ...state, disabled: true, awaits: null },
  UserPasswordReset: (state, { invitationId }) =>
    state && { ...state, disabled: false, awaits: invitationId },
  UserPasswordChosen: (state, { invitationId }) =>
    state && { ...state, passwordBy: invitationId, awaits: null },
});

const decisions = {
  CreateUser: ({ name, email, ...facts }: CreateUser, state) =>
    state ? [] : [{ type: 'UserCreated', data: { ...facts, private: { email, name } } }],
  DisableUser: (_input, state) => {
    const { userId, disabled } = present(state);
    return disabled ? [] : [{ type: 'UserDisabled', data: { userId } }];
  },
  ResetPassword: ({ invitationId, enable }: Readonly<{ invitationId: string; enable: boolean }>, state) => {
    const { userId, disabled } = present(state);
    if (disabled && !enable) throw new DomainError('UserIsDisabled', 'The user is disabled.');
    return [{ type: 'UserPasswordReset', data: { userId, invitationId, enabled: disabled } }];
  },
  ChoosePassword: ({ invitationId }: Readonly<{ invitationId: string }>, state) => {
    const { userId, awaits } = present(state);
    return awaits === invitationId ? [{ type: 'UserPasswordChosen', data: { userId, invitationId } }] : [];
  },
} satisfies Decisions<User | null, UserEvent>;

/** The user, if there is one. Throws `UserNotFound`. */
export const present = (state: User | null): User => {
  if (state === null) throw new DomainError('UserNotFound', 'There is no such user.');
  return state;
};

/** An administrator's life. Creating or disabling a user again is no fault. */
export const user: Decider<User | null, CommandOf<typeof decisions>, UserEvent> = {
  category: 'user-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: ({ data }) => data.userId,
};

/**
 * Whether this administrator may create a key of that company (null: unscoped; keys-7). Throws
 * `KeyNeedsCompany`, `KeyOutsideCompany`.
 */
export const requireMayCreateKey = ({ role, companyId }: Office, keyCompanyId: string | null): void => {
  if (role === 'super_admin') return;
  if (keyCompanyId === null)
    throw new DomainError('KeyNeedsCompany', 'An org_admin must give a company to each key.');
  if (keyCompanyId !== companyId)
    throw new DomainError('KeyOutsideCompany', `An org_admin may make keys of the own company only.`);
};
