import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { beginCompanyLogIn, logIn, logOut, methods } from '../app/account.ts';
import { announceProblem } from '../app/announce.tsx';
import type { Problem } from '../app/problem.ts';
import { useAction, useResource } from '../app/resource.ts';
import { hrefOf, place } from '../app/router.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, Submit } from '../parts/form.tsx';
import { faultAt, TextField } from '../parts/formField.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { say, texts } from '../texts.ts';

/** The page of who is not logged in: afterwards it is the screen of its address. */
export const LogIn = () => {
  useEffect(() => {
    document.title = `${texts.logIn.title} · ${texts.product}`;
  }, []);
  const here = (): string => hrefOf(place.get().path, Object.fromEntries(place.get().query));
  return (
    <main class="narrow">
      <h1>{texts.logIn.title}</h1>
      <LogInForm email="" companyLogIn={async () => go(await beginCompanyLogIn(here()))} />
    </main>
  );
};

const go = (address: string): void => window.location.assign(address);

/** The log-in over a page whose session has ended: what was typed there stays, and what was asked goes on. */
export const LogInDialog = ({ email }: Readonly<{ email: string }>) => {
  const [isBlocked, setBlocked] = useState(false);
  const companyLogIn = async (): Promise<void> => {
    // In a window of its own, since this page must stay. It tells this one when it is done.
    const own = window.open('about:blank');
    setBlocked(own === null);
    if (own === null) return;
    try {
      own.location.href = await beginCompanyLogIn(hrefOf('/signed-in', { close: 1 }));
    } catch (error) {
      own.close();
      throw error;
    }
  };
  return (
    <Dialog title={texts.logIn.again}>
      <Notice kind="info">{texts.logIn.kept}</Notice>
      <LogInForm email={email} companyLogIn={companyLogIn}>
        {isBlocked && (
          <Notice kind="bad">
            {texts.logIn.blocked}{' '}
            <a href={hrefOf('/')} target="_blank" rel="noopener">
              {texts.logIn.otherTab}
            </a>
          </Notice>
        )}
      </LogInForm>
      <Button class="plain" onClick={() => logOut('this').catch(announceProblem)}>
        {texts.logIn.leave}
      </Button>
    </Dialog>
  );
};

type FormProps = Readonly<{
  email: string;
  companyLogIn(): Promise<void>;
  /** What the log-in says beside problems. */
  children?: ComponentChildren;
}>;

const LogInForm = ({ email: known, companyLogIn, children }: FormProps) => {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const { isRunning, problem, start } = useAction();
  const ways = useResource('methods', methods);
  const { password: byPassword, identityProvider } = ways.value ?? { password: true, identityProvider: null };
  const submit = (): void => {
    void start(() => logIn(email, password));
  };
  return (
    <Form onSubmit={submit}>
      {ways.value?.hasUsers === false && <FirstPerson />}
      {!window.isSecureContext && <Notice kind="bad">{texts.logIn.insecure}</Notice>}
      {byPassword && (
        <Credentials {...{ email, setEmail, password, setPassword, problem }} isAgain={known !== ''} />
      )}
      <div class="actions">
        {byPassword && <Submit isRunning={isRunning}>{texts.logIn.act}</Submit>}
        {identityProvider !== null && (
          <Button disabled={isRunning} onClick={() => start(companyLogIn)}>
            {say(texts.logIn.company, { host: identityProvider })}
          </Button>
        )}
      </div>
      {children}
      {problem && <ProblemNotice problem={problem} />}
      {ways.problem && <ProblemNotice problem={ways.problem} retry={ways.reload} />}
    </Form>
  );
};

/** What the command needs of the settings of the service it says itself, where only its operator reads it. */
const FirstPerson = () => (
  <Notice kind="info">
    <p>{texts.logIn.first}</p>
    <p>
      <code>npx intake invite --email you@example.com --role super_admin</code>
    </p>
    <p>{texts.logIn.firstSettings}</p>
  </Notice>
);

type CredentialProps = Readonly<{
  email: string;
  setEmail(email: string): void;
  password: string;
  setPassword(password: string): void;
  problem: Problem | null;
  /** Then only the password is to be typed. */
  isAgain: boolean;
}>;

const Credentials = ({ email, setEmail, password, setPassword, problem, isAgain }: CredentialProps) => (
  <>
    <TextField
      label={texts.logIn.email}
      type="email"
      autocomplete="username"
      required
      value={email}
      onInput={setEmail}
      fault={faultAt(problem, '/email')}
      autofocus={!isAgain}
    />
    <TextField
      label={texts.logIn.password}
      type="password"
      autocomplete="current-password"
      required
      value={password}
      onInput={setPassword}
      fault={faultAt(problem, '/password')}
      autofocus={isAgain}
    />
  </>
);
