import type { Handle } from '../commands/handle.ts';
import { load, loadStream } from '../commands/load.ts';
import { company, companyStream } from '../domain/company.ts';
import { awaitsNotice } from '../domain/endpointNotices.ts';
import { MAIL_DELAYS_MS, nextAttemptAt } from '../domain/retrySchedule.ts';
import { user, userStream } from '../domain/user.ts';
import {
  type WebhookEndpoint,
  type WebhookEndpointEvent,
  webhookEndpoint,
  webhookEndpointStream,
} from '../domain/webhookEndpoint.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventOf, Position } from '../kernel/event.ts';
import type { Mailer, MailOutcome } from '../outbound/mail.ts';
import type { MailItem, Notice } from '../projections/mailQueue.ts';
import type { EventLog, LoadedStream } from '../stores/events/log.ts';
import { noticeMail } from './noticeMail.ts';

type RecordPorts = Readonly<{
  handle: Handle;
  clock: Clock;
  /** An attempt failed; no address is in it. */
  onFailed(failed: EventOf<WebhookEndpointEvent, 'WebhookEndpointNoticeFailed'>['data']): void;
}>;

type NoticePorts = RecordPorts & Readonly<{ log: EventLog; mailer: Mailer; publicUrl: string }>;

/** An item of the queue whose mail tells of an endpoint. */
type NoticeItem = MailItem & Readonly<{ notice: Notice }>;

/** Whether a mail tells of an endpoint that the service has disabled; otherwise it invites. */
export const isNotice = (item: MailItem): item is NoticeItem => item.notice !== undefined;

/**
 * One attempt to tell an administrator that an endpoint was disabled, recorded as an event. Nothing when the
 * log says that this attempt was made. A crash between the mail and its record sends the same again, under
 * one Message-ID.
 */
export const mailNotice =
  (ports: NoticePorts) =>
  async (item: NoticeItem, signal: AbortSignal): Promise<Position | null> => {
    const { endpointId, noticeId, userId } = item.notice;
    const { state, stream } = await loadStream(ports.log, webhookEndpoint, webhookEndpointStream(endpointId));
    const { attempt } = item;
    if (!state || !awaitsNotice(state.notices, { noticeId, userId, attempt })) return null;
    return record(ports, item, await send(ports, state, item, signal), stream);
  };

/** Records as given up what no process could mail for days. */
export const giveUpNotice =
  (ports: RecordPorts) =>
  async (item: NoticeItem): Promise<void> => {
    await record(ports, item, { error: 'not sent: it is too old', isFinal: true });
  };

const send = async (
  { log, mailer, publicUrl }: NoticePorts,
  endpoint: WebhookEndpoint,
  { notice: { noticeId, userId } }: NoticeItem,
  signal: AbortSignal,
): Promise<MailOutcome> => {
  if (endpoint.isDeleted || endpoint.disabled !== 'failures')
    return { error: 'not sent: the endpoint is no longer disabled', isFinal: true };
  const person = await load(log, user, userStream(userId));
  const isOurs = person?.role === 'org_admin' && person.companyId === endpoint.companyId;
  if (!isOurs || person.disabled)
    return { error: 'not sent: the user no longer administers the company', isFinal: true };
  const found = await load(log, company, companyStream(endpoint.companyId));
  const facts = { ...endpoint, company: found?.name ?? endpoint.companyId, publicUrl };
  return mailer.send({ id: `${noticeId}.${userId}`, to: person.email, ...noticeMail(facts) }, signal);
};

const record = async (
  { handle, clock, onFailed }: RecordPorts,
  { notice: { endpointId, ...notice }, attempt, cause }: NoticeItem,
  { error, isFinal }: MailOutcome,
  loaded?: LoadedStream,
): Promise<Position> => {
  const now = clock.now().toISOString();
  const next = isFinal ? null : nextAttemptAt(attempt, now, MAIL_DELAYS_MS);
  const command = { type: 'RecordNotice', ...notice, attempt, error, nextAttemptAt: next } as const;
  const context = { actor: { kind: 'system', id: 'mails' }, ...cause } as const;
  const stream = webhookEndpointStream(endpointId);
  const { events, position } = await handle(webhookEndpoint, stream, command, context, { loaded });
  for (const event of events) if (event.type === 'WebhookEndpointNoticeFailed') onFailed(event.data);
  return position;
};
