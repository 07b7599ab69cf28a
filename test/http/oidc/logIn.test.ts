import * as assert from 'uvu/assert';
import { userStream } from '../../../domain/user.ts';
import { logInsOf } from '../../controls/logIns.ts';
import { suite } from '../../harness.ts';
import { client } from '../../support/client.ts';
import { attemptTokenOf, cookieOf, nodeBeside, oidcLogIns } from '../../support/oidcLogIn.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openIdProvider.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('log-in by an identity provider');
let provider: OpenIdProvider;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let oidc: ReturnType<typeof oidcLogIns>;
let node: Awaited<ReturnType<typeof nodeBeside>>;
let company: Awaited<ReturnType<TestService['company']>>;
let made = 0;
test.before(async () => {
  provider = await startOpenIdProvider();
  service = await startService({ ...provider.settings, ALLOWED_ORIGINS: 'https://admin.example.com' });
  people = await peopleOf(service);
  oidc = oidcLogIns(service.url, provider);
  node = await nodeBeside(service);
  company = await service.company();
});
test.after(async () => {
  await node.close();
  await people.close();
  await service.close();
  await provider.close();
});

/** An account at the provider with a verified e-mail, invited as a reviewer. */
const invited = async (claims: object = {}) => {
  const subject = `subject-${++made}`;
  const email = people.newEmail();
  provider.people.set(subject, { email, email_verified: true, name: 'Ann Example', ...claims });
  await people.invite(email, company.id, 'reviewer');
  return { subject, email };
};
const eventsOf = async (userId: string) => (await people.log.load(userStream(userId))).events;
const codeOf = ({ status, body }: Awaited<ReturnType<typeof oidc.logIn>>) => [status, body.code];

test('a log-in begins with a location and the cookie of the attempt: PKCE, state, nonce [logins-7]', async () => {
  const { body, headers } = await client(service.url, null).post('/api/auth/oidc', {});
  assert.match(
    headers.get('set-cookie') ?? '',
    /^__Host-intake-log-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const location = new URL(body.location);
  assert.is(location.origin, provider.issuer);
  const { code_challenge, state, nonce, ...others } = Object.fromEntries(location.searchParams);
  for (const secret of [code_challenge, state, nonce]) assert.match(secret ?? '', /^[\w-]{43}$/);
  assert.is(new Set([code_challenge, state, nonce]).size, 3);
  assert.equal(others, {
    ...{ client_id: 'intake', response_type: 'code', code_challenge_method: 'S256' },
    ...{ redirect_uri: `${service.url}/console/signed-in`, scope: 'openid email profile' },
  });
  const cookie = headers.get('set-cookie') ?? '';
  assert.not.ok([code_challenge, state, nonce].some((value) => cookie.includes(String(value))));
});

test('an invited person logs in: the invitation is accepted, and the session is in a cookie [logins-8, logins-11]', async () => {
  const { subject, email } = await invited();
  const begun = await oidc.begin('/console/queue?status=review');
  const reply = await oidc.complete(begun.cookie, await provider.logIn(begun.location, subject));
  assert.is(reply.status, 201, reply.text);
  assert.is(reply.body.returnTo, '/console/queue?status=review');
  assert.match(reply.headers.get('set-cookie') ?? '', /^__Host-intake=ast_[\w-]{43}; Max-Age=43200; /);
  const page = oidc.pageOf(reply);
  const me = (await page.get('/api/auth/me')).body;
  assert.equal([me.email, me.name, me.role, me.company.id], [email, 'Ann Example', 'reviewer', company.id]);
  assert.is((await page.post('/api/auth/sessions/end-all', {})).status, 204);
  assert.equal(
    (await eventsOf(me.userId)).map(({ type }) => type),
    ['UserCreated', 'UserIdentityBound'],
  );
  const [loggedIn] = await logInsOf(people.log, me.userId);
  assert.equal([loggedIn?.type, loggedIn?.data], ['UserLoggedIn', { ...loggedIn?.data, method: 'oidc' }]);
});

test('a log-in ends the session that the browser had before [people-7, logins-8]', async () => {
  const { subject } = await invited();
  const before = await oidc.logIn(subject);
  const { cookie, answer } = await oidc.answered(subject);
  const { status } = await oidc.complete(`${cookie}; ${cookieOf(before.headers)}`, answer);
  assert.is(status, 201);
  assert.is((await oidc.pageOf(before).get('/api/auth/me')).status, 401);
});

test('who was invited that way has no password, and the invitation is used up [logins-11]', async () => {
  const email = people.newEmail();
  provider.people.set('no-password', { email, email_verified: true });
  const { token } = await people.invite(email, company.id, 'auditor');
  assert.is((await oidc.logIn('no-password')).status, 201);
  assert.equal((await people.validate(token)).body.reason, 'consumed');
  assert.is((await people.complete(token)).status, 409);
  for (const password of [people.password, '', 'null'])
    assert.is((await people.logIn(email, password)).status, 401);
});

test('a user with a password logs in by the provider too, and stays the same user [logins-11]', async () => {
  const { email, userId } = await people.user(company.id, 'auditor');
  provider.people.set('second-way', { email: email.toUpperCase(), email_verified: true });
  const page = oidc.pageOf(await oidc.logIn('second-way'));
  const me = (await page.get('/api/auth/me')).body;
  assert.equal([me.userId, me.role], [userId, 'auditor']);
  assert.is((await people.logIn(email)).status, 201);
});

test('of several open invitations of one company the newest counts; one that was revoked does not [logins-11]', async () => {
  const email = people.newEmail();
  provider.people.set('often-invited', { email, email_verified: true });
  await people.invite(email, company.id, 'org_admin');
  await people.invite(email, company.id, 'auditor');
  const { id } = await people.invite(email, company.id, 'reviewer');
  await people.revoke(id);
  const page = oidc.pageOf(await oidc.logIn('often-invited'));
  assert.is((await page.get('/api/auth/me')).body.role, 'auditor');
});

test('a replayed answer is refused, and of two at once one [logins-8]', async () => {
  const { subject } = await invited();
  const { cookie, answer } = await oidc.answered(subject);
  const both = await Promise.all([oidc.complete(cookie, answer), oidc.complete(cookie, answer)]);
  assert.equal(both.map(codeOf).sort(), [
    [201, undefined],
    [401, 'login-expired'],
  ]);
  assert.equal(codeOf(await oidc.complete(cookie, answer)), [401, 'login-expired']);
});

test('an answer without the cookie, with that of another attempt or with another state is refused, and uses nothing up [logins-8]', async () => {
  const { subject } = await invited();
  const [one, other] = [await oidc.answered(subject), await oidc.begin()];
  const forged = `__Host-intake-log-in=${'A'.repeat(43)}`;
  for (const cookie of [null, other.cookie, forged, `${one.cookie}x`, '__Host-intake-log-in='])
    assert.equal(codeOf(await oidc.complete(cookie, one.answer)), [401, 'login-expired'], String(cookie));
  const state = new URL(other.location).searchParams.get('state');
  for (const wrong of [state, `${one.answer.state}x`, one.answer.state.slice(1)]) {
    const answer = { ...one.answer, state: wrong };
    assert.equal(codeOf(await oidc.complete(one.cookie, answer)), [401, 'login-expired']);
  }
  assert.is((await oidc.complete(one.cookie, one.answer)).status, 201);
});

test('an attempt that has expired is refused, and its answer is not used later [logins-8]', async () => {
  const { subject } = await invited();
  const { answer, ...begun } = await oidc.answered(subject);
  await node.expire(attemptTokenOf(begun));
  for (let time = 0; time < 2; time += 1)
    assert.equal(codeOf(await oidc.complete(begun.cookie, answer)), [401, 'login-expired']);
});

test('another nonce, issuer, code or challenge than those of the attempt is refused [logins-9]', async () => {
  const { subject } = await invited();
  const stolen = await oidc.answered(subject);
  const attempts = {
    nonce: await oidc.answered(subject, ({ searchParams }) => searchParams.set('nonce', 'another')),
    challenge: await oidc.answered(subject, ({ searchParams }) =>
      searchParams.set('code_challenge', 'A'.repeat(43)),
    ),
    issuer: await oidc.answered(subject),
    'no issuer': await oidc.answered(subject),
    code: await oidc.answered(subject),
    'code of another attempt': await oidc.answered(subject),
  };
  const answers = {
    issuer: { iss: 'https://evil.example.com' },
    'no issuer': { iss: null },
    code: { code: 'made-up' },
    'code of another attempt': { code: stolen.answer.code },
  };
  for (const [name, { cookie, answer }] of Object.entries(attempts)) {
    const changed = { ...answer, ...answers[name as keyof typeof answers] };
    const { status, body } = await oidc.complete(cookie, changed);
    assert.equal([status, body.code], [401, 'login-failed'], name);
    assert.is(body.detail, 'The answer of the identity provider is not valid.');
    assert.equal(codeOf(await oidc.complete(cookie, answer)), [401, 'login-expired'], `${name}, again`);
  }
});

test('whoever goes on leads nowhere but to the console [logins-10]', async () => {
  const wrong = [
    ...['https://evil.example.com', '//evil.example.com', '/\\evil.example.com', 'evil', '/', '/docs'],
    ...['/consoles', '/console.evil.example.com', '/console@evil.example.com', '/console//evil.example.com'],
    ...[
      '/console/../docs',
      '/console/..',
      '/console/%2e%2e/docs',
      '/console/.%2E/docs',
      '/console/%2E',
      '/console/x/%2e.?y',
      '/console/%',
      '/console/%2',
      '/console/%zz',
      '/%63onsole',
      '/console%2f..%2fdocs',
      '/console/./x',
      '/console/..?x',
      '/console\\x',
    ],
    ...[
      '/console/\n',
      '\n/console',
      '/console/x\ty',
      '/console#x',
      '/console/<script>',
      'javascript:alert(1)',
    ],
    ...[' /console', '/console ', '/CONSOLE', '/console/é', '/console?x=\\', `/console/${'x'.repeat(1_100)}`],
  ];
  for (const returnTo of wrong) {
    const { status, body } = await client(service.url, null).post('/api/auth/oidc', { returnTo });
    assert.equal([status, body.errors?.[0]?.pointer], [422, '/returnTo'], JSON.stringify(returnTo));
  }
  const { subject } = await invited();
  const right = [
    '/console',
    '/console/',
    '/console/queue',
    '/console/submissions/sub_1?at=3&x=%20a',
    '/console?a=/b//c',
    "/console/batches/a%20b%2Fc%C3%A9!'()*",
    '/console/%2e%2e%2e/%2e%2ex',
  ];
  for (const returnTo of right) {
    const { cookie, location } = await oidc.begin(returnTo);
    const { body } = await oidc.complete(cookie, await provider.logIn(location, subject));
    assert.is(body.returnTo, returnTo);
    assert.is(new URL(returnTo, service.url).origin, service.url);
  }
  assert.is((await oidc.logIn(subject)).body.returnTo, '/console');
});

test('a page of another origin, listed or not, can neither begin nor complete a log-in [people-3]', async () => {
  const { subject } = await invited();
  const { cookie, answer } = await oidc.answered(subject);
  const foreign = [
    { origin: 'https://admin.example.com' },
    { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const api = client(service.url, { ...headers, cookie });
    assert.equal(codeOf(await api.post('/api/auth/oidc', {})), [403, 'origin-not-allowed']);
    assert.equal(codeOf(await api.post('/api/auth/oidc/complete', answer)), [403, 'origin-not-allowed']);
  }
  const own = client(service.url, { cookie, origin: service.url, 'sec-fetch-site': 'same-origin' });
  assert.is((await own.post('/api/auth/oidc/complete', answer)).status, 201);
});

test('a log-in that began on one node is completed on another, once [logins-8]', async () => {
  const { subject } = await invited();
  const { answer, ...begun } = await oidc.answered(subject);
  const elsewhere = await node.complete(attemptTokenOf(begun), answer);
  assert.is(elsewhere.refusal, null);
  assert.equal(codeOf(await oidc.complete(begun.cookie, answer)), [401, 'login-expired']);
  const token = elsewhere.refusal === null ? elsewhere.session.token : '';
  const page = client(service.url, { cookie: `__Host-intake=${token}` });
  assert.is((await page.get('/api/auth/me')).status, 200);
});

test('the methods of log-in are told to anybody [logins-17]', async () => {
  const { status, body } = await client(service.url, null).get('/api/auth/methods');
  assert.is(status, 200);
  assert.equal(body, { password: true, identityProvider: new URL(provider.issuer).host, hasUsers: true });
});

test('an answer that can’t be one is a 422 that names the member', async () => {
  const { cookie, answer } = await oidc.answered((await invited()).subject);
  const wrong = { code: '', state: null, iss: 7, error: 7, extra: 'x' };
  for (const [name, value] of Object.entries(wrong)) {
    const { status, body } = await oidc.complete(cookie, { ...answer, [name]: value });
    assert.equal([status, body.errors?.[0]?.pointer], [422, `/${name}`]);
  }
  assert.is((await oidc.complete(cookie, answer)).status, 201);
});

test('an error of the provider is a 401, and the attempt goes on [logins-9]', async () => {
  const { cookie, answer } = await oidc.answered((await invited()).subject);
  const { status, body } = await oidc.complete(cookie, { error: 'access_denied', state: answer.state });
  assert.equal([status, body.detail], [401, 'The identity provider has logged nobody in.']);
  assert.is((await oidc.complete(cookie, answer)).status, 201);
});

test('log-ins at once of one invited person make one user, bound once', async () => {
  const { subject } = await invited();
  const attempts = await Promise.all([1, 2, 3].map(() => oidc.answered(subject)));
  const replies = await Promise.all(attempts.map(({ cookie, answer }) => oidc.complete(cookie, answer)));
  for (const reply of replies) assert.is(reply.status, 201, reply.text);
  const mes = await Promise.all(replies.map((reply) => oidc.pageOf(reply).get('/api/auth/me')));
  const [userId, ...others] = [...new Set(mes.map(({ body }) => body.userId as string))];
  assert.equal(others, []);
  assert.equal(
    (await eventsOf(userId ?? '')).map(({ type }) => type),
    ['UserCreated', 'UserIdentityBound'],
  );
});
