import { type Decider, DomainError } from '../kernel/decider.ts';
import type { Event } from '../kernel/event.ts';

/** The stream of a company: `company-<ulid>`. */
export const companyStream = (companyId: string): string => `company-${companyId.slice(4)}`;

export type CompanyCreated = Event<'CompanyCreated', { companyId: string; name: string }>;
export type CompanyEvent = CompanyCreated;
export type Company = Readonly<{ id: string; name: string }>;
export type CreateCompany = Readonly<{ type: 'CreateCompany'; companyId: string; name: string }>;

const evolve = (_state: Company | null, { data }: CompanyEvent): Company => ({
  id: data.companyId,
  name: data.name,
});

const decide = ({ companyId, name }: CreateCompany, state: Company | null): readonly CompanyEvent[] => {
  if (state !== null) throw new DomainError('CompanyExists', 'There is a company of that identifier.');
  return [{ type: 'CompanyCreated', data: { companyId, name } }];
};

/** A customer of the platform: the scope of its keys, submissions and batches. */
export const company: Decider<Company | null, CreateCompany, CompanyEvent> = {
  category: 'company-',
  initial: null,
  evolve,
  decide,
  subject: () => null,
};
