import type { IncomingHttpHeaders } from 'node:http';

/** What a request must bear in its Authorization header. */
type Credential = Readonly<{ form: string; fault(token: string): string }>;

/** Schemes that may be named in an answer. What else stands first may be a secret itself. */
const SCHEMES = ['Basic', 'Digest', 'Token', 'ApiKey', 'Key', 'Negotiate', 'NTLM', 'OAuth', 'HMAC'];

/**
 * Why a request without a valid API key is refused: the expected form and what was seen, never a part of it.
 */
export const keyFault = (headers: IncomingHttpHeaders): string => told(apiKey, headers);

/** The same of a session token. */
export const sessionFault = (headers: IncomingHttpHeaders): string => told(sessionToken, headers);

/** The same of METRICS_TOKEN. */
export const metricsFault = (headers: IncomingHttpHeaders): string => told(metricsToken, headers);

const told = (credential: Credential, headers: IncomingHttpHeaders): string =>
  `Send \`Authorization: Bearer ${credential.form}\`. ${seen(credential, headers)}`;

const seen = ({ fault }: Credential, { authorization, ...others }: IncomingHttpHeaders): string => {
  if (!authorization) {
    const other = others['x-api-key'] === undefined ? '' : ' an X-Api-Key header and';
    return `This request has${other} no Authorization header.`;
  }
  const [scheme = '', ...words] = authorization.split(/ +/).filter((word) => word !== '');
  if (scheme.toLowerCase() !== 'bearer') return schemeFault(scheme);
  const [token] = words;
  if (token === undefined) return 'This request has nothing after `Bearer`.';
  if (words.length > 1) return 'This request has more than one word after `Bearer`.';
  return /^["'`<].*["'`>]$/.test(token) ? 'This request has the token in quotes or brackets.' : fault(token);
};

const schemeFault = (scheme: string): string => {
  if (/^["'`<]?(aok_|ast_)/i.test(scheme))
    return 'This request has no scheme: `Bearer` and a space are missing.';
  const known = SCHEMES.find((one) => one.toLowerCase() === scheme.toLowerCase());
  return known ? `This request has the scheme ${known}.` : 'This request has another scheme than Bearer.';
};

const apiKey: Credential = {
  form: 'aok_<64 lowercase hex characters>',
  fault: (token) => {
    if (/^ast_/.test(token)) return 'This request has a session token (`ast_…`) in the place of an API key.';
    if (/^key_/.test(token)) return 'This request has the identifier of a key (`key_…`), not the key itself.';
    if (/^aok_[0-9a-f]*$/i.test(token) && token !== token.toLowerCase())
      return 'This request has a key with upper-case characters.';
    if (!token.startsWith('aok_')) return 'This request has a key that does not begin with `aok_`.';
    return (
      bodyFault(token, 64, /^[0-9a-f]*$/) ?? 'This request has a key of that form, and it is not known here.'
    );
  },
};

const sessionToken: Credential = {
  form: 'ast_<43 characters>',
  fault: (token) => {
    if (/^aok_/.test(token)) return 'This request has an API key (`aok_…`) in the place of a session token.';
    if (!token.startsWith('ast_')) return 'This request has a token that does not begin with `ast_`.';
    return (
      bodyFault(token, 43, /^[\w-]*$/) ??
      'This request has a token of that form, and it is not known here, or its session has ended.'
    );
  },
};

const metricsToken: Credential = {
  form: '<METRICS_TOKEN>',
  fault: () => 'This request has another token than that of the setting METRICS_TOKEN.',
};

const bodyFault = (token: string, length: number, characters: RegExp): string | null => {
  const { length: found } = token.slice(4);
  if (found !== length) return `This request has ${found} characters after \`${token.slice(0, 4)}\`.`;
  return characters.test(token.slice(4)) ? null : 'This request has characters in it that never occur there.';
};
