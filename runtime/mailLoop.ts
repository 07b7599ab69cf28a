import { mailedToken } from '../commands/invite.ts';
import { invitationUrl } from '../domain/invitation.ts';
import type { Mailer } from '../outbound/mail.ts';
import type { MailItem } from '../projections/mailQueue.ts';
import { mailInvitation } from '../reactors/mailInvitations.ts';
import type { Core } from './wire.ts';
import { workerLoop } from './workerLoop.ts';
import { reportMailFailure } from './workerReports.ts';

/** Mails in flight of this process, and how many are claimed of one company at once. */
const MAX_MAILS = 4;
const PER_COMPANY = 2;

/** Claims invitations whose link is to be mailed, and mails it. `publicUrl` is what links begin with. */
export const mailLoop = (
  core: Core,
  { mailer, publicUrl }: Readonly<{ mailer: Mailer; publicUrl: string }>,
  signal: AbortSignal,
): Promise<void> =>
  workerLoop<MailItem>(core, {
    name: 'mails',
    queue: 'mailQueue',
    needs: ['events'],
    capacity: (running) => ({ limit: MAX_MAILS - running, perLane: PER_COMPANY, skip: [] }),
    work: mailInvitation({
      ...core,
      mailer,
      linkOf: (id) => invitationUrl(publicUrl, mailedToken(core.masterKey, id)),
      onFailed: reportMailFailure(core.report),
    }),
    signal,
  });
