import type { Company, Me } from '../../../schemas/identity.ts';

/** A new link to choose a password by: `url` is null where it is mailed. */
export type Issued = Readonly<{ email: string; url: string | null; expiresAt: string }>;

/** What the views of this screen are about. */
export type Scope = Readonly<{
  me: Me;
  /** Null for the platform. */
  companyId: string | null;
  /** Null unless all companies are shown. */
  companies: readonly Company[] | null;
}>;
