import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { may } from '../../app/session.ts';
import { Screen } from '../../parts/screen.tsx';
import { texts } from '../../texts.ts';
import { FindPerson } from './findPerson.tsx';
import { Redactions } from './redactions.tsx';
import { RetentionView } from './retention.tsx';

const own = texts.privacy;
const VIEWS = ['person', 'redactions', 'retention'] as const;
type View = (typeof VIEWS)[number];

/** What belongs to a person, its export and redaction; and how long what the company sent is kept. */
const Privacy = ({ me, query }: ScreenProps) => {
  const companyId = me.company?.id ?? query.get('company') ?? '';
  const views = VIEWS.filter((one) => one !== 'retention' || may('retention.manage'));
  const view = views.find((one) => one === query.get('view')) ?? 'person';
  return (
    <Screen title={own.title}>
      <Views views={views} view={view} />
      {view === 'person' && <FindPerson />}
      {view === 'redactions' && <Redactions id={query.get('redaction')} />}
      {view === 'retention' && <RetentionView companyId={companyId} />}
    </Screen>
  );
};
export default Privacy;

const Views = ({ views, view }: Readonly<{ views: readonly View[]; view: View }>) => (
  <nav class="views" aria-label={own.viewsTitle}>
    {views.map((one) => (
      <a
        key={one}
        href={hrefOf('/privacy', one === 'person' ? {} : { view: one })}
        aria-current={view === one ? 'page' : undefined}
      >
        {own.views[one]}
      </a>
    ))}
  </nav>
);
