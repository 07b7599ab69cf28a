import { completeCompanyLogIn } from '../app/account.ts';
import { useResource } from '../app/resource.ts';
import { base, hrefOf, navigate, place } from '../app/router.ts';
import { Notice, ProblemNotice, Skeleton } from '../parts/notice.tsx';
import { Screen } from '../parts/screen.tsx';
import { texts } from '../texts.ts';

/** What the company's log-in service says in the address: once read it leaves the browser's history. */
const said = (): Readonly<Record<string, string>> => {
  const { query } = place.get();
  window.history.replaceState(null, '', hrefOf('/signed-in', { close: query.get('close') }));
  return Object.fromEntries(query);
};

/** Where the company's log-in service sends the browser back to. */
const SignedIn = () => {
  const { value, problem } = useResource('signed-in', async () => {
    const { state = '', code = null, iss = null, error = null } = said();
    const returnTo = await completeCompanyLogIn({ code, state, iss, error });
    if (isOwnWindow(returnTo)) window.close();
    else navigate(pathOf(returnTo), { replace: true });
    return true;
  });
  return (
    <main class="narrow">
      <Screen title={texts.logIn.title}>
        {!value && !problem && <Skeleton />}
        {problem && <ProblemNotice problem={problem} />}
        {problem && <a href={hrefOf('/')}>{texts.logIn.back}</a>}
        {value && <Notice kind="good">{texts.logIn.closeWindow}</Notice>}
      </Screen>
    </main>
  );
};
export default SignedIn;

const isOwnWindow = (returnTo: string): boolean => /[?&]close=1\b/.test(returnTo);

/** Only a path of the console: whatever an address says, nobody is sent elsewhere. */
const pathOf = (returnTo: string): string =>
  /^\/console(?:[/?]|$)/.test(returnTo.slice(base.length)) ? returnTo : hrefOf('/');
