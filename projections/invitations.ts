import type { InvitationEvent } from '../domain/invitation.ts';
import { reveal } from '../kernel/event.ts';
import type { Office } from '../kernel/scope.ts';
import { newestBy, type Projection } from './engine/projection.ts';

/** An invitation without its token. `userId`: the user that it created, or whose password it resets. */
export type InvitationDocument = Office &
  Readonly<{
    id: string;
    email: string;
    userId: string | null;
    createdAt: string;
    expiresAt: string;
    acceptedAt: string | null;
    revokedAt: string | null;
  }>;

/** Who was invited, and what came of it. */
export const invitations: Projection<InvitationDocument, InvitationEvent> = {
  name: 'invitations',
  version: 1,
  prefixes: ['invitation-'],
  indexes: [{ name: 'newest', sort: newestBy('createdAt') }],
  keys: ({ data }) => [data.invitationId],
  on: {
    UserInvited: (_document, { data, metadata }) => {
      const { invitationId: id, private: part, ...facts } = data;
      const email = reveal(part, 'email');
      return { id, email, ...facts, createdAt: metadata.at, acceptedAt: null, revokedAt: null };
    },
    InvitationAccepted: (document, { data, metadata }) =>
      document && { ...document, userId: data.userId, acceptedAt: metadata.at },
    InvitationRevoked: (document, { metadata }) => document && { ...document, revokedAt: metadata.at },
  },
};
