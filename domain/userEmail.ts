import { type Decider, DomainError } from '../kernel/decider.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, Type } from '../kernel/schema.ts';

/**
 * The stream that makes an e-mail unique: `userEmail-<HMAC of it>`, whose one event must be new. Stream names
 * hold no personal data.
 */
export const userEmailStream = (emailId: string): string => `userEmail-${emailId}`;

/**
 * An e-mail in the form that is compared: two spellings of one address are one user. The sign of the kelvin
 * stays: it is the one other letter whose lower case is ASCII, and its address may be another person's.
 */
export const normalEmail = (email: string): string =>
  email.trim().replaceAll(/[^\u212a]+/g, (part) => part.toLowerCase());

const events = {
  UserEmailClaimed: {
    about: 'An e-mail is this user’s from now on: the stream, named by an HMAC of it, must be new.',
    data: closed({ userId: Type.String() }),
  },
} as const satisfies EventDefinitions;

type UserEmailClaimed = EventsOf<typeof events>;
type UserEmail = Readonly<{ userId: string }>;
type ClaimEmail = Readonly<{ type: 'ClaimEmail'; userId: string }>;

const decide = ({ userId }: ClaimEmail, state: UserEmail | null): readonly UserEmailClaimed[] => {
  if (state === null) return [{ type: 'UserEmailClaimed', data: { userId } }];
  if (state.userId === userId) return [];
  throw new DomainError('EmailTaken', 'There is a user of this e-mail already.');
};

/** Whose an e-mail is: the first user who claims it keeps it. */
export const userEmail: Decider<UserEmail | null, ClaimEmail, UserEmailClaimed> = {
  category: 'userEmail-',
  events,
  initial: null,
  evolve: (_state, { data }) => ({ userId: data.userId }),
  decide,
  subject: () => null,
};
