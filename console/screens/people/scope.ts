import type { Company, Me } from '../../../schemas/identity.ts';
import type { KeyLeft } from '../../../schemas/people.ts';

/** A new link to choose a password by: `url` is null where it is mailed. */
export type Issued = Readonly<{ email: string; url: string | null; expiresAt: string }>;

/** The keys that a person made and that go on. */
export type Left = Readonly<{ name: string; keys: readonly KeyLeft[] }>;

/** What the views of this screen are about. */
export type Scope = Readonly<{
  me: Me;
  /** Null for the platform. */
  companyId: string | null;
  /** Null unless all companies are shown. */
  companies: readonly Company[] | null;
}>;
