import { type CommandOf, type Decisions, decideBy, evolveBy } from '../kernel/byType.ts';
import { type Decider, DomainError } from '../kernel/decider.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, Type } from '../kernel/schema.ts';

/**
 * The stream that makes an e-mail unique: `userEmail-<HMAC of it>`. Stream names hold no personal data.
 */
export const userEmailStream = (emailId: string): string => `userEmail-${emailId}`;

/**
 * An e-mail in the form that is compared: two spellings of one address are one user. The sign of the kelvin
 * stays: it is the one other letter whose lower case is ASCII, and its address may be another person's.
 */
export const normalEmail = (email: string): string =>
  email.trim().replaceAll(/[^\u212a]+/g, (part) => part.toLowerCase());

const userId = Type.String();
const events = {
  UserEmailClaimed: {
    about: 'An e-mail is this user’s from now on: the stream is named by an HMAC of it.',
    data: closed({ userId }),
  },
  UserEmailReleased: {
    about: 'The user was redacted: the e-mail may become another user’s.',
    data: closed({ userId }),
  },
} as const satisfies EventDefinitions;

export type UserEmailEvent = EventsOf<typeof events>;
type UserEmail = Readonly<{ userId: string }>;

const evolve = evolveBy<UserEmail | null, UserEmailEvent>({
  UserEmailClaimed: (_state, { userId }) => ({ userId }),
  UserEmailReleased: () => null,
});

const decisions = {
  ClaimEmail: ({ userId }: UserEmail, state) => {
    if (state === null) return [{ type: 'UserEmailClaimed', data: { userId } }];
    if (state.userId === userId) return [];
    throw new DomainError('EmailTaken', 'There is a user of this e-mail already.');
  },
  /** Nothing where the e-mail is another user's, or nobody's. */
  ReleaseEmail: ({ userId }: UserEmail, state) =>
    state?.userId === userId ? [{ type: 'UserEmailReleased', data: { userId } }] : [],
} satisfies Decisions<UserEmail | null, UserEmailEvent>;

/** Whose an e-mail is: the first user who claims it keeps it until it is released. */
export const userEmail: Decider<UserEmail | null, CommandOf<typeof decisions>, UserEmailEvent> = {
  category: 'userEmail-',
  events,
  initial: null,
  evolve,
  decide: decideBy(decisions),
  subject: () => null,
};
