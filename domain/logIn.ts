import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import type { Decider } from '../kernel/decider.ts';
import type { EventOf } from '../kernel/event.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { pick } from '../kernel/pick.ts';
import { closed, nullable, type Of, oneOf, privatePart, Type, text, time } from '../kernel/schema.ts';

/** The stream of a log-in, which begins a session or fails: `logIn-<ulid>`. */
export const logInStream = (sessionId: string): string => `logIn-${sessionId.slice(4)}`;

/** How somebody proves who they are. */
const LogInMethod = oneOf(['password', 'oidc']);
/**
 * Why a user is refused. `role`: no claim gives one, or who has it may not log in by password; `subject`:
 * another account of the identity provider is bound.
 */
const LogInRefusal = oneOf(['password', 'disabled', 'role', 'subject']);
export type LogInRefusal = Of<typeof LogInRefusal>;

const sessionId = text('of the session that began, or would have begun');
const userId = Type.String();
const companyId = nullable(text('the user’s company; null for a super_admin'));
const attempt = {
  sessionId,
  userId,
  companyId,
  method: LogInMethod,
  private: privatePart({ address: text('the client’s network address') }),
};

// The session's token is in no event.
const events = {
  UserLoggedIn: {
    about: 'A user logged in: a session began.',
    data: closed({ ...attempt, expiresAt: time('when it ends at the latest') }),
  },
  UserLogInFailed: {
    about: 'Somebody tried to log in as this user, and was refused.',
    data: closed({ ...attempt, reason: LogInRefusal }),
  },
  UserLoggedOut: {
    about: 'The session was ended before its time.',
    data: closed({ sessionId, userId, companyId }),
  },
} as const satisfies EventDefinitions;

export type LogInEvent = EventsOf<typeof events>;
type LogIn = Readonly<{ sessionId: string; userId: string; companyId: string | null; ended: boolean }>;

type Attempt<T extends 'UserLoggedIn' | 'UserLogInFailed'> = Omit<EventOf<LogInEvent, T>['data'], 'private'> &
  Readonly<{ address: string }>;

const evolve = evolveBy<LogIn | null, LogInEvent>({
  UserLoggedIn: (_state, data) => ({ ...pick(data, 'sessionId', 'userId', 'companyId'), ended: false }),
  UserLogInFailed: (_state, data) => ({ ...pick(data, 'sessionId', 'userId', 'companyId'), ended: true }),
  UserLoggedOut: (state) => state && { ...state, ended: true },
});

const decisions = {
  RecordLogIn: ({ address, ...facts }: Attempt<'UserLoggedIn'>, state) =>
    state ? [] : [{ type: 'UserLoggedIn', data: { ...facts, private: { address } } }],
  RecordFailedLogIn: ({ address, ...facts }: Attempt<'UserLogInFailed'>, state) =>
    state ? [] : [{ type: 'UserLogInFailed', data: { ...facts, private: { address } } }],
  LogOut: (_input, state) => {
    if (state === null || state.ended) return [];
    const { ended: _, ...data } = state;
    return [{ type: 'UserLoggedOut', data }];
  },
} satisfies Decisions<LogIn | null, LogInEvent>;

/** One log-in. Recording it, or its end, again is no fault. */
export const logIn: Decider<LogIn | null, CommandOf<typeof decisions>, LogInEvent> = {
  category: 'logIn-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: ({ data }) => data.userId,
};
