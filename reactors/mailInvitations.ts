import { whyUnusable } from '../commands/completeInvitation.ts';
import type { Handle } from '../commands/handle.ts';
import type { IdentityPorts } from '../commands/invite.ts';
import { load, loadStream } from '../commands/load.ts';
import { company, companyStream } from '../domain/company.ts';
import {
  type Invitation,
  type InvitationMailFailed,
  invitation,
  invitationStream,
  isToBeMailed,
} from '../domain/invitation.ts';
import { MAIL_DELAYS_MS, nextAttemptAt } from '../domain/retrySchedule.ts';
import type { Position } from '../kernel/event.ts';
import type { Mailer, MailOutcome } from '../outbound/mail.ts';
import type { MailItem } from '../projections/mailQueue.ts';
import type { Claimed } from '../stores/documents/port.ts';
import type { LoadedStream } from '../stores/events/log.ts';
import { invitationMail } from './invitationMail.ts';

export type MailPorts = Pick<IdentityPorts, 'log' | 'clock' | 'emailIdOf'> &
  Readonly<{
    handle: Handle;
    mailer: Mailer;
    /** The page where an invitation is accepted, for its identifier. */
    linkOf(invitationId: string): string;
    /** An attempt failed; no address is in it. */
    onFailed(failed: InvitationMailFailed['data']): void;
  }>;

type RecordPorts = Pick<MailPorts, 'handle' | 'clock' | 'onFailed'>;

/**
 * One attempt to mail the link of an invitation, recorded as an event. Nothing when the log says that this
 * attempt was made, or that the invitation was used or revoked (the queue is a read model and may be behind).
 * A crash between the mail and its record mails the same link again, under the same Message-ID (mails-5).
 */
export const mailInvitation =
  (ports: MailPorts) =>
  async (item: Claimed<MailItem>, signal: AbortSignal): Promise<Position | null> => {
    const { log } = ports;
    const { state, stream } = await loadStream(log, invitation, invitationStream(item.id));
    if (!isToBeMailed(state, item.document.attempt)) return null;
    const reason = await whyUnusable(ports, state);
    const outcome =
      reason === null ? await send(ports, state, signal) : { error: NOT_SENT[reason], isFinal: true };
    return record(ports, item.document, outcome, stream);
  };

/**
 * Records as given up what nobody has mailed while its invitation could be used: where no process has
 * SMTP_URL any more, it would be due for ever (mails-4).
 */
export const giveUpMail =
  (ports: RecordPorts) =>
  async (item: MailItem): Promise<void> => {
    await record(ports, item, { error: NOT_SENT.expired, isFinal: true });
  };

const NOT_SENT = {
  invalid: 'not sent: it can no longer be used',
  consumed: 'not sent: its e-mail has become a user’s',
  expired: 'not sent: it has expired',
};

const send = async (
  { log, mailer, linkOf }: MailPorts,
  { invitationId: id, email: to, role, companyId, userId, expiresAt }: Invitation,
  signal: AbortSignal,
): Promise<MailOutcome> => {
  const found = companyId === null ? null : await load(log, company, companyStream(companyId));
  const facts = { role, company: found?.name ?? companyId, isReset: userId !== null, expiresAt };
  return mailer.send({ id, to, ...invitationMail({ ...facts, link: linkOf(id) }) }, signal);
};

const record = async (
  { handle, clock, onFailed }: RecordPorts,
  { id, attempt, cause }: MailItem,
  { error, isFinal }: MailOutcome,
  loaded?: LoadedStream,
): Promise<Position> => {
  const now = clock.now().toISOString();
  const next = isFinal ? null : nextAttemptAt(attempt, now, MAIL_DELAYS_MS);
  const command =
    error === null
      ? ({ type: 'RecordMail', attempt } as const)
      : ({ type: 'RecordMailFailure', attempt, error, nextAttemptAt: next } as const);
  const context = { actor: { kind: 'system', id: 'mails' }, ...cause } as const;
  const { events, position } = await handle(invitation, invitationStream(id), command, context, { loaded });
  for (const event of events) if (event.type === 'InvitationMailFailed') onFailed(event.data);
  return position;
};
