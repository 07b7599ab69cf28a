/** Live data or test data: part of every scope; neither has access to the other. */
export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

/** What people of one company may be: the first counts where an identity provider names several. */
export const companyRoles = ['org_admin', 'reviewer', 'auditor'] as const;
/** What people may be: a super_admin belongs to no company. */
export const roles = [...companyRoles, 'super_admin'] as const;
export type Role = (typeof roles)[number];

/** What a person may do, and where. `companyId` is null for a super_admin alone. */
export type Office = Readonly<{ role: Role; companyId: string | null }>;
