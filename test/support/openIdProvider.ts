import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { exchange } from './exchange.ts';
import { freePort } from './freePort.ts';

const CLIENT = { client_id: 'intake', client_secret: 'the secret of the client'.replaceAll(' ', '-') };

/** What the provider knows of a request whose person has logged in. */
type Granting = Readonly<{
  oidc: Readonly<{ client: Readonly<{ clientId: string }>; session: Readonly<{ accountId: string }> }>;
}>;

/** What a browser is sent back with. */
export type Answer = Readonly<{ code: string; state: string; iss: string }>;

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>;

/**
 * An OpenID provider on this machine, and a browser that logs people in there. `people` are its accounts'
 * claims, by subject.
 */
export const startOpenIdProvider = async (client: Readonly<Record<string, unknown>> = {}) => {
  const people = new Map<string, Readonly<Record<string, unknown>>>();
  const port = String(await freePort());
  const publicUrl = `http://127.0.0.1:${port}`;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${publicUrl}/console/signed-in`], ...client }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    // A client of the house: nobody is asked for consent.
    loadExistingGrant: async ({ oidc: { client, session } }: Granting) => {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    findAccount: async (_context: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...people.get(accountId) }),
    }),
  });
  const tokens: string[] = [];
  provider.on('grant.success', ({ body: { id_token, access_token } }) =>
    tokens.push(String(id_token), String(access_token)),
  );
  server.on('request', provider.callback());
  return {
    issuer,
    people,
    /** What it has issued: ID tokens and access tokens. */
    tokens,
    /** What the service needs to know of it. */
    settings: {
      PORT: port,
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
    logIn: (location: string, subject: string): Promise<Answer> => browse(location, subject, publicUrl),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** More than a log-in and its consent take. */
const MAX_STEPS = 12;

/** Goes where the provider leads, and fills in its forms, until it leads back to the service. */
const browse = async (location: string, subject: string, publicUrl: string): Promise<Answer> => {
  const cookies = new Map<string, string>();
  let [url, form] = [new URL(location), null as URLSearchParams | null];
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { headers, text } = await exchange(String(url), {
      headers: { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      ...(form && { method: 'POST', body: String(form) }),
    });
    for (const set of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const next = headers.get('location');
    if (next?.startsWith(publicUrl)) return Object.fromEntries(new URL(next).searchParams) as Answer;
    if (next !== null) [url, form] = [new URL(next, url), null];
    else form = filledIn(text, subject);
  }
  throw new Error('the provider leads nowhere');
};

const filledIn = (page: string, subject: string): URLSearchParams => {
  const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
  if (prompt === undefined) throw new Error(`the provider shows no form: ${page.slice(0, 500)}`);
  return new URLSearchParams({ prompt, login: subject, password: 'any' });
};
