import type { LogInEvent } from '../domain/logIn.ts';
import type { UserEvent } from '../domain/user.ts';
import { type EventOf, REDACTED, reveal } from '../kernel/event.ts';
import type { Office, Role } from '../kernel/scope.ts';
import type { ReadModels, ResultPage, Where } from '../stores/documents/port.ts';
import { type After, newestOf } from './engine/pages.ts';
import { indexOn, newestBy, type Projection } from './engine/projection.ts';

/**
 * A user. `awaits`: the invitation to choose a new password since `resetAt`; null when it has one. `boundAt`:
 * since when the user is bound to an account of the identity provider; null while the user is not. Times in
 * ISO 8601.
 */
export type UserDocument = Office &
  Readonly<{
    id: string;
    email: string;
    name: string | null;
    createdAt: string;
    disabledAt: string | null;
    resetAt: string | null;
    awaits: string | null;
    boundAt: string | null;
    lastLogInAt: string | null;
  }>;

type Handled = UserEvent | EventOf<LogInEvent, 'UserLoggedIn'>;

const newestFirst = newestBy('createdAt');

/** The people of the platform and its companies. */
export const users: Projection<UserDocument, Handled> = {
  name: 'users',
  version: 2,
  prefixes: ['user-', 'logIn-'],
  indexes: [
    { name: 'newest', sort: newestFirst },
    indexOn('company', ['companyId'], newestFirst),
    indexOn('office', ['companyId', 'role'], newestFirst),
  ],
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
      boundAt: null,
      lastLogInAt: null,
    }),
    UserDisabled: (document, { metadata }) =>
      document && { ...document, disabledAt: metadata.at, awaits: null },
    UserEnabled: (document) => document && { ...document, disabledAt: null },
    UserRoleChanged: (document, { data: { role, companyId } }) =>
      document && { ...document, role, companyId },
    UserPasswordReset: (document, { data, metadata }) =>
      document && {
        ...document,
        disabledAt: null,
        resetAt: metadata.at,
        awaits: data.invitationId,
        boundAt: null,
      },
    UserLoggedIn: (document, { metadata }) => document && { ...document, lastLogInAt: metadata.at },
    UserPasswordChosen: (document) => document && { ...document, resetAt: null, awaits: null },
    UserPasswordChanged: (document) => document,
    UserIdentityBound: (document, { metadata }) => document && { ...document, boundAt: metadata.at },
    UserRedacted: (document) => document && { ...document, email: REDACTED, name: REDACTED },
  },
};

/** Which users: of a company (null: of none), of a role; all by default. */
export type UserFilter = Readonly<{ companyId?: string | null; role?: Role }>;

/** Users by identifier, and pages of them, newest first. */
export const userQueries = (models: ReadModels) => {
  const pageOf = (where: Where, limit: number, after: After): Promise<ResultPage<UserDocument>> =>
    models.page('users', { where, sort: newestFirst, limit, after });
  return {
    find: (userId: string): Promise<UserDocument | null> => models.get('users', userId),
    /** Whether there is a user: whoever has completed an invitation, even if disabled since. */
    hasAny: async (): Promise<boolean> => (await pageOf({}, 1, null)).items.length > 0,
    /** Those of these users that there are, by identifier. */
    findAll: (userIds: readonly string[]): Promise<ReadonlyMap<string, UserDocument>> =>
      models.getMany('users', userIds),
    list: newestOf<UserDocument>(models, 'users'),
    listOf: (where: UserFilter, limit: number, after: After) => pageOf(where, limit, after),
    /** Pages of the administrators of a company (null: of the platform), by identifier. */
    administratorsOf: async function* (companyId: string | null): AsyncGenerator<readonly string[]> {
      const role = companyId === null ? 'super_admin' : 'org_admin';
      let after: After = null;
      do {
        const page: ResultPage<UserDocument> = await pageOf({ companyId, role }, 100, after);
        yield page.items.map(({ id }) => id);
        after = page.next;
      } while (after !== null);
    },
  };
};
