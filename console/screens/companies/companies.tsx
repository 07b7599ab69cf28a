import { useState } from 'preact/hooks';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { allCompanies, type Company } from '../../app/companies.ts';
import { useKeys } from '../../app/keys.ts';
import { useResource } from '../../app/resource.ts';
import { hrefOf } from '../../app/router.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { faultAt, TextField } from '../../parts/formField.tsx';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.companies;

const columns: readonly Column<Company>[] = [
  {
    text: texts.company.one,
    share: 4,
    cell: ({ id, name }) => <a href={hrefOf('/submissions', { company: id })}>{name}</a>,
  },
  { text: own.identifier, share: 4, cell: ({ id }) => <code>{id}</code> },
  {
    text: own.manage,
    share: 4,
    cell: ({ id, name }) => (
      <span class="links">
        {LINKS.map(({ text, path }) => (
          <a key={text} aria-label={`${text}: ${name}`} href={hrefOf(path(id), { company: id })}>
            {text}
          </a>
        ))}
      </span>
    ),
  },
];

const LINKS = [
  { text: texts.people.title, path: () => '/people' },
  { text: texts.apiKeys.title, path: () => '/keys' },
  { text: own.logIn, path: (id: string) => `/companies/${id}/log-in` },
] as const;

/** The companies of the platform: chosen, and made. */
const Companies = () => {
  const { value, problem, reload } = useResource('companies', allCompanies);
  const [text, setText] = useState('');
  const [isNew, setNew] = useState(false);
  useKeys([{ key: 'n', text: own.create, run: () => setNew(true) }]);
  const rows = value?.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())) ?? [];
  const pages = { rows, hasMore: value ? false : null, problem, reload, more: reload };
  const create = (
    <Button class="primary" onClick={() => setNew(true)}>
      {own.create}
    </Button>
  );
  return (
    <Screen title={own.title} actions={create}>
      <TextField label={texts.company.search} type="search" value={text} onInput={setText} />
      <Table
        label={own.title}
        columns={columns}
        pages={pages}
        keyOf={({ id }) => id}
        empty={value?.length === 0 ? own.empty : texts.company.none}
      />
      {isNew && <NewCompanyDialog onMade={reload} onClose={() => setNew(false)} />}
    </Screen>
  );
};
export default Companies;

const NewCompanyDialog = ({ onMade, onClose }: Readonly<{ onMade(): void; onClose(): void }>) => {
  const [name, setName] = useState('');
  const work = async (): Promise<void> => {
    const body = { name: name.trim() };
    await api.post('/api/v1/companies', { body });
    announce(say(own.made, { name: body.name }));
    onMade();
  };
  return (
    <ConfirmDialog title={own.create} act={own.createAct} work={work} onClose={onClose}>
      {(problem) => (
        <TextField
          label={own.name}
          required
          value={name}
          onInput={setName}
          hint={own.nameHint}
          fault={faultAt(problem, '/name')}
          autofocus
        />
      )}
    </ConfirmDialog>
  );
};
