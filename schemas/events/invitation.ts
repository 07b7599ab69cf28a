import { invitation } from '../../domain/invitation.ts';
import { closed, nullable, Type } from '../../kernel/schema.ts';
import type { StreamEntry } from './event.ts';
import { InvitationId, office, privately, text, time, UserId } from './parts.ts';

/** An invitation's events. Its token is in none. */
export const invitationEvents = {
  category: invitation.category,
  events: {
    UserInvited: {
      about: 'Somebody was asked to become a user, or a user to choose a new password.',
      writtenBy: ['commands/invite.ts'],
      versions: [
        closed({
          ...office,
          invitationId: InvitationId,
          userId: nullable(text('who is to choose a new password; null for somebody who is no user yet')),
          expiresAt: time('until when it can be used'),
          private: privately({ email: Type.String() }),
        }),
      ],
    },
    InvitationAccepted: {
      about: 'It was used. The user is made, or gets the new password, as a consequence.',
      writtenBy: ['commands/completeInvitation.ts'],
      versions: [
        closed({
          invitationId: InvitationId,
          userId: UserId,
          offerId: text('the row that keeps the hash of the password that was chosen'),
          private: privately({ name: nullable(Type.String()) }),
        }),
      ],
    },
    InvitationRevoked: {
      about: 'It was taken back.',
      writtenBy: ['commands/invite.ts'],
      versions: [closed({ invitationId: InvitationId })],
    },
  },
} as const satisfies StreamEntry;
