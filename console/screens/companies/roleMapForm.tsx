import { useRef, useState } from 'preact/hooks';
import type { CompanyLogIn } from '../../../schemas/logIn.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { TextField } from '../../parts/formField.tsx';
import { say, texts } from '../../texts.ts';

const own = texts.companyLogIn;

type MappedRole = CompanyLogIn['roles'][string];
const ROLES = ['reviewer', 'auditor', 'org_admin'] as const satisfies readonly MappedRole[];

/** A value of the claim and its role, as typed; `key` names the row while others come and go. */
type Row = Readonly<{ key: number; value: string; role: (typeof ROLES)[number]; isNew?: boolean }>;

const rowsOf = (roles: CompanyLogIn['roles']): readonly Row[] =>
  Object.entries(roles).map(([value, role], key) => ({ key, value, role }));

type FormProps = Readonly<{ settings: CompanyLogIn; change(body: object): Promise<void> }>;

/** What is typed, the row whose value another one has too, and what is done with it. */
const useRoleMap = ({ settings, change }: FormProps) => {
  const [claim, setClaim] = useState(settings.claim ?? '');
  const [rows, setRows] = useState(rowsOf(settings.roles));
  const given = rows.filter(({ value }) => value.trim() !== '');
  const twice = given.find(({ value, key }) =>
    given.some((other) => other.key < key && other.value.trim() === value.trim()),
  );
  const save = (): Promise<void> =>
    change({
      claim: claim.trim(),
      roles: Object.fromEntries(given.map(({ value, role }) => [value.trim(), role])),
    });
  const remove = async (): Promise<void> => {
    await change({});
    setClaim('');
    setRows([]);
  };
  return { claim, setClaim, rows, setRows, isEmpty: given.length === 0, twice, save, remove };
};

/** Which values of which claim give which role: none of either leaves the roles to the administrators. */
export const RoleMapForm = (props: FormProps) => {
  const { claim, setClaim, rows, setRows, isEmpty, twice, ...acts } = useRoleMap(props);
  const [asked, ask] = useState<Asked | null>(null);
  const submit = (): void => {
    if (!twice) ask('save');
  };
  return (
    <>
      <Form onSubmit={submit}>
        <h2>{own.map}</h2>
        <p>{own.mapText}</p>
        <TextField
          label={own.claim}
          hint={own.claimHint}
          required
          value={claim}
          onInput={setClaim}
          autocomplete="off"
        />
        <RowFields rows={rows} twice={twice?.key ?? null} onChange={setRows} />
        <div class="actions">
          <Submit disabled={isEmpty}>{own.save}</Submit>
          {props.settings.claim !== null && <Button onClick={() => ask('remove')}>{own.remove}</Button>}
        </div>
      </Form>
      {asked && <AskDialog asked={asked} work={acts[asked]} onClose={() => ask(null)} />}
    </>
  );
};

type Asked = 'save' | 'remove';

const AskDialog = ({
  asked,
  ...acts
}: Readonly<{ asked: Asked; work(): Promise<void>; onClose(): void }>) => (
  <ConfirmDialog title={own[`${asked}Title`]} act={own[asked]} danger={asked === 'save'} {...acts}>
    <p>{own[`${asked}Text`]}</p>
  </ConfirmDialog>
);

type RowsProps = Readonly<{
  rows: readonly Row[];
  /** The row whose value another one has too. */
  twice: number | null;
  onChange(rows: readonly Row[]): void;
}>;

const RowFields = ({ rows, twice, onChange }: RowsProps) => {
  const adding = useRef<HTMLButtonElement>(null);
  const change = (key: number, members: Partial<Row>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...members } : row)));
  const add = (): void => {
    const key = 1 + Math.max(-1, ...rows.map((row) => row.key));
    onChange([...rows, { key, value: '', role: 'reviewer', isNew: true }]);
  };
  const drop = (key: number): void => {
    onChange(rows.filter((row) => row.key !== key));
    adding.current?.focus();
  };
  return (
    <fieldset class="reasons">
      <legend>{own.values}</legend>
      {rows.map((row, index) => (
        <Mapping
          key={row.key}
          row={row}
          number={index + 1}
          isTwice={twice === row.key}
          onChange={(members) => change(row.key, members)}
          onDrop={() => drop(row.key)}
        />
      ))}
      <button ref={adding} type="button" onClick={add}>
        {own.add}
      </button>
    </fieldset>
  );
};

type MappingProps = Readonly<{
  row: Row;
  number: number;
  isTwice: boolean;
  onChange(members: Partial<Row>): void;
  onDrop(): void;
}>;

const Mapping = ({ row: { value, role, isNew }, number, isTwice, onChange, onDrop }: MappingProps) => (
  <div class="mapping">
    <TextField
      label={say(own.value, { row: number })}
      value={value}
      fault={isTwice ? own.twice : null}
      autofocus={isNew === true}
      onInput={(text) => onChange({ value: text })}
    />
    <select
      aria-label={say(own.roleOf, { value: value || String(number) })}
      value={role}
      onChange={({ currentTarget }) => onChange({ role: currentTarget.value as MappedRole })}
    >
      {ROLES.map((one) => (
        <option key={one} value={one}>
          {texts.roles[one]}
        </option>
      ))}
    </select>
    <Button aria-label={say(own.dropOf, { value: value || String(number) })} onClick={onDrop}>
      {own.drop}
    </Button>
  </div>
);
