import type { InvitationEvent } from '../domain/invitation.ts';
import { reveal } from '../domain/submission/private.ts';
import type { Office } from '../kernel/scope.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { newestOf } from './engine/pages.ts';
import { newestBy, type Projection } from './engine/projection.ts';

/** An invitation as operators see one, never its token. `userId`: who came of it, or whose password it resets. Times in ISO 8601. */
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
  handles: ['UserInvited', 'InvitationAccepted', 'InvitationRevoked'],
  indexes: [{ name: 'newest', sort: newestBy('createdAt') }],
  keys: ({ data }) => [data.invitationId],
  evolve: (document, event) => {
    const { at } = event.metadata;
    switch (event.type) {
      case 'UserInvited': {
        const { invitationId: id, private: part, ...facts } = event.data;
        const email = reveal(part, 'email');
        return { id, email, ...facts, createdAt: at, acceptedAt: null, revokedAt: null };
      }
      case 'InvitationAccepted':
        return document && { ...document, userId: event.data.userId, acceptedAt: at };
      case 'InvitationRevoked':
        return document && { ...document, revokedAt: at };
    }
  },
};

/** The invitations, newest first. */
export const invitationQueries = (models: ReadModels) => ({
  list: newestOf<InvitationDocument>(models, 'invitations'),
});
