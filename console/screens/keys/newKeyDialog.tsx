import { useState } from 'preact/hooks';
import { send } from '../../app/api.ts';
import type { Company } from '../../app/companies.ts';
import type { Problem } from '../../app/problem.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { choicesOf, faultAt, SelectField, TextField } from '../../parts/formField.tsx';
import { CompanyField } from '../../parts/office.tsx';
import { texts } from '../../texts.ts';
import type { Made } from './key.tsx';

const own = texts.apiKeys;

type NewKeyProps = Readonly<{
  /** Null where one of `companies` is chosen, or none of them. */
  companyId: string | null;
  companies: readonly Company[] | null;
  onChanged(made: Made): void;
  onClose(): void;
}>;

/** Asks what key to make. */
export const NewKeyDialog = ({ companyId, companies, onChanged, onClose }: NewKeyProps) => {
  const [key, setKey] = useState<KeyDraft>({ name: '', mode: 'live', companyId: '' });
  const work = async (): Promise<void> => {
    const name = key.name.trim();
    const chosen = key.companyId === UNSCOPED ? null : key.companyId;
    const body = { companyId: companyId ?? chosen, mode: key.mode, ...(name === '' ? {} : { name }) };
    onChanged((await send<Made>('post', '/api/v1/keys', { body })).body);
  };
  return (
    <ConfirmDialog title={own.create} act={own.createAct} work={work} onClose={onClose}>
      {(problem) => <KeyFields draft={key} onChange={setKey} {...{ companies, problem }} />}
    </ConfirmDialog>
  );
};

/** A key as it is typed. */
type KeyDraft = Readonly<{ name: string; mode: string; companyId: string }>;

type FieldsProps = Readonly<{
  draft: KeyDraft;
  companies: readonly Company[] | null;
  problem: Problem | null;
  onChange(draft: KeyDraft): void;
}>;

const KeyFields = ({ draft, companies, problem, onChange }: FieldsProps) => (
  <>
    <TextField
      label={own.name}
      value={draft.name}
      onInput={(name) => onChange({ ...draft, name })}
      hint={own.nameHint}
      fault={faultAt(problem, '/name')}
      autofocus
    />
    <SelectField
      label={own.columns.mode}
      value={draft.mode}
      options={choicesOf(own.modes)}
      hint={own.modeHint}
      fault={faultAt(problem, '/mode')}
      onChange={(mode) => onChange({ ...draft, mode })}
    />
    <CompanyField
      value={draft.companyId}
      companies={companies}
      others={[{ value: UNSCOPED, text: own.unscoped }]}
      problem={problem}
      onChange={(companyId) => onChange({ ...draft, companyId })}
    />
  </>
);

const UNSCOPED = 'none';
