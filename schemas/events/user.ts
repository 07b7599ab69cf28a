import { user } from '../../domain/user.ts';
import { userEmail } from '../../domain/userEmail.ts';
import { closed, meaning, nullable, Type } from '../../kernel/schema.ts';
import type { StreamEntry } from './event.ts';
import { InvitationId, office, privately, UserId } from './parts.ts';

const chosenBy = meaning(InvitationId, 'the invitation by which the password is chosen');

/** A user's events. No password, nor what is made of it, is in any. */
export const userEvents = {
  category: user.category,
  events: {
    UserCreated: {
      about: 'Somebody who was invited became a user.',
      writtenBy: ['commands/finishInvitation.ts'],
      versions: [
        closed({
          ...office,
          userId: UserId,
          invitationId: chosenBy,
          private: privately({ email: Type.String(), name: nullable(Type.String()) }),
        }),
      ],
    },
    UserDisabled: {
      about: 'The user was shut out, and all sessions ended.',
      writtenBy: ['commands/users.ts'],
      versions: [closed({ userId: UserId })],
    },
    UserPasswordReset: {
      about: 'The password was taken away, and an invitation made to choose a new one.',
      writtenBy: ['commands/users.ts'],
      versions: [
        closed({
          userId: UserId,
          invitationId: chosenBy,
          enabled: Type.Boolean({ description: 'whether a disabled user may come back by it' }),
        }),
      ],
    },
    UserPasswordChosen: {
      about: 'The user chose a new password.',
      writtenBy: ['commands/finishInvitation.ts'],
      versions: [closed({ userId: UserId, invitationId: chosenBy })],
    },
  },
} as const satisfies StreamEntry;

/** The event that makes an e-mail one user's. */
export const userEmailEvents = {
  category: userEmail.category,
  events: {
    UserEmailClaimed: {
      about: 'An e-mail is this user’s from now on: the stream, named by an HMAC of it, must be new.',
      writtenBy: ['commands/finishInvitation.ts'],
      versions: [closed({ userId: UserId })],
    },
  },
} as const satisfies StreamEntry;
