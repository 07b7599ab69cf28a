import type { InvitationEvent } from '../domain/invitation.ts';
import type { WebhookEndpointEvent } from '../domain/webhookEndpoint.ts';
import { causedBy, type EventOf } from '../kernel/event.ts';
import { laneOf } from '../kernel/lane.ts';
import type { ReadModels, ResultPage } from '../stores/documents/port.ts';
import type { After } from './engine/pages.ts';
import { type DueItem, earliestBy, earliestDue, type Projection, remove } from './engine/projection.ts';

/** Whom a mail tells that an endpoint was disabled. */
export type Notice = Readonly<{ endpointId: string; noticeId: string; userId: string }>;

/**
 * A mail that waits for an attempt: due work for the workers. It has the link of an invitation, of which it
 * has the identifier, or a `notice`.
 */
export type MailItem = DueItem & Readonly<{ attempt: number; notice?: Notice }>;

type Handled =
  | InvitationEvent
  | EventOf<WebhookEndpointEvent, `WebhookEndpoint${'Disabled' | 'NoticeMailed' | 'NoticeFailed'}`>;

/** Stands for the company in the lane of people who have none. */
const PLATFORM = 'platform';

/** What is to be mailed. A lane has one company: who invites many delays no other. */
export const mailQueue: Projection<MailItem, Handled> = {
  name: 'mailQueue',
  version: 1,
  prefixes: ['invitation-', 'webhookEndpoint-'],
  indexes: [earliestDue],
  keys: ({ data }) => {
    if ('invitationId' in data) return [data.invitationId];
    if ('userId' in data) return [`${data.noticeId}.${data.userId}`];
    return data.notice?.recipients.map((userId) => `${data.notice?.noticeId}.${userId}`) ?? [];
  },
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
    WebhookEndpointDisabled: (_item, event, id) => {
      const { companyId, mode, endpointId } = event.data;
      const [noticeId = '', userId = ''] = id.split('.');
      const notice = { endpointId, noticeId, userId };
      const lane = laneOf(companyId, mode);
      return { id, lane, dueAt: event.metadata.at, attempt: 1, cause: causedBy(event), notice };
    },
    WebhookEndpointNoticeMailed: remove,
    WebhookEndpointNoticeFailed: (item, event) => {
      const { attempt, nextAttemptAt: dueAt } = event.data;
      return item && dueAt !== null ? { ...item, dueAt, attempt: attempt + 1, cause: causedBy(event) } : null;
    },
    InvitationAccepted: remove,
    InvitationRevoked: remove,
    InvitationRedacted: remove,
  },
};

/** The query behind the sweep. */
export const mailQueries = (models: ReadModels) => ({
  /** Mails that were due before `time` (ISO 8601), earliest first. */
  dueBefore: (time: string, limit: number, after: After): Promise<ResultPage<MailItem>> =>
    models.page('mailQueue', { where: { dueAt: { before: time } }, sort: earliestBy('dueAt'), limit, after }),
});
