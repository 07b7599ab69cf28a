import { type Decider, DomainError } from '../kernel/decider.ts';
import type { EventDefinitions, EventsOf } from '../kernel/eventDefinition.ts';
import { closed, Type } from '../kernel/schema.ts';

/** The stream of a company: `company-<ulid>`. */
export const companyStream = (companyId: string): string => `company-${companyId.slice(4)}`;

const events = {
  CompanyCreated: {
    about: 'A customer of the platform was registered.',
    data: closed({ companyId: Type.String(), name: Type.String() }),
  },
} as const satisfies EventDefinitions;

export type CompanyEvent = EventsOf<typeof events>;
export type Company = Readonly<{ id: string; name: string }>;
type CreateCompany = Readonly<{ type: 'CreateCompany'; companyId: string; name: string }>;

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
  events,
  initial: null,
  evolve,
  decide,
  subject: () => null,
};
