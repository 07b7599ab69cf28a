import { render } from 'preact';
import { ProblemNotice, Skeleton } from '../parts/notice.tsx';
import { LogIn } from '../screens/logIn.tsx';
import { Invite, SignedIn } from '../screens/work.ts';
import { texts } from '../texts.ts';
import { startSession } from './account.ts';
import { Announcements, announce } from './announce.tsx';
import { type Load, Loaded } from './loaded.tsx';
import { useResource } from './resource.ts';
import { place, startRouter } from './router.ts';
import { session } from './session.ts';
import { Shell } from './shell.tsx';
import { useStore } from './store.ts';

/** The screens that need no log-in. */
const outside: Readonly<Record<string, Load<object>>> = {
  '/invite': async () => Invite,
  '/signed-in': async () => SignedIn,
  '/verify': async () => (await import('../screens/verify/verify.tsx')).default,
};

const App = () => {
  const { path } = useStore(place);
  const load = outside[path];
  return (
    <>
      {load ? <Loaded key={path} load={load} properties={{}} /> : <Inside />}
      <Announcements />
    </>
  );
};

/** What needs a session: the screens, or the log-in in their place. */
const Inside = () => {
  const current = useStore(session);
  const { problem, reload } = useResource<true>('session', () => startSession().then(() => true));
  if (current.state === 'in') return <Shell me={current.me} isExpired={current.expired} />;
  if (current.state === 'out') return <LogIn />;
  return <main>{problem ? <ProblemNotice problem={problem} retry={reload} /> : <Skeleton />}</main>;
};

startRouter();
// A fault of the console: without this it would stop without a word.
window.addEventListener('unhandledrejection', () => announce(texts.unexpected, true));
const root = document.getElementById('console');
if (root) render(<App />, root);
