import { useEffect, useState } from 'preact/hooks';
import { IntakeError } from '../../client/error.ts';
import type { InvitationState } from '../../schemas/identity.ts';
import { beginCompanyLogIn, logIn, methods } from '../app/account.ts';
import { announce } from '../app/announce.tsx';
import { open } from '../app/api.ts';
import { useAction, useResource } from '../app/resource.ts';
import { base, hrefOf, navigate } from '../app/router.ts';
import { Button } from '../parts/button.tsx';
import { Form, Submit } from '../parts/form.tsx';
import { faultAt, TextField } from '../parts/formField.tsx';
import { Notice, ProblemNotice, Reading } from '../parts/notice.tsx';
import { Screen } from '../parts/screen.tsx';
import { say, texts } from '../texts.ts';

const own = texts.invite;

/**
 * The token of the link, which then leaves the address and the browser's history; null where there is none.
 */
const takeToken = (): string | null => {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (token !== null) window.history.replaceState(null, '', `${base}/invite`);
  return token;
};

/** Where an invitation leads: the person chooses a password, or uses the company's log-in. */
const Invite = () => {
  const [token, setToken] = useState(() => takeToken() ?? '');
  // Another link that is opened here changes what follows the `#` alone, and loads no page.
  useEffect(() => {
    const follow = (): void => setToken((before) => takeToken() ?? before);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const invitation = useResource(token || null, (signal) =>
    open.get('/api/invitation/validate', { query: { token }, signal }),
  );
  const { value } = invitation;
  const reason = token === '' ? 'invalid' : value?.reason;
  return (
    <main class="narrow">
      <Screen title={own.title}>
        {!reason && <Reading resource={invitation} />}
        {reason && (
          <>
            <Notice kind="warning">{own.reasons[reason]}</Notice>
            <a href={hrefOf('/')}>{texts.logIn.back}</a>
          </>
        )}
        {value?.valid && <Ways key={token} token={token} invitation={value} />}
      </Screen>
    </main>
  );
};
export default Invite;

type InvitationProps = Readonly<{ token: string; invitation: InvitationState }>;

/** The company's log-in, a password, or both: what the service permits for the role. */
const Ways = ({ token, invitation }: InvitationProps) => {
  const { email = '', role, company } = invitation;
  const permitted = useResource('methods', methods);
  const { value: ways } = permitted;
  const { start, ...going } = useAction();
  const byCompany = async (): Promise<void> =>
    window.location.assign(await beginCompanyLogIn(hrefOf('/'), token));
  const part = role ? texts.roles[role] : '';
  const byPassword = ways?.password || role === 'super_admin';
  return (
    <>
      <p>
        {company
          ? say(own.ofCompany, { email, role: part, company: company.name })
          : say(own.of, { email, role: part })}
      </p>
      <Reading resource={permitted} />
      {ways && ways.identityProvider !== null && (
        <>
          <p>{say(own.byCompany, { email })}</p>
          <Button
            class={byPassword ? '' : 'primary'}
            disabled={going.isRunning}
            onClick={() => start(byCompany)}
          >
            {say(texts.logIn.company, { host: ways.identityProvider })}
          </Button>
          {going.problem && <ProblemNotice problem={going.problem} />}
          {byPassword && <h2>{own.orPassword}</h2>}
        </>
      )}
      {ways && byPassword && <PasswordForm token={token} email={email} />}
    </>
  );
};

const PasswordForm = ({ token, email }: Readonly<{ token: string; email: string }>) => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { isRunning, problem, start } = useAction();
  const submit = async (): Promise<void> => {
    const body = { token, password, ...(name === '' ? {} : { name }) };
    const done = await start(async () => {
      await open.post('/api/invitation/complete', { body });
      await logIn(email, password).catch(toLogIn);
    });
    if (done) navigate(hrefOf('/'), { replace: true });
  };
  return (
    <Form onSubmit={submit}>
      <input type="hidden" autocomplete="username" value={email} />
      <TextField
        label={own.name}
        autocomplete="name"
        value={name}
        onInput={setName}
        fault={faultAt(problem, '/name')}
      />
      <TextField
        label={own.password}
        type="password"
        autocomplete="new-password"
        hint={own.passwordHint}
        required
        value={password}
        onInput={setPassword}
        fault={faultAt(problem, '/password')}
      />
      <Submit isRunning={isRunning}>{own.act}</Submit>
      {problem && <ProblemNotice problem={problem} />}
    </Form>
  );
};

/** The invitation is used, and the password chosen: only the log-in is still to do, on its own page. */
const toLogIn = (error: unknown): void => {
  if (!(error instanceof IntakeError)) throw error;
  announce(own.accepted);
};
