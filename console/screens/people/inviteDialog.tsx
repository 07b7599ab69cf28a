import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { faultAt, TextField } from '../../parts/formField.tsx';
import { type OfficeDraft, OfficeFields, officeBody } from '../../parts/office.tsx';
import { texts } from '../../texts.ts';
import type { Issued, Scope } from './scope.ts';

const own = texts.people;

type InviteProps = Readonly<{ scope: Scope; onMade(made: Issued): void; onClose(): void }>;

/** Asks whom to invite, and to what. */
export const InviteDialog = ({ scope, onMade, onClose }: InviteProps) => {
  const [email, setEmail] = useState('');
  const [office, setOffice] = useState<OfficeDraft>({ role: 'reviewer', companyId: '' });
  const work = async (): Promise<void> => {
    const body = { email: email.trim(), ...officeBody(office) };
    const made = await api.post('/api/v1/invitations', { body });
    onMade({ email: made.email, url: made.url, expiresAt: made.expiresAt });
  };
  return (
    <ConfirmDialog title={own.invite} act={own.inviteAct} work={work} onClose={onClose}>
      {(problem) => (
        <>
          <TextField
            label={own.columns.email}
            type="email"
            required
            value={email}
            onInput={setEmail}
            hint={own.emailHint}
            fault={faultAt(problem, '/email')}
            autofocus
          />
          <OfficeFields
            office={office}
            ofPlatform={scope.companyId === null}
            companies={scope.companies}
            problem={problem}
            onChange={setOffice}
          />
        </>
      )}
    </ConfirmDialog>
  );
};
