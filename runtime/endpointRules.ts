import { isIP } from 'node:net';
import { webhookUrlProblem } from '../domain/webhookUrl.ts';
import { isPublicAddress } from '../outbound/address.ts';
import type { EndpointRules } from '../schemas/definitionProblems.ts';
import type { Config } from './settings/config.ts';
import { isOwnSetting } from './settings/table.ts';

const UNSET = 'names a setting that is not set, or is no whsec_ key in base64 of 16 bytes or more';
const UNREACHABLE = 'names an address that is not public, which the service never connects to';

/**
 * What the settings say of an endpoint that a workflow definition names: its address must be one that a webhook may have, and that the egress
 * guard may let pass, as far as can be told without looking a name up; its secret must be set, and none of the service's own settings.
 */
export const endpointRules = ({
  webhook,
  secretOf,
}: Pick<Config, 'webhook' | 'secretOf'>): EndpointRules => ({
  address: (url) => {
    if (webhook.egress === 'any') return null;
    const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
    const addresses = isIP(host) === 0 ? (webhook.resolve.get(host) ?? []) : [host];
    return webhookUrlProblem(url) ?? (addresses.every(isPublicAddress) ? null : UNREACHABLE);
  },
  secret: (name) => {
    if (isOwnSetting(name)) return `must not be a setting of the service itself: ${name}`;
    return secretOf(name) === null ? `${UNSET}: ${name}` : null;
  },
});
