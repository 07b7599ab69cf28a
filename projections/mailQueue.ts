import type { InvitationEvent } from '../domain/invitation.ts';
import { causedBy } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { After } from './engine/pages.ts';
import { type DueItem, earliestBy, earliestDue, type Projection, remove } from './engine/projection.ts';

/** An invitation that waits for an attempt to mail its link: due work for the workers. */
export type MailItem = DueItem & Readonly<{ attempt: number }>;

/** Stands for the company in the lane of people who have none. */
const PLATFORM = 'platform';

/** Invitations whose link is to be mailed. A lane has one company: who invites many delays no other. */
export const mailQueue: Projection<MailItem, InvitationEvent> = {
  name: 'mailQueue',
  version: 1,
  prefixes: ['invitation-'],
  indexes: [earliestDue],
  keys: ({ data }) => [data.invitationId],
  on: {
    UserInvited: (_item, event) => {
      const { invitationId: id, companyId, byMail } = event.data;
      if (!byMail) return null;
      const lane = laneOf(companyId ?? PLATFORM, 'live');
      return { id, lane, dueAt: event.metadata.at, attempt: 1, cause: causedBy(event) };
    },
    InvitationMailed: remove,
    InvitationMailFailed: (item, event) => {
      const { attempt, nextAttemptAt: dueAt } = event.data;
      return item && dueAt !== null ? { ...item, dueAt, attempt: attempt + 1, cause: causedBy(event) } : null;
    },
    InvitationAccepted: remove,
    InvitationRevoked: remove,
  },
};

/** The query behind the sweep. */
export const mailQueries = (models: ReadModels) => ({
  /** Mails that were due before `time` (ISO 8601), earliest first. */
  dueBefore: (time: string, limit: number, after: After): Promise<ResultPage<MailItem>> =>
    models.page('mailQueue', { where: { dueAt: { before: time } }, sort: earliestBy('dueAt'), limit, after }),
});
