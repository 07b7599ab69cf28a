import { useState } from 'preact/hooks';
import type { RedactRequest } from '../../../client/api.ts';
import type { Invitations } from '../../../schemas/people.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { usePages } from '../../app/pages.ts';
import { isRedacted } from '../../app/people.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Mark } from '../../parts/marks.tsx';
import { companyColumn } from '../../parts/office.tsx';
import { RedactDialog } from '../../parts/redactDialog.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { emailOf } from './person.tsx';
import type { Scope } from './scope.ts';

const own = texts.people;

type Invitation = Invitations['data'][number];

const { text, stays, done, title, short } = own.redactInvitation;

/** What is asked about an invitation: an open one can be revoked, any other redacted. */
const titleOf = ({ state, email }: Invitation): string =>
  say(state === 'open' ? own.revokeTitle : title, { email });

/** Who was invited, how the mail goes, and what became of it. */
export const InvitationTable = ({ scope, round }: Readonly<{ scope: Scope; round: number }>) => {
  const pages = usePages('/api/v1/invitations', {}, round);
  const [asked, ask] = useState<Invitation | null>(null);
  const revoke = async ({ id, email }: Invitation): Promise<void> => {
    await api.post('/api/v1/invitations/{invitationId}/revoke', { path: { invitationId: id } });
    announce(say(own.revoked, { email }));
    pages.reload();
  };
  const redact = async ({ id }: Invitation, body: RedactRequest): Promise<void> => {
    await api.post('/api/v1/invitations/{invitationId}/redact', { path: { invitationId: id }, body });
    announce(done);
    pages.reload();
  };
  return (
    <>
      <Table
        label={own.views.invitations}
        columns={columnsOf(scope, ask)}
        pages={pages}
        keyOf={({ id }) => id}
        empty={own.noInvitations}
      />
      {asked && asked.state !== 'open' && (
        <RedactDialog
          title={titleOf(asked)}
          {...{ text, stays }}
          redact={(basis) => redact(asked, basis)}
          onClose={() => ask(null)}
        />
      )}
      {asked?.state === 'open' && (
        <ConfirmDialog
          title={titleOf(asked)}
          act={own.revoke}
          danger
          work={() => revoke(asked)}
          onClose={() => ask(null)}
        >
          <p>{own.revokeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
};

const columnsOf = (
  { companies }: Scope,
  ask: (invitation: Invitation) => void,
): readonly Column<Invitation>[] => [
  { text: own.columns.email, share: 4, cell: emailOf },
  { text: own.role, share: 3, cell: ({ role }) => texts.roles[role] },
  ...(companies ? [companyColumn<Invitation>(companies)] : []),
  { text: own.columns.invitation, share: 3, cell: (one) => <InvitationMark invitation={one} /> },
  { text: own.columns.mail, share: 4, cell: ({ mail }) => <MailState mail={mail} /> },
  { text: own.columns.expires, share: 3, cell: ({ expiresAt }) => <When at={expiresAt} /> },
  {
    text: own.columns.action,
    share: 2,
    cell: (one) =>
      !isRedacted(one.email) &&
      may('people.manage') && (
        <Button class="link" aria-label={titleOf(one)} onClick={() => ask(one)}>
          {one.state === 'open' ? own.revokeShort : short}
        </Button>
      ),
  },
];

const InvitationMark = ({ invitation: { state, userId } }: Readonly<{ invitation: Invitation }>) => (
  <>
    <Mark tone={state === 'open' ? 'warning' : ''}>{own.invitationStates[state]}</Mark>
    {userId && state === 'open' && ` ${own.newPassword}`}
  </>
);

/** How the mail goes; where none is sent, who invited has the link. */
const MailState = ({ mail }: Pick<Invitation, 'mail'>) => {
  if (mail === null) return own.shown;
  if (mail.mailedAt)
    return (
      <>
        {own.mailedAt} <When at={mail.mailedAt} />
      </>
    );
  const { error, nextAttemptAt } = mail;
  if (error === null) return nextAttemptAt === null ? own.notMailed : own.mailWaits;
  return (
    <span title={error}>
      <Mark tone={nextAttemptAt ? 'warning' : 'bad'}>{nextAttemptAt ? own.mailRetries : own.mailFailed}</Mark>{' '}
      {error}
    </span>
  );
};
