import { useState } from 'preact/hooks';
import type { Companies as Page } from '../../../schemas/identity.ts';
import { announce } from '../../app/announce.tsx';
import { api } from '../../app/api.ts';
import { allCompanies } from '../../app/companies.ts';
import { usePages } from '../../app/pages.ts';
import { useAction, useResource } from '../../app/resource.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Form } from '../../parts/form.tsx';
import { SelectField } from '../../parts/formField.tsx';
import { ProblemNotice } from '../../parts/notice.tsx';
import { say, texts } from '../../texts.ts';
import { PATH } from './path.ts';

const own = texts.workflows;
const COMPANIES = `${PATH}/{slug}/companies` as const;
type Company = Page['data'][number];

/** Which companies use a workflow, and the ways to change that. */
export const Companies = ({ slug }: Readonly<{ slug: string }>) => {
  const { rows, hasMore, more, problem, reload } = usePages(COMPANIES, { path: { slug } });
  const [leaving, setLeaving] = useState<Company | null>(null);
  const unassign = async (): Promise<void> => {
    await api.delete(`${COMPANIES}/{companyId}`, { path: { slug, companyId: leaving?.id ?? '' } });
    announce(own.unassigned);
    reload();
  };
  return (
    <>
      <h2>{own.columns.companies}</h2>
      {problem && <ProblemNotice problem={problem} retry={reload} />}
      <ul class="choices">
        {rows.map((company) => (
          <li key={company.id}>
            {company.name} <small>{company.id}</small>{' '}
            <Button class="plain" onClick={() => setLeaving(company)}>
              {own.unassign}
              <span class="hidden"> {company.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {hasMore && <Button onClick={more}>{own.moreCompanies}</Button>}
      <Assign slug={slug} taken={rows} onAssigned={reload} />
      {leaving && (
        <ConfirmDialog
          title={own.unassign}
          act={own.unassign}
          danger
          work={unassign}
          onClose={() => setLeaving(null)}
        >
          <p>{say(own.unassignText, { name: leaving.name })}</p>
        </ConfirmDialog>
      )}
    </>
  );
};

type AssignProps = Readonly<{ slug: string; taken: readonly Company[]; onAssigned(): void }>;

const Assign = ({ slug, taken, onAssigned }: AssignProps) => {
  const [chosen, choose] = useState('');
  const { value } = useResource('companies', allCompanies);
  const { isRunning, problem, start } = useAction();
  const open = (value ?? []).filter(({ id }) => taken.every((one) => one.id !== id));
  const options = [
    { value: '', text: own.chooseCompany },
    ...open.map(({ id, name }) => ({ value: id, text: name })),
  ];
  const assign = async (): Promise<void> => {
    const done = await start(async () => {
      await api.put(`${COMPANIES}/{companyId}`, { path: { slug, companyId: chosen } });
    });
    if (!done) return;
    choose('');
    announce(own.assigned);
    onAssigned();
  };
  return (
    <Form class="filters wide" onSubmit={assign}>
      <SelectField label={own.assign} value={chosen} options={options} onChange={choose} />
      <button type="submit" disabled={chosen === '' || isRunning}>
        {own.assignAct}
      </button>
      {problem && <ProblemNotice problem={problem} />}
    </Form>
  );
};
