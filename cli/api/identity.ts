import type { IntakeClient } from '../../client/index.ts';
import { printable } from '../output.ts';

/** Whose key it is. Of an unscoped key only the service is known. */
export type Identity = Readonly<{
  url: string;
  company: Readonly<{ id: string; name: string }> | null;
  mode: 'live' | 'test' | null;
  keyId: string | null;
}>;

/** Asks a service whose key it is. Throws an `IntakeError` where it refuses the key, or does not answer. */
export const identityOf = async (intake: IntakeClient, url: string): Promise<Identity> => {
  const { data } = await intake.get('/api/v1/companies');
  const [company = null] = data;
  if (company === null) return { url, company, mode: null, keyId: null };
  const { id, mode } = await intake.get('/api/v1/keys/current');
  return { url, company, mode, keyId: id };
};

/** The same for people. */
export const identityText = ({ url, company, mode, keyId }: Identity): string =>
  company === null
    ? `${url} takes the key, which belongs to no company.`
    : `${url} takes the key ${keyId}: ${printable(company.name)} (${company.id}), ${mode} data.`;
