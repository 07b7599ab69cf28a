/** Live data or test data: part of every scope; neither sees the other. */
export type Mode = 'live' | 'test';

/** What an administrator may be: of one company, or of the platform. */
export type Role = 'org_admin' | 'super_admin';

/** What an administrator may do, and where: an org_admin has a company, a super_admin has none. */
export type Office = Readonly<{ role: Role; companyId: string | null }>;
