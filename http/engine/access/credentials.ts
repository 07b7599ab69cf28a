import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../problems/problem.ts';
import { cookieOf } from './cookies.ts';
import type { AuthFailures } from './rateLimits.ts';

const BEARER = /^bearer +(\S+)$/i;

/** The token of an Authorization header (RFC 6750), empty when there is none. */
export const bearerOf = (header: string | undefined): string => BEARER.exec(header ?? '')?.[1] ?? '';

/** The 401 of a credential that is no longer valid: its holder guesses nothing. */
export const ended = (detail: string): Problem =>
  new Problem('unauthorized', detail, { headers: { 'WWW-Authenticate': 'Bearer' } });

/**
 * The 401 of a missing or unknown credential. An unknown one is a failure of its address; a request without
 * any guesses nothing, and every page sends one before its log-in (limits-4). Throws 429 for one too many.
 */
export const unauthorized = async (
  authFailures: AuthFailures,
  address: () => string,
  headers: IncomingHttpHeaders,
  detail: string,
): Promise<Problem> => {
  if (headers.authorization !== undefined || cookieOf(headers) !== null) await authFailures.admit(address());
  return ended(detail);
};

/** What a request must send in its Authorization header. */
type Credential = Readonly<{ form: string; fault(token: string): string }>;

/** Schemes that an answer may name. Any other first word may be a secret. */
const SCHEMES = ['Basic', 'Digest', 'Token', 'ApiKey', 'Key', 'Negotiate', 'NTLM', 'OAuth', 'HMAC'];

/** Why a request is refused: the credential that is expected, and what was sent, never a part of it. */
export const credentialFault = (credential: Credential, headers: IncomingHttpHeaders): string =>
  `Send \`Authorization: Bearer ${credential.form}\`. This request has ${found(credential, headers)}.`;

const found = ({ fault }: Credential, { authorization, ...others }: IncomingHttpHeaders): string => {
  if (!authorization) {
    const other = others['x-api-key'] === undefined ? '' : 'an X-Api-Key header and ';
    return `${other}no Authorization header`;
  }
  const [scheme = '', ...words] = authorization.split(/ +/).filter((word) => word !== '');
  if (scheme.toLowerCase() !== 'bearer') return schemeFault(scheme);
  const [token] = words;
  if (token === undefined) return 'nothing after `Bearer`';
  if (words.length > 1) return 'more than one word after `Bearer`';
  return /^["'`<].*["'`>]$/.test(token) ? 'the token in quotes or brackets' : fault(token);
};

const schemeFault = (scheme: string): string => {
  if (/^["'`<]?(aok_|ast_)/i.test(scheme)) return 'no scheme: `Bearer` and a space are missing';
  const named = SCHEMES.find((one) => one.toLowerCase() === scheme.toLowerCase());
  return named ? `the scheme ${named}` : 'another scheme than Bearer';
};

/** An API key. */
export const apiKey: Credential = {
  form: 'aok_<64 lowercase hex characters>',
  fault: (token) => {
    if (/^key_/.test(token)) return 'the identifier of a key (`key_…`), not the key itself';
    if (/^aok_[0-9a-f]*$/i.test(token) && token !== token.toLowerCase())
      return 'a key with upper-case characters';
    if (!token.startsWith('aok_')) return 'a key that does not begin with `aok_`';
    return tokenFault(token, 64, /^[0-9a-f]*$/) ?? 'a key of that form, and it is not known here';
  },
};

/** The token of a person's session. */
export const sessionToken: Credential = {
  form: 'ast_<43 characters>',
  fault: (token) => {
    if (/^aok_/.test(token)) return 'an API key (`aok_…`) in the place of a session token';
    if (!token.startsWith('ast_')) return 'a token that does not begin with `ast_`';
    return (
      tokenFault(token, 43, /^[\w-]*$/) ??
      'a token of that form, and it is not known here, or its session has ended'
    );
  },
};

/** The token that reads the metrics. */
export const metricsToken: Credential = {
  form: '<METRICS_TOKEN>',
  fault: () => 'another token than that of the setting METRICS_TOKEN',
};

const tokenFault = (token: string, length: number, characters: RegExp): string | null => {
  const { length: actual } = token.slice(4);
  if (actual !== length) return `${actual} characters after \`${token.slice(0, 4)}\``;
  return characters.test(token.slice(4)) ? null : 'characters in it that never occur there';
};
