import { useState } from 'preact/hooks';
import { api } from '../app/api.ts';
import { allCompanies, type Company } from '../app/companies.ts';
import { useResource } from '../app/resource.ts';
import { hrefOf, navigate, place } from '../app/router.ts';
import { useStore } from '../app/store.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/formField.tsx';
import { Empty, Reading } from '../parts/notice.tsx';
import { Screen } from '../parts/screen.tsx';
import { texts } from '../texts.ts';
import { FirstSteps } from './firstSteps.tsx';

/** The companies of the platform, of which a super_admin chooses one. */
export const CompanyChoice = () => {
  const { path, query } = useStore(place);
  const [text, setText] = useState('');
  const companies = useResource('companies', allCompanies);
  const { value } = companies;
  const found = value?.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())) ?? [];
  const rest = Object.fromEntries(query);
  return (
    <Screen title={texts.company.choose}>
      {value && value.length < 2 && <FirstSteps company={value[0] ?? null} />}
      {value?.length !== 0 && (
        <TextField label={texts.company.search} type="search" value={text} onInput={setText} />
      )}
      <Reading resource={companies} />
      {value && found.length === 0 && (
        <Empty>{value.length === 0 ? texts.companies.empty : texts.company.none}</Empty>
      )}
      <ul class="choices">
        {found.map(({ id, name }) => (
          <li key={id}>
            <a href={hrefOf(path, { ...rest, company: id })}>{name}</a> <small>{id}</small>
          </li>
        ))}
      </ul>
    </Screen>
  );
};

/** The company whose data are shown, and for a super_admin the way to another. */
export const CompanyName = ({ own }: Readonly<{ own: Company | null }>) => {
  const { query } = useStore(place);
  const id = query.get('company');
  const { value } = useResource(own === null && id ? id : null, async (signal) => {
    const { data } = await api.get('/api/v1/companies', { signal });
    return data[0]?.name ?? null;
  });
  if (own) return <span>{own.name}</span>;
  if (!id) return <span>{texts.company.all}</span>;
  return (
    <a href={hrefOf('/', { company: null })} title={texts.company.change}>
      {value ?? id}
    </a>
  );
};

/** Live data or test data: the other is another screen, with nothing of this one. */
export const ModeSwitch = () => {
  const { query } = useStore(place);
  const isTest = query.get('mode') === 'test';
  const turn = (): void => navigate(hrefOf('/', { mode: isTest ? null : 'test' }));
  return (
    <Button class="plain" aria-pressed={isTest} onClick={turn}>
      {texts.mode.test}
    </Button>
  );
};
