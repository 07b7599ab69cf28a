import type { InvitationEvent } from '../domain/invitation.ts';
import { normalEmail } from '../domain/userEmail.ts';
import { ReadModelNotBuilt } from '../kernel/errors.ts';
import { REDACTED, reveal } from '../kernel/event.ts';
import type { Office } from '../kernel/scope.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import { type After, collect, newestOf } from './engine/pages.ts';
import { indexOn, newestBy, type Projection } from './engine/projection.ts';
import { servedReadModels } from './engine/readModels.ts';

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
 * An invitation without its token. `userId`: the user that it created, or whose password it resets.
 * `normalEmail`: the e-mail as it is compared (absent from documents of versions before 3). `mail` is null
 * where the token was shown (and absent from documents of version 1).
 */
export type InvitationDocument = Office &
  Readonly<{
    id: string;
    email: string;
    normalEmail?: string;
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
  version: 3,
  prefixes: ['invitation-'],
  indexes: [
    { name: 'newest', sort: newestFirst },
    indexOn('company', ['companyId'], newestFirst),
    indexOn('email', ['normalEmail'], newestFirst),
    indexOn('user', ['userId'], newestFirst),
  ],
  keys: ({ data }) => [data.invitationId],
  on: {
    UserInvited: (_document, { data, metadata }) => {
      const { invitationId: id, private: part, byMail, ...facts } = data;
      const { at: createdAt } = metadata;
      const email = reveal(part, 'email');
      const mail = byMail ? { attempts: 0, mailedAt: null, error: null, nextAttemptAt: createdAt } : null;
      return {
        id,
        email,
        normalEmail: normalEmail(email),
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
    InvitationRedacted: (document) =>
      document && { ...withoutNextAttempt(document), email: REDACTED, normalEmail: REDACTED },
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
  /**
   * The identifiers of those of a user, and of those of an e-mail in whatever spelling. Throws
   * `ReadModelNotBuilt` while documents of an older version are served: by these nothing would be found.
   */
  ofPerson: async (userId: string, email: string): Promise<readonly string[]> => {
    const [served] = await servedReadModels([invitations as unknown as Projection], models);
    if (served?.state === 'outdated') throw new ReadModelNotBuilt('invitations');
    const found = [{ userId }, { normalEmail: normalEmail(email) }].map((where) =>
      collect<InvitationDocument>((limit, after) =>
        models.page('invitations', { where, sort: newestFirst, limit, after }),
      ),
    );
    const ids = (await Promise.all(found)).flatMap(({ items }) => items.map(({ id }) => id));
    return [...new Set(ids)];
  },
});
