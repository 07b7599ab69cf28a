import { useState } from 'preact/hooks';
import type { OwnSessions } from '../../schemas/identity.ts';
import { logOut, methods } from '../app/account.ts';
import { announce } from '../app/announce.tsx';
import { api } from '../app/api.ts';
import { useRead, useResource } from '../app/resource.ts';
import { me } from '../app/session.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Reading } from '../parts/notice.tsx';
import { Screen } from '../parts/screen.tsx';
import { ShortTable } from '../parts/shortTable.tsx';
import { When } from '../parts/when.tsx';
import { texts } from '../texts.ts';
import { ChangePassword } from './changePassword.tsx';

type OwnSession = OwnSessions['data'][number];

/** The person's own sessions, each of which can be ended, and the own password. */
const Sessions = () => {
  const own = useRead('/api/auth/sessions', {});
  const { value, reload } = own;
  const [asked, ask] = useState<'end' | 'password' | null>(null);
  const close = (): void => ask(null);
  const person = me();
  const byPassword = useResource('methods', methods).value?.password || person?.role === 'super_admin';
  const actions = (
    <>
      {byPassword && <Button onClick={() => ask('password')}>{texts.password.act}</Button>}
      <Button class="danger" onClick={() => ask('end')}>
        {texts.sessions.endAll}
      </Button>
    </>
  );
  return (
    <Screen title={texts.sessions.title} actions={actions}>
      <Reading resource={own} />
      {value && <SessionTable sessions={value.data} onEnded={reload} />}
      {asked === 'password' && (
        <ChangePassword email={person?.email ?? ''} onChanged={reload} onClose={close} />
      )}
      {asked === 'end' && (
        <ConfirmDialog
          title={texts.sessions.endAll}
          act={texts.sessions.endAll}
          danger
          work={() => logOut('all')}
          onClose={close}
        >
          <p>{texts.sessions.endAllText}</p>
        </ConfirmDialog>
      )}
    </Screen>
  );
};
export default Sessions;

const { columns } = texts.sessions;

type TableProps = Readonly<{ sessions: readonly OwnSession[]; onEnded(): void }>;

const SessionTable = ({ sessions, onEnded }: TableProps) => (
  <ShortTable
    label={texts.sessions.title}
    rows={sessions}
    keyOf={({ sessionId }) => sessionId}
    columns={[
      { text: columns.agent, cell: ({ agent, kind }) => agent || texts.sessions.kinds[kind] },
      { text: columns.began, cell: ({ createdAt }) => <When at={createdAt} /> },
      { text: columns.used, cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
      { text: columns.ends, cell: ({ expiresAt }) => <When at={expiresAt} /> },
      {
        text: columns.action,
        cell: (one) => (one.current ? texts.sessions.current : <EndButton session={one} onEnded={onEnded} />),
      },
    ]}
  />
);

const EndButton = ({ session, onEnded }: Readonly<{ session: OwnSession; onEnded(): void }>) => {
  const [isOpen, open] = useState(false);
  const end = async (): Promise<void> => {
    const { sessionId } = session;
    await api.delete('/api/auth/sessions/{sessionId}', { path: { sessionId } });
    announce(texts.sessions.ended);
    onEnded();
  };
  return (
    <>
      <Button onClick={() => open(true)}>{texts.sessions.end}</Button>
      {isOpen && (
        <ConfirmDialog
          title={texts.sessions.end}
          act={texts.sessions.end}
          danger
          work={end}
          onClose={() => open(false)}
        >
          <p>{session.agent}</p>
        </ConfirmDialog>
      )}
    </>
  );
};
