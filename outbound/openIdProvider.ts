import * as client from 'openid-client';
import { IdentityProviderUnavailable } from '../kernel/errors.ts';
import { shared } from '../kernel/once.ts';
import { createEgress } from './egress.ts';
import { failureText } from './failure.ts';
import type { OnRefusedAnswer, ProviderSettings } from './identityProvider.ts';
import { emailOf } from './openIdEmail.ts';
import { type GuardedFetch, guardedFetch } from './openIdFetch.ts';

/** Of each request, in seconds: metadata, token, keys, and what else the provider knows of the person. */
const TIMEOUT_S = 5;
/** openid-client reads keys anew for one that it does not know once they are a minute old. */
const OLD_S = 61;
/** How often keys are read at most, in seconds; how long they are used. */
const KEYS_AGAIN_S = 1;
const KEYS_S = 300;
/** How far the provider's clock may be from this one, in seconds. */
const CLOCK_S = 60;
/** How long the provider's metadata are used, in milliseconds. */
const MAX_AGE_MS = 3_600_000;

type Secrets = Readonly<{ state: string; nonce: string; verifier: string }>;
type Answer = Readonly<{ code: string; state: string; iss: string | null }>;
type Claims = Readonly<{ iss: string; sub: string; [claim: string]: unknown }>;

/**
 * An OpenID provider by its issuer: code flow with PKCE, state and nonce, the ID token's signature checked.
 * All throw `IdentityProviderUnavailable`.
 */
export const openIdProvider = (
  settings: ProviderSettings,
  onRefused: OnRefusedAnswer,
  around: (fetch: GuardedFetch) => GuardedFetch = (fetch) => fetch,
) => {
  const egress = createEgress({ egress: 'operator' });
  const fetch = around(guardedFetch(egress));
  const metadata = metadataOf(settings, fetch);
  const keys = createKeys((server) => configurationOf(settings, server, fetch));
  const { redirectUri: redirect_uri, scopes: scope } = settings;
  return {
    /** Where a browser logs in. */
    location: async ({ state, nonce, verifier }: Secrets): Promise<string> => {
      const config = await metadata.read();
      const code_challenge = await client.calculatePKCECodeChallenge(verifier);
      const challenge = { code_challenge, code_challenge_method: 'S256' };
      return client.buildAuthorizationUrl(config, { redirect_uri, scope, state, nonce, ...challenge }).href;
    },

    /** What the provider says of who logged in; null for an answer that is not valid. */
    claims: async ({ code, state, iss }: Answer, secrets: Secrets): Promise<Claims | null> => {
      const config = keys.given(await metadata.read());
      const answered = new URL(redirect_uri);
      answered.search = new URLSearchParams({ code, state, ...(iss === null ? {} : { iss }) }).toString();
      try {
        return await claimsOf(config, answered, secrets, onRefused);
      } catch (error) {
        const reason = refusalOf(error);
        if (reason === null) {
          metadata.forget();
          throw unavailable(error);
        }
        onRefused(reason);
        return null;
      } finally {
        keys.keep(config);
      }
    },

    close: egress.close,
  };
};

/** An issuer without TLS is on this machine: the settings accept no other. */
const insecure = (issuer: string) => (issuer.startsWith('http:') ? [client.allowInsecureRequests] : []);

/** How answers are asked for and checked. */
const configurationOf = (
  { issuer, clientId, clientSecret }: ProviderSettings,
  server: client.ServerMetadata,
  fetch: GuardedFetch,
): client.Configuration => {
  const config = new client.Configuration(
    server,
    clientId,
    { [client.clockTolerance]: CLOCK_S },
    authenticationOf(server, clientSecret),
  );
  config[client.customFetch] = fetch;
  config.timeout = TIMEOUT_S;
  for (const extend of [...insecure(issuer), client.enableNonRepudiationChecks]) extend(config);
  return config;
};

/**
 * The provider's keys: read at the first token, after five minutes, and at once for a token with a key that
 * is not among them, once a second at most.
 */
const createKeys = (configure: (server: client.ServerMetadata) => client.Configuration) => {
  let kept: client.ExportedJWKSCache | undefined;
  return {
    /** A configuration of its own for one answer, with the keys so old that unknown ones are looked for. */
    given: (metadata: client.Configuration): client.Configuration => {
      const config = configure(metadata.serverMetadata());
      const now = Math.floor(Date.now() / 1_000);
      const age = kept ? now - kept.uat : KEYS_S;
      if (kept && age < KEYS_S)
        client.setJwksCache(
          config,
          age < KEYS_AGAIN_S ? kept : { ...kept, uat: Math.min(kept.uat, now - OLD_S) },
        );
      return config;
    },
    /** Keeps the keys that were read meanwhile. */
    keep: (config: client.Configuration): void => {
      const found = client.getJwksCache(config);
      if (found && found.uat > (kept?.uat ?? 0)) kept = found;
    },
  };
};

/** The metadata, looked up at the first call and once an hour; calls at once share a look-up. */
const metadataOf = ({ issuer, clientId }: ProviderSettings, fetch: GuardedFetch) => {
  let kept: Readonly<{ config: client.Configuration; readAt: number }> | null = null;
  const read = shared(async () => {
    const options = {
      [client.customFetch]: fetch,
      timeout: TIMEOUT_S,
      execute: insecure(issuer),
    };
    const config = await client.discovery(new URL(issuer), clientId, undefined, undefined, options);
    requireSafe(config.serverMetadata(), issuer);
    kept = { config, readAt: performance.now() };
    return config;
  });
  return {
    read: async (): Promise<client.Configuration> => {
      if (kept !== null && performance.now() - kept.readAt < MAX_AGE_MS) return kept.config;
      return read().catch((error: unknown) => {
        throw unavailable(error);
      });
    },
    /** They may have changed. */
    forget: (): void => {
      kept = null;
    },
  };
};

/**
 * That people are sent to an address with TLS, as the provider itself has it. Throws where they would not be.
 */
const requireSafe = ({ authorization_endpoint: address }: client.ServerMetadata, issuer: string): void => {
  const { protocol, hostname, username, password } = new URL(
    address && URL.canParse(address) ? address : 'none:',
  );
  const isOwn = protocol === 'http:' && issuer.startsWith('http:') && hostname === new URL(issuer).hostname;
  if ((protocol !== 'https:' && !isOwn) || username !== '' || password !== '')
    throw new Error('its authorization_endpoint is not an https address');
};

/** By header as OpenID Connect has it by default, in the body where the provider takes nothing else. */
const authenticationOf = (
  { token_endpoint_auth_methods_supported: methods }: client.ServerMetadata,
  secret: string,
): client.ClientAuth =>
  methods && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    ? client.ClientSecretPost(secret)
    : client.ClientSecretBasic(secret);

const claimsOf = async (
  config: client.Configuration,
  answered: URL,
  { state, nonce, verifier }: Secrets,
  onRefused: OnRefusedAnswer,
): Promise<Claims | null> => {
  const tokens = await client.authorizationCodeGrant(config, answered, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const { issuer, userinfo_endpoint } = config.serverMetadata();
  if (claims?.iss !== issuer) {
    // Of a provider for many organisations openid-client accepts the issuer of any of them.
    onRefused('the ID token is of another issuer');
    return null;
  }
  if (userinfo_endpoint === undefined) return claims;
  // Many providers give the e-mail there alone.
  const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  const email = emailOf(claims, info);
  if (email !== null) return { ...info, ...claims, ...email };
  onRefused('the ID token and the user info name different e-mail addresses');
  return null;
};

/** Codes of answers that are not valid; others are faults of the provider, or of the way to it. */
const REFUSED: readonly (string | undefined)[] = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
];

/**
 * Errors of the token endpoint that blame this service, or the provider itself, and not what the browser
 * sent.
 */
const NOT_OF_THE_CODE: readonly string[] = [
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
];

/** Why the answer is not valid, without its values; null when the error says nothing of the answer. */
const refusalOf = (error: unknown): string | null => {
  if (error instanceof client.ResponseBodyError) return codeRefusalOf(error);
  if (!(error instanceof client.ClientError) || !REFUSED.includes(error.code)) return null;
  return error.cause instanceof Error ? error.cause.message : error.message;
};

/**
 * Providers call a code that is not theirs `invalid_grant`, some with a 401 or 403; others answer 400 with a
 * code of their own.
 */
const codeRefusalOf = (error: client.ResponseBodyError): string | null => {
  const code = codeOf(error);
  const isOther = error.status === 400 && code !== null && !NOT_OF_THE_CODE.includes(code);
  const isRefused = code === 'invalid_grant' || isOther;
  return isRefused ? `the code was refused: ${code}` : null;
};

/** The code of an error, where it is one: what else a provider writes there is not logged. */
const codeOf = ({ error }: client.ResponseBodyError): string | null =>
  /^[\w.-]{1,64}$/.exec(error)?.[0] ?? null;

/** What the log says: the errors themselves hold requests and answers. */
const unavailable = (error: unknown): IdentityProviderUnavailable =>
  new IdentityProviderUnavailable(`the identity provider is unavailable: ${reasonOf(error)}`);

const reasonOf = (error: unknown): string => {
  if (error instanceof client.ResponseBodyError)
    return `it answered ${error.status} ${codeOf(error) ?? ''}`.trimEnd();
  if (!(error instanceof client.ClientError))
    return error instanceof Error ? error.message : 'an unknown error';
  const { code, cause, message } = error;
  if (code === 'OAUTH_TIMEOUT') return `no complete answer within ${TIMEOUT_S} s`;
  if (cause instanceof Response) return `${message} (${cause.status})`;
  if (code !== undefined) return message;
  return failureText(cause) ?? message;
};
