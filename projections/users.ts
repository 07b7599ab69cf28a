import { reveal } from '../domain/submission/private.ts';
import type { UserEvent } from '../domain/user.ts';
import type { Office } from '../kernel/scope.ts';
import type { ReadModels } from '../stores/documents/port.ts';
import { newestOf } from './engine/pages.ts';
import { newestBy, type Projection } from './engine/projection.ts';

/** A user as operators see one. `awaits`: the invitation that may give a new password, since `resetAt`; both null when there is one. */
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
  handles: ['UserCreated', 'UserDisabled', 'UserPasswordReset', 'UserPasswordChosen'],
  indexes: [{ name: 'newest', sort: newestBy('createdAt') }],
  keys: ({ data }) => [data.userId],
  evolve: (document, event) => {
    const { at } = event.metadata;
    switch (event.type) {
      case 'UserCreated': {
        const { userId: id, role, companyId, private: part } = event.data;
        const person = { email: reveal(part, 'email'), name: reveal(part, 'name') };
        return {
          id,
          ...person,
          role,
          companyId,
          createdAt: at,
          ...{ disabledAt: null, resetAt: null, awaits: null },
        };
      }
      case 'UserDisabled':
        return document && { ...document, disabledAt: at, awaits: null };
      case 'UserPasswordReset':
        return document && { ...document, disabledAt: null, resetAt: at, awaits: event.data.invitationId };
      case 'UserPasswordChosen':
        return document && { ...document, resetAt: null, awaits: null };
    }
  },
};

/** The users, newest first. */
export const userQueries = (models: ReadModels) => ({
  list: newestOf<UserDocument>(models, 'users'),
});
