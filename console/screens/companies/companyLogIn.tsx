import { useState } from 'preact/hooks';
import type { Answer } from '../../../client/answer.ts';
import type { ChangeCompanyLogIn, CompanyLogIn, LogInMethods } from '../../../client/api.ts';
import { methods } from '../../app/account.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { useResource } from '../../app/resource.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { may } from '../../app/session.ts';
import { Facts } from '../../parts/facts.tsx';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice.tsx';
import { Reload } from '../../parts/reload.tsx';
import { Screen } from '../../parts/screen.tsx';
import { texts } from '../../texts.ts';
import { RoleMapForm } from './roleMapForm.tsx';

const own = texts.companyLogIn;
const PATH = '/api/v1/companies/{companyId}/log-in';

/** How the people of a company log in, and where their roles come from. */
const CompanyLogInScreen = ({ parameters: { id: companyId = '' } }: ScreenProps) => {
  const path = { companyId };
  const ways = useResource('methods', methods);
  const settings = useResource(companyId, (signal) => api.request('get', PATH, { path, signal }));
  const [saved, setSaved] = useState<Answer<CompanyLogIn> | null>(null);
  const shown = saved ?? settings.value;
  const change = async (body: ChangeCompanyLogIn): Promise<void> => {
    // What this page shows is changed, and nothing that came between.
    setSaved(await api.request('put', PATH, { path, body, ifMatch: shown?.etag ?? null }));
    announce(own.saved);
  };
  const reload = (): void => {
    setSaved(null);
    settings.reload();
  };
  return (
    <Screen title={own.title} actions={<Reload run={reload} />}>
      {[ways, settings].map(
        ({ problem, reload }) =>
          problem && <ProblemNotice key={problem.code} problem={problem} retry={reload} />,
      )}
      {ways.value && <Service ways={ways.value} />}
      {shown ? (
        <Settings key={settings.value?.etag} settings={shown.body} change={change} />
      ) : (
        !settings.problem && <Skeleton />
      )}
    </Screen>
  );
};
export default CompanyLogInScreen;

/** The settings, to change for who may. */
const Settings = (props: Parameters<typeof RoleMapForm>[0]) => {
  const { claim, roles } = props.settings;
  if (may('logIn.manage')) return <RoleMapForm {...props} />;
  const groups = Object.entries(roles).map(([group, role]) => [group, texts.roles[role]] as const);
  return (
    <section>
      <h2>{own.map}</h2>
      <p>{claim === null ? own.noMap : own.mapText}</p>
      <Facts facts={[[own.claim, claim], ...groups]} />
    </section>
  );
};

/** What the service is set to, which its operator decides. */
const Service = ({ ways: { password, identityProvider } }: Readonly<{ ways: LogInMethods }>) => (
  <section>
    <h2>{own.service}</h2>
    <p>
      <small>{own.serviceText}</small>
    </p>
    <Facts
      facts={[
        [own.provider, identityProvider ?? own.noProvider],
        [own.password, password ? own.passwordOn : own.passwordOff],
      ]}
    />
    {identityProvider === null && <Notice kind="info">{own.noEffect}</Notice>}
  </section>
);
