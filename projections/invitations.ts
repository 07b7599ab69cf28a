import type { InvitationEvent } from '../domain/invitation.ts';
import { REDACTED, reveal } from '../kernel/event.ts';
import type { Office } from '../kernel/scope.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, newestOf } from './engine/pages.ts';
import { indexOn, newestBy, type Projection } from './engine/projection.ts';

/**
 * How mailing a link goes: `nextAttemptAt` is null when no attempt is to come, `error` is the last attempt's.
 * Times in ISO 8601.
 */
export type MailState = Readonly<{
  attempts: number;
  mailedAt: string | null;
  error: string | null;
  nextAttemptAt: string | null;
}>;

/**
 * An invitation without its token. `userId`: the user that it created, or whose password it resets. `mail` is
 * null where the token was shown (and absent from documents of version 1).
 */
export type InvitationDocument = Office &
  Readonly<{
    id: string;
    email: string;
    userId: string | null;
    createdAt: string;
    expiresAt: string;
    acceptedAt: string | null;
    revokedAt: string | null;
    mail?: MailState | null;
  }>;

const newestFirst = newestBy('createdAt');

/** Who was invited, and what came of it. */
export const invitations: Projection<InvitationDocument, InvitationEvent> = {
  name: 'invitations',
  version: 2,
  prefixes: ['invitation-'],
  indexes: [{ name: 'newest', sort: newestFirst }, indexOn('company', ['companyId'], newestFirst)],
  keys: ({ data }) => [data.invitationId],
  on: {
    UserInvited: (_document, { data, metadata }) => {
      const { invitationId: id, private: part, byMail, ...facts } = data;
      const { at: createdAt } = metadata;
      const mail = byMail ? { attempts: 0, mailedAt: null, error: null, nextAttemptAt: createdAt } : null;
      return {
        id,
        email: reveal(part, 'email'),
        ...facts,
        createdAt,
        acceptedAt: null,
        revokedAt: null,
        mail,
      };
    },
    InvitationAccepted: (document, { data, metadata }) =>
      document && { ...withoutNextAttempt(document), userId: data.userId, acceptedAt: metadata.at },
    InvitationRevoked: (document, { metadata }) =>
      document && { ...withoutNextAttempt(document), revokedAt: metadata.at },
    InvitationMailed: (document, { data, metadata }) => {
      const mail = { attempts: data.attempt, mailedAt: metadata.at, error: null, nextAttemptAt: null };
      return document && { ...document, mail };
    },
    InvitationMailFailed: (document, { data: { attempt, error, nextAttemptAt } }) => {
      const mail = { attempts: attempt, mailedAt: null, error, nextAttemptAt };
      return document && { ...document, mail };
    },
    InvitationRedacted: (document) => document && { ...withoutNextAttempt(document), email: REDACTED },
  },
};

/** What was used or revoked is mailed no more. */
const withoutNextAttempt = ({ mail = null, ...document }: InvitationDocument): InvitationDocument => ({
  ...document,
  mail: mail && { ...mail, nextAttemptAt: null },
});

/** All invitations, or those of a company, newest first. */
export const invitationQueries = (models: ReadModels) => ({
  list: newestOf<InvitationDocument>(models, 'invitations'),
  listOf: (companyId: string, limit: number, after: After): Promise<ResultPage<InvitationDocument>> =>
    models.page('invitations', { where: { companyId }, sort: newestFirst, limit, after }),
  /** All of them, in pages. */
  invited: async function* (): AsyncGenerator<readonly InvitationDocument[]> {
    const read = newestOf<InvitationDocument>(models, 'invitations');
    let after: After = null;
    do {
      const page: ResultPage<InvitationDocument> = await read(500, after);
      yield page.items;
      after = page.next;
    } while (after !== null);
  },
});
