import type { Fault } from '../../kernel/fault.ts';
import type { Office, Role } from '../../kernel/scope.ts';
import type { PersonCaller } from '../engine/access/caller.ts';

/** Finds a company; null for none. */
type FindCompany = (companyId: string) => Promise<object | null>;

/** What a body asks for: the members that match its schema. */
type Asked = Readonly<{ role?: Role; companyId?: string | null }>;

const fault = (pointer: string, detail: string): readonly Fault[] => [{ pointer, detail }];

/**
 * The fault of a company in a person's body: the one that the caller acts for, or for a super_admin who names
 * none any that is there.
 */
export const companyFaults = async (
  { companyId: own }: PersonCaller,
  companyId: string | null | undefined,
  find: FindCompany,
): Promise<readonly Fault[]> => {
  if (companyId === undefined) return [];
  if (own !== null && companyId !== own)
    return fault('/companyId', 'must be the company that you act for: an API key or a person of it');
  if (companyId !== null && (await find(companyId)) === null)
    return fault('/companyId', 'must be the identifier of a company');
  return [];
};

/**
 * The company that a person gets with a role: the one that is named, else that of the person or the caller.
 */
export const officeOf = (
  role: Role,
  companyId: string | null | undefined,
  byDefault: string | null,
): Office => ({ role, companyId: role === 'super_admin' ? null : (companyId ?? byDefault) });

/**
 * The faults of a role and a company in a person's body (people-15): a super_admin has no company, and is
 * made by one who acts for none; all others have one.
 */
export const officeFaults = async (
  caller: PersonCaller,
  { role, companyId }: Asked,
  byDefault: string | null,
  find: FindCompany,
): Promise<readonly Fault[]> => {
  if (role === 'super_admin') {
    if (caller.companyId !== null)
      return fault('/role', 'must be of a company: only a super_admin who names none makes another one');
    return companyId ? fault('/companyId', 'must be absent: a super_admin is of no company') : [];
  }
  if (role !== undefined && !companyId && byDefault === null)
    return fault('/companyId', `must be the company of the ${role}`);
  return companyFaults(caller, companyId ?? undefined, find);
};
