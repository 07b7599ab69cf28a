import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { identityProvider, type ProviderSettings } from '../../outbound/identityProvider.ts';
import { failure } from '../controls/stores.ts';
import { eventually, suite, tookAtMost } from '../harness.ts';

const test = suite('an OpenID provider, from outside');
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const strange = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const secrets = { state: 'state-of-the-attempt', nonce: 'nonce-of-the-attempt', verifier: 'v'.repeat(43) };
const CLIENT = { clientId: 'intake', clientSecret: 'not-a-secret' };

let server: Server;
let issuer: string;
/** What the provider answers by path, and the requests that it got. */
let answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>;
let requests: { path: string; headers: IncomingMessage['headers']; body: string }[];

test.before(async () => {
  server = createServer(async (request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers, body: await text(request) });
    const answer = answers[path];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const json =
  (body: unknown, status = 200, type = 'application/json') =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));

const idToken = (claims: object = {}, key: KeyObject = privateKey, header: object = {}): string => {
  const now = Math.floor(Date.now() / 1_000);
  const standard = { iss: issuer, sub: 'ann', aud: 'intake', nonce: secrets.nonce, iat: now, exp: now + 60 };
  const parts = [
    { alg: 'RS256', kid: 'key-1', ...header },
    { ...standard, ...claims },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signed = sign('sha256', Buffer.from(parts.join('.')), key).toString('base64url');
  return [...parts, signed].join('.');
};
const tokens = (idTokenOf: string) => ({ access_token: 'access', token_type: 'Bearer', id_token: idTokenOf });
const METADATA = '/.well-known/openid-configuration';

/** A provider in order, but for what is given. */
const provide = (over: typeof answers = {}, metadata: object = {}): void => {
  requests = [];
  answers = {
    [METADATA]: json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...metadata,
    }),
    '/token': json(tokens(idToken())),
    '/keys': json({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1', use: 'sig', alg: 'RS256' }],
    }),
    ...over,
  };
};

const settingsOf = (more: Partial<ProviderSettings> = {}): ProviderSettings => ({
  ...{ issuer, ...CLIENT, scopes: 'openid email' },
  redirectUri: 'https://intake.example.com/console/signed-in',
  ...more,
});
const answer = { code: 'code', state: secrets.state, iss: null };

/**
 * What the provider says of who logged in; null where it is refused or unavailable, `reason` then says why.
 */
const outcome = async (more: Partial<ProviderSettings> = {}, given: Partial<typeof answer> = {}) => {
  const refused: string[] = [];
  const provider = identityProvider(settingsOf(more), (reason) => refused.push(reason));
  try {
    const claims = await provider.claims({ ...answer, ...given }, secrets);
    return { claims, reason: refused.join() };
  } catch (error) {
    assert.is((error as Error).name, 'IdentityProviderUnavailable');
    return { claims: null, reason: (error as Error).message };
  } finally {
    await provider.close();
  }
};
/** Why nobody is logged in. */
const reasonOf = async (...given: Parameters<typeof outcome>): Promise<string> => {
  const { claims, reason } = await outcome(...given);
  assert.is(claims, null);
  assert.ok(reason.length > 10, reason);
  return reason;
};
const unavailable = (reason: string): string => `the identity provider is unavailable: ${reason}`;

test('a valid answer gives the claims, those of the userinfo endpoint too, where the ID token’s come first', async () => {
  const userinfo = { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'of userinfo' };
  provide(
    { '/token': json(tokens(idToken({ name: 'of the token' }))), '/userinfo': json(userinfo) },
    { userinfo_endpoint: `${issuer}/userinfo` },
  );
  const { claims } = await outcome();
  assert.equal(
    { ...claims, iat: 0, exp: 0 },
    {
      ...{ ...userinfo, name: 'of the token', iss: issuer, aud: 'intake', nonce: secrets.nonce },
      ...{ iat: 0, exp: 0 },
    },
  );
  const sent = requests.find(({ path }) => path === '/token');
  assert.equal(Object.fromEntries(new URLSearchParams(sent?.body)), {
    ...{ grant_type: 'authorization_code', code: 'code', code_verifier: secrets.verifier },
    redirect_uri: 'https://intake.example.com/console/signed-in',
  });
  assert.match(sent?.headers.authorization ?? '', /^Basic /);
  assert.is(requests.find(({ path }) => path === '/userinfo')?.headers.authorization, 'Bearer access');
});

test('the e-mail and whether it is verified are of one source, and no other names another one [logins-22]', async () => {
  const claimed = async (token: object, info: object) => {
    provide(
      { '/token': json(tokens(idToken(token))), '/userinfo': json({ sub: 'ann', ...info }) },
      { userinfo_endpoint: `${issuer}/userinfo` },
    );
    const { claims } = await outcome();
    return claims && [claims.email, claims.email_verified];
  };
  const ann = { email: 'ann@example.com' };
  const verified = { ...ann, email_verified: true };
  assert.equal(await claimed(verified, {}), ['ann@example.com', true]);
  assert.equal(await claimed({}, verified), ['ann@example.com', true]);
  assert.equal(await claimed(ann, verified), ['ann@example.com', true]);
  assert.equal(await claimed(ann, { email_verified: true }), [undefined, true]);
  assert.equal(await claimed({ email_verified: true }, ann), ['ann@example.com', undefined]);
  assert.is(await claimed(ann, { email: 'admin@example.com', email_verified: true }), null);
  assert.is(await claimed({ email: 'admin@example.com' }, verified), null);
  assert.is(await claimed(verified, { ...ann, email_verified: false }), null);
});

test('a clock that is a minute off is no fault, and people are sent to addresses with TLS alone', async () => {
  const now = Math.floor(Date.now() / 1_000);
  const issued = async (iat: number) => {
    provide({ '/token': json(tokens(idToken({ iat, nbf: iat, exp: iat + 60 }))) });
    return (await outcome()).claims !== null;
  };
  assert.equal(
    [await issued(now + 50), await issued(now - 110), await issued(now + 300)],
    [true, true, false],
  );
  for (const address of [
    'javascript:alert(1)',
    'http://other.example/auth',
    'https://u:p@idp.example/auth',
    '',
  ]) {
    provide({}, { authorization_endpoint: address });
    assert.match(await reasonOf(), /its authorization_endpoint is not an https address/, address);
  }
});

test('a key that the provider has just made is looked for at once, others are not read again', async () => {
  provide();
  const provider = identityProvider(settingsOf(), () => undefined);
  const claimed = async () => (await provider.claims(answer, secrets))?.sub;
  assert.equal([await claimed(), await claimed()], ['ann', 'ann']);
  assert.is(requests.filter(({ path }) => path === '/keys').length, 1);
  const fresh = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...fresh.publicKey.export({ format: 'jwk' }), kid: 'key-2', use: 'sig', alg: 'RS256' }];
  const token = idToken({}, fresh.privateKey, { kid: 'key-2' });
  provide({ '/token': json(tokens(token)), '/keys': json({ keys }) });
  await eventually(
    'the end of the second in which keys are read once',
    async () => (await claimed()) === 'ann',
  );
  await provider.close();
});

test('a refresh token of null is none', async () => {
  for (const members of [{ refresh_token: null }, { refresh_token: null, scope: 'openid' }]) {
    provide({ '/token': json({ ...tokens(idToken()), ...members }) });
    assert.is((await outcome()).claims?.sub, 'ann');
  }
});

test('a provider that takes the secret in the body alone gets it there', async () => {
  provide({}, { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'] });
  assert.is((await outcome()).claims?.sub, 'ann');
  const sent = requests.find(({ path }) => path === '/token');
  assert.is(new URLSearchParams(sent?.body).get('client_secret'), CLIENT.clientSecret);
  assert.is(sent?.headers.authorization, undefined);
});

test('an ID token that is not valid is refused, with its reason and none of its values [logins-9]', async () => {
  const past = Math.floor(Date.now() / 1_000) - 3_600;
  const wrong = {
    nonce: idToken({ nonce: 'another-nonce' }),
    'no nonce': idToken({ nonce: undefined }),
    audience: idToken({ aud: 'another-client' }),
    'more audiences': idToken({ aud: ['intake', 'another-client'] }),
    issuer: idToken({ iss: 'https://evil.example.com' }),
    expired: idToken({ exp: past }),
    'no expiry': idToken({ exp: undefined }),
    'no subject': idToken({ sub: undefined }),
    signature: idToken({}, strange),
    'unknown key': idToken({}, strange, { kid: 'key-2' }),
    unsigned: `${idToken({}, privateKey, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`,
    'HMAC under the public key': idToken({}, privateKey, { alg: 'HS256' }),
  };
  for (const [name, token] of Object.entries(wrong)) {
    provide({ '/token': json(tokens(token)) });
    assert.not.match(await reasonOf(), /unavailable|another-|evil|ann|nonce-of/, name);
  }
});

test('of a provider for many organisations no other issuer is accepted [logins-9]', async () => {
  provide({}, { issuer: `${issuer}/{tenantid}/v2.0` });
  assert.match(await reasonOf(), /issuer does not match/);
});

test('another state or issuer in the answer is refused before anything is sent [logins-9]', async () => {
  provide({}, { authorization_response_iss_parameter_supported: true });
  const wrong = [{ state: 'x', iss: issuer }, { iss: 'https://evil.example.com' }, { iss: null }];
  for (const given of wrong) assert.not.match(await reasonOf({}, given as object), /unavailable|evil/);
  assert.not.ok(requests.some(({ path }) => path === '/token'));
  assert.is((await outcome({}, { iss: issuer } as object)).claims?.sub, 'ann');
});

test('a code that the provider refuses is an answer that is not valid; a client that it refuses is no fault of the person', async () => {
  for (const status of [400, 401, 403]) {
    provide({ '/token': json({ error: 'invalid_grant', error_description: 'secret words' }, status) });
    assert.is(await reasonOf(), 'the code was refused: invalid_grant', String(status));
  }
  // As others put it whose code it is not.
  for (const error of ['invalid_request', 'invalid_code', 'access_denied', 'interaction_required']) {
    provide({ '/token': json({ error, error_description: 'secret words' }, 400) });
    assert.is(await reasonOf(), `the code was refused: ${error}`);
  }
  for (const [error, status] of [
    ['invalid_client', 401],
    ['invalid_client', 400],
    ['unauthorized_client', 400],
    ['unsupported_grant_type', 400],
    ['invalid_scope', 400],
    ['invalid_request', 401],
    ['access_denied', 403],
    ['slow_down', 429],
    ['server_error', 400],
    ['temporarily_unavailable', 400],
  ] as const) {
    provide({ '/token': json({ error, error_description: 'secret words' }, status) });
    assert.is(await reasonOf(), unavailable(`it answered ${status} ${error}`));
  }
  provide({ '/token': json({ error: 'words with <markup>' }, 400) });
  assert.is(await reasonOf(), unavailable('it answered 400'));
});

test('a provider that answers otherwise than it should is unavailable, with a reason [logins-18]', async () => {
  const end =
    (status: number, headers = {}) =>
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(status, headers).end('<html>');
  const large = (_request: IncomingMessage, response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ issuer, more: 'x'.repeat(1_100_000) }));
  const cut = (_request: IncomingMessage, response: ServerResponse) => void response.destroy();
  const faults: readonly (readonly [typeof answers, RegExp])[] = [
    [{ [METADATA]: end(500) }, /status code \(500\)/],
    [{ [METADATA]: end(404) }, /status code \(404\)/],
    [{ [METADATA]: end(302, { location: `${issuer}/elsewhere` }) }, /status code \(302\)/],
    [{ [METADATA]: end(200, { 'content-type': 'text/html' }) }, /content-type|parsing/],
    [{ [METADATA]: json({ issuer: 'https://other.example.com' }) }, /issuer does not match/],
    [{ [METADATA]: json('metadata') }, /invalid response/],
    [{ [METADATA]: large }, /larger than 1 MiB/],
    [{ [METADATA]: cut }, /connection was closed/],
    [{ '/token': end(502) }, /\(502\)/],
    [{ '/token': end(303, { location: `${issuer}/elsewhere` }) }, /\(303\)/],
    [{ '/token': cut }, /connection was closed/],
    [{ '/keys': end(500) }, /\(500\)/],
  ];
  for (const [over, reason] of faults) {
    provide(over);
    const told = await reasonOf();
    assert.ok(told.startsWith(unavailable('')), told);
    assert.match(told, reason);
    assert.not.ok(requests.some(({ path }) => path === '/elsewhere'));
  }
});

test('a userinfo endpoint that fails, or speaks of somebody else, lets nobody in', async () => {
  const metadata = { userinfo_endpoint: `${issuer}/userinfo` };
  provide({ '/userinfo': json({}, 500) }, metadata);
  assert.match(await reasonOf(), /unavailable/);
  provide({ '/userinfo': json({ sub: 'bob', email: 'bob@example.com' }) }, metadata);
  assert.not.match(await reasonOf(), /unavailable|bob/);
});

test('a provider that does not answer is unavailable after five seconds [logins-18]', async () => {
  provide({ [METADATA]: () => undefined });
  const started = performance.now();
  assert.is(await reasonOf(), unavailable('no complete answer within 5 s'));
  const took = performance.now() - started;
  assert.ok(took >= 4_900, `${took} ms`);
  tookAtMost(15_000, took);
});

test('one that is not there, or at a link-local address, is unavailable at once', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  assert.is(
    await reasonOf({ issuer: `http://127.0.0.1:${port}` }),
    unavailable('the connection was refused'),
  );
  for (const host of [
    '169.254.169.254',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[::ffff:169.254.169.254]',
    '0.0.0.0',
  ])
    assert.match(await reasonOf({ issuer: `https://${host}` }), /address that is not public/, host);
});

test('an endpoint that the metadata name at a link-local address, or without TLS, gets nothing', async () => {
  provide({}, { token_endpoint: 'http://169.254.169.254/token' });
  assert.match(await reasonOf(), /address that is not public/);
});

test('metadata are looked up once for calls at once and later ones, again after a failure [logins-18]', async () => {
  provide();
  const looked = () => requests.filter(({ path }) => path === METADATA).length;
  const provider = identityProvider(settingsOf(), () => undefined);
  assert.is(requests.length, 0);
  const locations = await Promise.all([1, 2, 3].map(() => provider.location(secrets)));
  assert.is(new Set(locations).size, 1);
  await provider.location(secrets);
  assert.is(looked(), 1);
  answers['/token'] = json({}, 503);
  assert.match((await failure(provider.claims(answer, secrets))).message, /unavailable/);
  await provider.location(secrets);
  assert.is(looked(), 2);
  answers[METADATA] = json({}, 503);
  answers['/token'] = json({}, 503);
  await failure(provider.claims(answer, secrets));
  await failure(provider.location(secrets));
  provide();
  assert.ok((await provider.location(secrets)).startsWith(`${issuer}/authorize?`));
  await provider.close();
});

test('a provider that nobody used closes without having been loaded', async () => {
  provide();
  await identityProvider(settingsOf(), () => undefined).close();
  assert.is(requests.length, 0);
});
