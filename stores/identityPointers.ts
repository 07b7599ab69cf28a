import type { Tables } from './documents/port.ts';
import { removeRow, tableRows } from './documents/rows.ts';

const USERS = 'users';
const INVITATIONS = 'invitations';

type Invitee = Readonly<{ invitationId: string }>;

/**
 * Pointers in the tables `users` and `invitations`, by names that are HMACs: an account of the identity
 * provider, and an e-mail that was invited.
 */
export const identityPointers = (tables: Tables) => {
  const userOf = async (subjectId: string): Promise<string | null> =>
    (await tables.read<Readonly<{ userId: string }>>(USERS, subjectKey(subjectId)))?.row.userId ?? null;
  return {
    /** Whose an account of the identity provider is; null for nobody's. */
    userIdBySubject: userOf,
    /** Reserves an account of the identity provider for a user; false where it is another one's already. */
    reserveSubject: async (subjectId: string, userId: string): Promise<boolean> =>
      (await tables.insert(USERS, subjectKey(subjectId), { userId })) || (await userOf(subjectId)) === userId,
    /** Releases an account of the identity provider that is reserved for this user. */
    releaseSubject: async (subjectId: string, userId: string): Promise<void> => {
      if ((await userOf(subjectId)) === userId) await removeRow(tables, USERS, subjectKey(subjectId));
    },
    /** Notes that an e-mail is invited. */
    addInvitee: async (emailId: string, invitationId: string): Promise<void> => {
      await tables.insert(INVITATIONS, inviteeKey(emailId, invitationId), { invitationId });
    },
    /** The invitations of an e-mail that `forgetInvitee` has not forgotten, the oldest first. */
    invitationsOf: async (emailId: string): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const { invitationId } of tableRows<Invitee>(tables, INVITATIONS, inviteeKey(emailId, '')))
        found.push(invitationId);
      return found;
    },
    forgetInvitee: (emailId: string, invitationId: string): Promise<void> =>
      removeRow(tables, INVITATIONS, inviteeKey(emailId, invitationId)),
  };
};

const subjectKey = (subjectId: string): string => `oidc:${subjectId}`;

const inviteeKey = (emailId: string, invitationId: string): string => `email:${emailId}:${invitationId}`;
