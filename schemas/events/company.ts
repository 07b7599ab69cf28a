import { company } from '../../domain/company.ts';
import { closed, Type } from '../../kernel/schema.ts';
import type { StreamEntry } from './event.ts';
import { CompanyId } from './parts.ts';

/** A company's events. */
export const companyEvents = {
  category: company.category,
  events: {
    CompanyCreated: {
      about: 'A customer of the platform was entered.',
      writtenBy: ['commands/administer.ts'],
      versions: [closed({ companyId: CompanyId, name: Type.String() })],
    },
  },
} as const satisfies StreamEntry;
