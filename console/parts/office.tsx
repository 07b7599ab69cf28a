import type { Company } from '../app/companies.ts';
import type { Problem } from '../app/problem.ts';
import { texts } from '../texts.ts';
import { faultAt, SelectField } from './formField.tsx';
import type { Column } from './table.tsx';

export type Role = keyof typeof texts.roles;
const ROLES = Object.keys(texts.roles) as readonly Role[];

type CompanyProps = Readonly<{
  value: string;
  companies: readonly Company[] | null;
  /** What can be chosen in the place of a company. */
  others?: readonly Readonly<{ value: string; text: string }>[];
  problem: Problem | null;
  onChange(value: string): void;
}>;

/** One of the companies; nothing where they are not there to choose from. */
export const CompanyField = ({ companies, others = [], problem, ...select }: CompanyProps) =>
  companies && (
    <SelectField
      {...select}
      label={texts.company.one}
      required
      options={[
        { value: '', text: texts.company.choose },
        ...others,
        ...companies.map(({ id, name }) => ({ value: id, text: `${name} (…${id.slice(-4)})` })),
      ]}
      fault={faultAt(problem, '/companyId')}
    />
  );

/** A role, and the company where it needs one that is not known. */
export type OfficeDraft = Readonly<{ role: Role; companyId: string }>;

type OfficeProps = Readonly<{
  office: OfficeDraft;
  /** Whether a super_admin may be made here. */
  ofPlatform: boolean;
  /** Null where the company is known. */
  companies: readonly Company[] | null;
  problem: Problem | null;
  onChange(office: OfficeDraft): void;
}>;

/** Asks for a role, and for the company where it needs one. */
export const OfficeFields = ({ office, ofPlatform, companies, problem, onChange }: OfficeProps) => (
  <>
    <SelectField
      label={texts.people.role}
      value={office.role}
      options={ROLES.filter((role) => ofPlatform || role !== 'super_admin').map((value) => ({
        value,
        text: texts.roles[value],
      }))}
      hint={texts.people.rolesMay[office.role]}
      fault={faultAt(problem, '/role')}
      onChange={(role) => onChange({ ...office, role: role as Role })}
    />
    {office.role !== 'super_admin' && (
      <CompanyField
        value={office.companyId}
        companies={companies}
        problem={problem}
        onChange={(companyId) => onChange({ ...office, companyId })}
      />
    )}
  </>
);

/** The same as members of a body. */
export const officeBody = ({ role, companyId }: OfficeDraft) =>
  role === 'super_admin' || companyId === '' ? { role } : { role, companyId };

/** The company of a row, by name. */
export const companyColumn = <R extends Readonly<{ companyId: string | null }>>(
  companies: readonly Company[],
): Column<R> => {
  const names = new Map(companies.map(({ id, name }) => [id, name]));
  return {
    text: texts.company.one,
    share: 3,
    cell: ({ companyId }) => (companyId === null ? '' : (names.get(companyId) ?? companyId)),
  };
};
