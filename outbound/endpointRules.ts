import { isIP } from 'node:net';
import { webhookUrlProblem } from '../domain/webhookUrl.ts';
import { isPublicAddress } from './address.ts';

const UNSET = 'names a setting that is not set, or is no whsec_ key in base64 of 16 bytes or more';
const UNREACHABLE = 'names an address that is not public, which the service never connects to';

/**
 * `resolve`: addresses of names that are resolved without DNS. `isReserved`: a setting of the service itself.
 */
type Facts = Readonly<{
  egress: 'public' | 'any';
  resolve: ReadonlyMap<string, readonly string[]>;
  secretOf(name: string): string | null;
  isReserved(setting: string): boolean;
}>;

/**
 * What is wrong with an endpoint that a workflow definition names; null where nothing is. Its address must be
 * one that a webhook may have and that the egress guard may let pass, as far as can be told without looking a
 * name up; its secret must be set, and not be one of the service's own settings.
 */
export const endpointRules = ({ egress, resolve, secretOf, isReserved }: Facts) => ({
  address: (url: string): string | null => {
    if (egress === 'any') return null;
    const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
    const addresses = isIP(host) === 0 ? (resolve.get(host) ?? []) : [host];
    return webhookUrlProblem(url) ?? (addresses.every(isPublicAddress) ? null : UNREACHABLE);
  },
  secret: (name: string): string | null => {
    if (isReserved(name)) return `must not be a setting of the service itself: ${name}`;
    return secretOf(name) === null ? `${UNSET}: ${name}` : null;
  },
});
