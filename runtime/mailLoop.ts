import { invitationUrl, mailedToken } from '../commands/invite.ts';
import type { Mailer } from '../outbound/mail.ts';
import type { MailItem } from '../projections/mailQueue.ts';
import { mailInvitation } from '../reactors/mailInvitations.ts';
import { isNotice, mailNotice } from '../reactors/mailNotices.ts';
import type { Core } from './wire.ts';
import { type WorkerCore, workerLoop } from './workerLoop.ts';
import { reportMailFailure } from './workerReports.ts';

/** Mails in flight of this process, and how many are claimed of one company at once. */
const MAX_MAILS = 4;
const PER_COMPANY = 2;

/** What the loop takes of the core. */
export type MailCore = WorkerCore & Pick<Core, 'handle' | 'log' | 'clock' | 'emailIdOf' | 'nameOf'>;

/**
 * Claims what is to be mailed, links of invitations and notices of endpoints, and mails it. `publicUrl` is
 * what links begin with.
 */
export const mailLoop = (
  core: MailCore,
  { mailer, publicUrl }: Readonly<{ mailer: Mailer; publicUrl: string }>,
  signal: AbortSignal,
): Promise<void> => {
  const onFailed = reportMailFailure(core.report);
  const invite = mailInvitation({
    ...core,
    mailer,
    linkOf: (id) => invitationUrl(publicUrl, mailedToken(core.nameOf, id)),
    onFailed,
  });
  const tell = mailNotice({ ...core, mailer, publicUrl, onFailed });
  return workerLoop<MailItem>(core, {
    name: 'mails',
    queue: 'mailQueue',
    needs: ['events'],
    capacity: (running) => ({ limit: MAX_MAILS - running, perLane: PER_COMPANY, skip: [] }),
    work: (item, inner) => (isNotice(item.document) ? tell(item.document, inner) : invite(item, inner)),
    signal,
  });
};
