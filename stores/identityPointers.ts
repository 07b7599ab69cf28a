import type { Tables } from './documents/port.ts';
import { changeRow, removeRow, tableRows } from './documents/rows.ts';

const USERS = 'users';
const INVITATIONS = 'invitations';

/** Whose a name is. A released one stays, with null: the versions of a removed row would begin anew. */
type Owner = Readonly<{ userId: string | null }>;
type Invitee = Readonly<{ invitationId: string }>;

/**
 * Pointers in the tables `users` and `invitations`, by names that are HMACs: an account of the identity
 * provider, and an e-mail that was invited.
 */
export const identityPointers = (tables: Tables) => {
  const ownerOf = async (key: string): Promise<string | null> =>
    (await tables.read<Owner>(USERS, key))?.row.userId ?? null;
  const reserve = async (key: string, userId: string): Promise<boolean> =>
    (await changeRow<Owner>(tables, USERS, key, (row) => (row?.userId ? null : { userId })))?.userId ===
    userId;
  const release = async (key: string, userId: string): Promise<void> => {
    await changeRow<Owner>(tables, USERS, key, (row) => (row?.userId === userId ? { userId: null } : null));
  };
  return {
    /** Whose an account of the identity provider is; null for nobody's. */
    userIdBySubject: (subjectId: string) => ownerOf(subjectKey(subjectId)),
    /** Reserves an account of the identity provider for a user; false where it is another one's already. */
    reserveSubject: (subjectId: string, userId: string) => reserve(subjectKey(subjectId), userId),
    /** Releases an account of the identity provider that is reserved for this user. */
    releaseSubject: (subjectId: string, userId: string) => release(subjectKey(subjectId), userId),
    /** Whose an e-mail, given as its HMAC, is; null for nobody's. */
    userIdByEmail: (emailId: string) => ownerOf(emailKey(emailId)),
    /** Reserves an e-mail for a user; false where it is another one's already. */
    reserveEmail: (emailId: string, userId: string) => reserve(emailKey(emailId), userId),
    /** Lets an e-mail be another user's, where it is this one's. */
    releaseEmail: (emailId: string, userId: string) => release(emailKey(emailId), userId),
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

const emailKey = (emailId: string): string => `email:${emailId}`;

const inviteeKey = (emailId: string, invitationId: string): string => `email:${emailId}:${invitationId}`;
