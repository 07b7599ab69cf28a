import { useState } from 'preact/hooks';
import { announce } from '../app/announce.tsx';
import { api } from '../app/api.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { faultAt, TextField } from '../parts/formField.tsx';
import { texts } from '../texts.ts';

const own = texts.password;

type Props = Readonly<{ email: string; onChanged(): void; onClose(): void }>;

/** Asks for the current password and a new one. */
export const ChangePassword = ({ email, onChanged, onClose }: Props) => {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = async (): Promise<void> => {
    await api.post('/api/auth/password', { body: { current, password } });
    announce(own.changed);
    onChanged();
  };
  return (
    <ConfirmDialog title={own.act} act={own.act} work={change} onClose={onClose}>
      {(problem) => (
        <>
          <input type="hidden" autocomplete="username" value={email} />
          <TextField
            label={own.current}
            type="password"
            autocomplete="current-password"
            required
            value={current}
            onInput={setCurrent}
            fault={faultAt(problem, '/current')}
          />
          <TextField
            label={own.next}
            type="password"
            autocomplete="new-password"
            hint={texts.invite.passwordHint}
            required
            value={password}
            onInput={setPassword}
            fault={faultAt(problem, '/password')}
          />
          <p>{own.text}</p>
        </>
      )}
    </ConfirmDialog>
  );
};
