import type { UserEvent } from '../domain/user.ts';
import { reveal } from '../kernel/event.ts';
import type { Office } from '../kernel/scope.ts';
import { newestBy, type Projection } from './engine/projection.ts';

/** A user. `awaits`: the invitation to choose a new password since `resetAt`; null when it has one. */
export type UserDocument = Office &
  Readonly<{
    id: string;
    email: string;
    name: string | null;
    createdAt: string;
    disabledAt: string | null;
    resetAt: string | null;
    awaits: string | null;
  }>;

/** The administrators of the platform and its companies. */
export const users: Projection<UserDocument, UserEvent> = {
  name: 'users',
  version: 1,
  prefixes: ['user-'],
  indexes: [{ name: 'newest', sort: newestBy('createdAt') }],
  keys: ({ data }) => [data.userId],
  on: {
    UserCreated: (_document, { data, metadata }) => ({
      id: data.userId,
      email: reveal(data.private, 'email'),
      name: reveal(data.private, 'name'),
      role: data.role,
      companyId: data.companyId,
      createdAt: metadata.at,
      disabledAt: null,
      resetAt: null,
      awaits: null,
    }),
    UserDisabled: (document, { metadata }) =>
      document && { ...document, disabledAt: metadata.at, awaits: null },
    UserPasswordReset: (document, { data, metadata }) =>
      document && { ...document, disabledAt: null, resetAt: metadata.at, awaits: data.invitationId },
    UserPasswordChosen: (document) => document && { ...document, resetAt: null, awaits: null },
  },
};
