import { useState } from 'preact/hooks';
import { type Company, scopeOf, useCompanies } from '../../app/companies.ts';
import { useKeys } from '../../app/keys.ts';
import { usePages } from '../../app/pages.ts';
import { useNames } from '../../app/people.ts';
import type { ScreenProps } from '../../app/screenProps.ts';
import { may } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { companyColumn } from '../../parts/office.tsx';
import { SaveList } from '../../parts/saveList.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { texts } from '../../texts.ts';
import { type ApiKey, KeyMark, labelOf, type Made, makerOf, SecretsOfKey } from './key.tsx';
import { KeyDialogs } from './keyDialogs.tsx';
import { NewKeyDialog } from './newKeyDialog.tsx';

const own = texts.apiKeys;

/** The API keys of a company, or of all: made, rotated and revoked here. */
const ApiKeys = ({ me, query }: ScreenProps) => {
  const companyId = scopeOf({ me, query });
  const { value: companies, problem, reload } = useCompanies(companyId);
  const pages = usePages('/api/v1/keys', {});
  const nameOf = useNames(pages.rows.map(({ createdBy }) => createdBy).filter((by) => by !== 'operator'));
  const [isNew, setNew] = useState(false);
  const [opened, open] = useState<ApiKey | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const changed = (secrets: Made | null): void => {
    setMade(secrets);
    pages.reload();
  };
  const mayMake = may('keys.manage');
  useKeys(mayMake ? [{ key: 'n', text: own.create, run: () => setNew(true) }] : []);
  const actions = (
    <>
      <SaveList path="/api/v1/keys" />
      {mayMake && (
        <Button class="primary" onClick={() => setNew(true)}>
          {own.create}
        </Button>
      )}
    </>
  );
  const dialogs = { companies, nameOf, onChanged: changed };
  return (
    <Screen title={own.title} actions={actions}>
      {problem && <ProblemNotice problem={problem} retry={reload} />}
      <Table
        label={own.title}
        columns={columnsOf({ companies, nameOf, open })}
        pages={pages}
        keyOf={({ id }) => id}
        empty={own.empty}
      />
      {opened && <KeyDialogs {...dialogs} apiKey={opened} onClose={() => open(null)} />}
      {isNew && <NewKeyDialog {...dialogs} companyId={companyId} onClose={() => setNew(false)} />}
      {made && <SecretsOfKey made={made} onClose={() => setMade(null)} />}
    </Screen>
  );
};
export default ApiKeys;

type Shown = Readonly<{
  companies: readonly Company[] | null;
  nameOf(userId: string): string;
  open(key: ApiKey): void;
}>;

const columnsOf = ({ companies, nameOf, open }: Shown): readonly Column<ApiKey>[] => [
  {
    text: own.columns.key,
    share: 4,
    cell: (key) => (
      <Button class="link" onClick={() => open(key)}>
        {labelOf(key)}
      </Button>
    ),
  },
  ...(companies ? [companyColumn<ApiKey>(companies)] : []),
  { text: own.columns.mode, share: 2, cell: ({ mode }) => own.modes[mode] },
  { text: own.columns.status, share: 4, cell: (key) => <KeyMark apiKey={key} /> },
  {
    text: own.columns.lastUsed,
    share: 3,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} /> : own.never),
  },
  { text: own.columns.madeBy, share: 4, cell: ({ createdBy }) => makerOf(createdBy, nameOf) },
  { text: own.columns.made, share: 3, cell: ({ createdAt }) => <When at={createdAt} /> },
];
