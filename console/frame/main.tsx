import { render } from 'preact';
import { startSession } from '../app/account.ts';
import { Announcements, announce } from '../app/announce.tsx';
import { useResource } from '../app/resource.ts';
import { place, startRouter } from '../app/router.ts';
import { session } from '../app/session.ts';
import { useStore } from '../app/store.ts';
import { zone } from '../app/zone.ts';
import { ProblemNotice, Skeleton } from '../parts/notice.tsx';
import { LogIn } from '../screens/logIn.tsx';
import { Invite, SignedIn, Undo } from '../screens/work.ts';
import { texts } from '../texts.ts';
import { type Load, Loaded } from './loaded.tsx';
import { Shell } from './shell.tsx';

/** The screens that need no log-in. */
const outside: Readonly<Record<string, Load<object>>> = {
  '/invite': async () => Invite,
  '/signed-in': async () => SignedIn,
  '/verify': async () => (await import('../screens/verify/verify.tsx')).default,
};

const App = () => {
  const { path } = useStore(place);
  const load = outside[path];
  // Every time on the page is of the zone that is chosen.
  useStore(zone);
  return (
    <>
      {load ? <Loaded key={path} load={load} properties={{}} /> : <Inside />}
      <Announcements>
        <Undo />
      </Announcements>
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
