import type { Me } from '../../schemas/identity.ts';
import { hrefOf, place } from '../app/router.ts';
import { useStore } from '../app/store.ts';
import { Button } from '../parts/button.tsx';
import { Empty, Notice } from '../parts/notice.tsx';
import { Screen } from '../parts/screen.tsx';
import { LogInDialog } from '../screens/logIn.tsx';
import { say, texts } from '../texts.ts';
import { Bar } from './bar.tsx';
import { Loaded } from './loaded.tsx';
import { CompanyChoice } from './scope.tsx';
import { screenAt, screens, startOf } from './screens.ts';
import { Waiting } from './waiting.tsx';

type ShellProps = Readonly<{ me: Me; isExpired: boolean }>;

/** The frame of every screen: bar, navigation, and the log-in over it when the session has ended. */
export const Shell = ({ me, isExpired }: ShellProps) => {
  const { path: given, query } = useStore(place);
  const path = given === '/' ? startOf(me) : given;
  const isTest = query.get('mode') === 'test';
  return (
    <div class={isTest ? 'shell test' : 'shell'}>
      <SkipLink />
      <Bar me={me} />
      <Navigation me={me} path={path} query={query} />
      <main id="main" tabIndex={-1}>
        {isTest && <Notice kind="warning">{texts.mode.testNotice}</Notice>}
        <Content me={me} path={path} query={query} />
      </main>
      {isExpired && <LogInDialog email={me.email ?? ''} />}
    </div>
  );
};

/** A button: the router would follow a link, and the address would change. */
const SkipLink = () => (
  <Button class="skip" onClick={() => document.getElementById('main')?.focus()}>
    {texts.skip}
  </Button>
);

const Navigation = ({ me, path, query }: ContentProps) => {
  // A submission that was opened from the queue leads back to it.
  const from = query.has('queue') ? '/queue' : path;
  return (
    <nav aria-label={texts.navigation}>
      <ul>
        {screens
          .filter(({ nav, permission }) => nav !== undefined && me.permissions.includes(permission))
          .map(({ path: own, nav, ofPlatform }) => (
            <li key={own}>
              <a
                href={hrefOf(own, ofPlatform && { company: null })}
                aria-current={isBelow(from, own) ? 'page' : undefined}
              >
                {nav}
                {own === '/queue' && mayWait(me, query) && (
                  <Waiting key={`${query.get('company')} ${query.get('mode')}`} isFollowed={path === own} />
                )}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
};

/** Whether reviews of the company wait for the person. */
const mayWait = ({ permissions, company }: Me, query: URLSearchParams): boolean =>
  permissions.includes('submissions.claim') && (company !== null || query.has('company'));

const isBelow = (path: string, own: string): boolean => path === own || path.startsWith(`${own}/`);

type ContentProps = Readonly<{ me: Me; path: string; query: URLSearchParams }>;

const Content = ({ me, path, query }: ContentProps) => {
  const found = screenAt(path);
  if (!found)
    return (
      <Screen title={texts.notFound.title}>
        <Empty>{texts.notFound.text}</Empty>
      </Screen>
    );
  const { screen, parameters } = found;
  if (!me.permissions.includes(screen.permission))
    return (
      <Screen title={texts.notPermitted.title}>
        <Empty>{say(texts.notPermitted.text, { role: texts.roles[me.role] })}</Empty>
      </Screen>
    );
  if (screen.ofCompany && me.company === null && !query.has('company')) return <CompanyChoice />;
  // Another company or mode is another screen: nothing that was read before stays.
  const key = `${screen.path} ${query.get('company')} ${query.get('mode')} ${me.userId}`;
  return <Loaded key={key} load={screen.load} properties={{ parameters, query, me }} />;
};
