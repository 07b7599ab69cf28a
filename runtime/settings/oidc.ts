import type { ProviderSettings } from '../../outbound/identityProvider.ts';
import { matching, oneOf, type Parser, url } from './parsers.ts';
import { optional, type SettingFault, setting } from './setting.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The issuer of an OpenID provider, to the letter: with its last slash or without. */
const issuer: Parser<string> = (value, refuse) => {
  if (url(value, refuse) === null) return null;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || LOOPBACK.test(hostname)
    ? value
    : refuse('must be https://, or http:// on this machine: the client’s secret is sent there');
};

const scopes: Parser<string> = (value, refuse) =>
  /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(value) && value.split(' ').includes('openid')
    ? value
    : refuse('must be names with one space between, openid among them, such as openid email profile');

/** The OpenID provider by which people log in. */
export const oidcSettings = {
  OIDC_ISSUER: optional(
    'none: people log in with a password',
    issuer,
    'the issuer of the OpenID provider by which [people log in](people.md#log-in-by-an-identity-provider), as its metadata have it: `https://`, or `http://` on this machine; it may have a private address. `PUBLIC_URL` must be set beside it',
  ),
  OIDC_CLIENT_ID: optional(
    'none',
    matching(/^[\x20-\x7e]+$/, 'must be printable ASCII characters'),
    'the client that this service is to the provider',
    { needs: 'OIDC_ISSUER' },
  ),
  OIDC_CLIENT_SECRET: optional(
    'none',
    matching(/^[\x21-\x7e]+$/, 'must be printable ASCII characters without spaces'),
    'the secret of that client',
    { secret: true, needs: 'OIDC_ISSUER' },
  ),
  OIDC_SCOPES: {
    ...setting('openid email profile', scopes, 'what the provider is asked to say of people'),
    needs: 'OIDC_ISSUER',
  },
  PASSWORD_LOGIN: setting(
    'on',
    oneOf('on', 'off'),
    '`off`: only super_admins log in with a password, for when the OpenID provider is away; needs `OIDC_ISSUER`',
  ),
} as const;

/** Faults between these settings: the provider needs all of them, and an address to send people back to. */
export const oidcFaults = (
  environment: Readonly<Record<string, string | undefined>>,
): readonly SettingFault[] => {
  if (!environment.OIDC_ISSUER)
    return environment.PASSWORD_LOGIN === 'off'
      ? [{ name: 'PASSWORD_LOGIN', detail: 'must be on without OIDC_ISSUER: hardly anybody could log in' }]
      : [];
  return ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'PUBLIC_URL']
    .filter((name) => !environment[name])
    .map((name) => ({ name, detail: 'must be set beside OIDC_ISSUER' }));
};

type Given = Readonly<
  { OIDC_SCOPES: string } & Record<
    'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'PUBLIC_URL',
    string | null
  >
>;

/** The provider; null where none is named. */
export const oidcOf = ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_SCOPES: scopes,
  PUBLIC_URL: publicUrl,
}: Given): ProviderSettings | null => {
  // One without the others is a fault of the settings.
  if (issuer === null || clientId === null || clientSecret === null || publicUrl === null) return null;
  return { issuer, clientId, clientSecret, scopes, redirectUri: `${publicUrl}/console/signed-in` };
};
