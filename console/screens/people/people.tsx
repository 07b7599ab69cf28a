import { useState } from 'preact/hooks';
import { announce } from '../../app/announce.tsx';
import { scopeOf, useCompanies } from '../../app/companies.ts';
import { useKeys } from '../../app/keys.ts';
import { usePages } from '../../app/pages.ts';
import { hrefOf } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { companyColumn } from '../../parts/office.tsx';
import { SaveList } from '../../parts/saveList.tsx';
import { Screen } from '../../parts/screen.tsx';
import { SecretsDialog } from '../../parts/secrets.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { say, texts } from '../../texts.ts';
import { InvitationTable } from './invitations.tsx';
import { InviteDialog } from './inviteDialog.tsx';
import { KeysLeftDialog } from './keysLeft.tsx';
import { emailOf, nameOf, type Person, PersonDialogs, PersonMark } from './person.tsx';
import type { Issued, Left, Scope } from './scope.ts';

const own = texts.people;

/** The people of a company, or of the platform, and who was invited. */
const People = ({ me, query }: ScreenProps) => {
  const companyId = scopeOf({ me, query });
  const { value: companies, problem, reload } = useCompanies(companyId);
  const [isInviting, invite] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const [left, setLeft] = useState<Left | null>(null);
  const [round, setRound] = useState(0);
  const view = query.get('view') === 'invitations' ? 'invitations' : 'people';
  const changed = (made: Issued | null): void => {
    if (made?.url) setIssued(made);
    else setRound(round + 1);
    if (made && made.url === null) announce(say(own.mailed, { email: made.email }));
  };
  const scope = { me, companyId, companies };
  useKeys(may('people.manage') ? [{ key: 'n', text: own.invite, run: () => invite(true) }] : []);
  return (
    <Screen title={own.title} actions={<Actions companyId={companyId} onInvite={() => invite(true)} />}>
      <Views view={view} />
      {problem && <ProblemNotice problem={problem} retry={reload} />}
      {view === 'people' ? (
        <PeopleTable scope={scope} round={round} onChanged={changed} onKeysLeft={setLeft} />
      ) : (
        <InvitationTable scope={scope} round={round} />
      )}
      {isInviting && <InviteDialog scope={scope} onMade={changed} onClose={() => invite(false)} />}
      {left && <KeysLeftDialog {...left} onClose={() => setLeft(null)} />}
      {issued && <LinkDialog issued={issued} onClose={() => [setIssued(null), setRound(round + 1)]} />}
    </Screen>
  );
};
export default People;

const Actions = ({ companyId, onInvite }: Readonly<{ companyId: string | null; onInvite(): void }>) => (
  <>
    <SaveList path="/api/v1/people" />
    {companyId !== null && (
      <a class="button" href={hrefOf(`/companies/${companyId}/log-in`)}>
        {texts.companyLogIn.title}
      </a>
    )}
    {may('people.manage') && (
      <Button class="primary" onClick={onInvite}>
        {own.invite}
      </Button>
    )}
  </>
);

const Views = ({ view }: Readonly<{ view: keyof typeof own.views }>) => (
  <nav class="views" aria-label={own.viewsTitle}>
    {(['people', 'invitations'] as const).map((one) => (
      <a
        key={one}
        href={hrefOf('/people', one === 'people' ? {} : { view: one })}
        aria-current={view === one ? 'page' : undefined}
      >
        {own.views[one]}
      </a>
    ))}
  </nav>
);

/** The link of an invitation, once. */
const LinkDialog = ({ issued, onClose }: Readonly<{ issued: Issued; onClose(): void }>) => (
  <SecretsDialog
    title={own.link}
    secrets={[{ label: say(own.linkFor, { email: issued.email }), value: issued.url ?? '' }]}
    onClose={onClose}
  >
    <p>
      {own.linkText} <When at={issued.expiresAt} exact />
    </p>
  </SecretsDialog>
);

type TableProps = Readonly<{
  scope: Scope;
  round: number;
  onChanged(made: Issued | null): void;
  onKeysLeft(left: Left): void;
}>;

const PeopleTable = ({ scope, round, ...events }: TableProps) => {
  const pages = usePages('/api/v1/people', {}, round);
  const [opened, open] = useState<Person | null>(null);
  return (
    <>
      <Table
        label={own.title}
        columns={columnsOf(scope, open)}
        pages={pages}
        keyOf={({ id }) => id}
        empty={own.empty}
      />
      {opened && <PersonDialogs scope={scope} person={opened} {...events} onClose={() => open(null)} />}
    </>
  );
};

const columnsOf = ({ me, companies }: Scope, open: (person: Person) => void): readonly Column<Person>[] => [
  {
    text: own.columns.person,
    share: 4,
    cell: (person) => (
      <>
        <Button class="link" onClick={() => open(person)}>
          {nameOf(person)}
        </Button>
        {person.id === me.userId && ` ${own.you}`}
      </>
    ),
  },
  { text: own.columns.email, share: 4, cell: emailOf },
  { text: own.role, share: 3, cell: ({ role }) => texts.roles[role] },
  ...(companies ? [companyColumn<Person>(companies)] : []),
  {
    text: own.columns.lastLogIn,
    share: 3,
    cell: ({ lastLogInAt }) => (lastLogInAt ? <When at={lastLogInAt} /> : own.never),
  },
  { text: own.columns.status, share: 3, cell: (person) => <PersonMark person={person} /> },
];
