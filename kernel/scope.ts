/** Live data or test data: part of every scope; neither has access to the other. */
export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

/** What people may be: an org_admin, a reviewer and an auditor belong to one company, a super_admin to none. */
export const roles = ['org_admin', 'reviewer', 'auditor', 'super_admin'] as const;
export type Role = (typeof roles)[number];

/** What a person may do, and where. `companyId` is null for a super_admin alone. */
export type Office = Readonly<{ role: Role; companyId: string | null }>;
