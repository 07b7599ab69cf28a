/** Live data or test data: part of every scope; neither has access to the other. */
export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

/** The roles of administrators: of one company, or of the platform. */
export const roles = ['org_admin', 'super_admin'] as const;
export type Role = (typeof roles)[number];

/** What an administrator may do, and where: an org_admin has a company, a super_admin has none. */
export type Office = Readonly<{ role: Role; companyId: string | null }>;
