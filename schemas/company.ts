import { id, type Of, pageOf, Type } from '../kernel/schema.ts';

/** A company (companies-2). */
export const Company = Type.Object({ id: id('cmp'), name: Type.String() });
export type Company = Of<typeof Company>;

/** GET /companies: the key's own company, or none. */
export const Companies = pageOf(Company);
