import * as assert from 'uvu/assert';
import { eventually, suite } from '../../harness.ts';
import { client } from '../../support/client.ts';
import { freePort } from '../../support/freePort.ts';
import { oidcLogIns } from '../../support/oidcLogIn.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openIdProvider.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('log-in by an identity provider: settings and limits');
let provider: OpenIdProvider;
test.before(async () => {
  provider = await startOpenIdProvider();
});
test.after(() => provider.close());

/** A test on a service with these settings. */
const onService =
  (settings: () => Record<string, string> | Promise<Record<string, string>>) =>
  (body: (service: TestService, people: Awaited<ReturnType<typeof peopleOf>>) => Promise<void>) =>
  async (): Promise<void> => {
    const service = await startService(await settings());
    const people = await peopleOf(service);
    try {
      await body(service, people);
    } finally {
      await people.close();
      await service.close();
    }
  };
const codeOf = ({ status, body }: Awaited<ReturnType<ReturnType<typeof client>['get']>>) => [
  status,
  body.code,
];
const begin = (url: string) => client(url, null).post('/api/auth/oidc', {});

test(
  'with PASSWORD_LOGIN=off only super_admins log in with a password; all others get one answer [logins-16]',
  onService(() => ({ ...provider.settings, PASSWORD_LOGIN: 'off' }))(async (service, people) => {
    const { id: companyId } = await service.company();
    const chief = await people.user();
    const email = people.newEmail();
    await people.completeBefore((await people.invite(email, companyId, 'org_admin')).token);
    const refusals = [
      await people.logIn(email),
      await people.logIn(email, 'wrong password'),
      await people.logIn(chief.email, 'wrong password'),
      await people.logIn('nobody@example.com'),
    ];
    for (const { status, body, headers } of refusals) {
      assert.equal([status, body.code], [403, 'password-login-off']);
      assert.is(body.detail, refusals[0]?.body.detail);
      assert.is(headers.get('set-cookie'), null);
    }
    assert.is((await people.logIn(chief.email)).status, 201);
    assert.is((await client(service.url, null).get('/api/auth/methods')).body.password, false);
    provider.people.set('without-password', { email, email_verified: true });
    assert.is((await oidcLogIns(service.url, provider).logIn('without-password')).status, 201);
  }),
);

test(
  'with PASSWORD_LOGIN=off a right password counts as a failure like a wrong one [logins-16, logins-5]',
  onService(() => ({
    ...provider.settings,
    PASSWORD_LOGIN: 'off',
    RATE_LIMIT: '1000',
    AUTH_FAILURES: '3',
  }))(async (service, people) => {
    const email = people.newEmail();
    await people.completeBefore((await people.invite(email, (await service.company()).id, 'reviewer')).token);
    for (let time = 0; time < 3; time += 1) assert.is((await people.logIn(email)).status, 403);
    assert.is((await people.logIn(email)).status, 429);
  }),
);

test(
  'without OIDC_ISSUER a log-in by a provider is a 404, and people log in with a password [logins-7, logins-17, logins-24]',
  onService(() => ({}))(async ({ url }, people) => {
    assert.equal(codeOf(await begin(url)), [404, 'not-found']);
    const answer = { code: 'a', state: 'b', iss: 'c' };
    assert.equal(codeOf(await client(url, null).post('/api/auth/oidc/complete', answer)), [404, 'not-found']);
    const methods = async () => (await client(url, null).get('/api/auth/methods')).body;
    assert.equal(await methods(), { password: true, identityProvider: null, hasUsers: false });
    const { token } = await people.invite(people.newEmail());
    assert.is((await methods()).hasUsers, false, 'who was invited is no user yet');
    assert.is((await people.complete(token)).status, 201);
    await eventually('the first user', async () => (await methods()).hasUsers);
  }),
);

test(
  'while the provider is away a log-in by it is a 503, and everything else goes on [logins-18]',
  onService(async () => ({
    ...provider.settings,
    OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
  }))(async ({ url }, people) => {
    const { status, body, headers } = await begin(url);
    assert.equal([status, body.code, body.retryable], [503, 'identity-provider-unavailable', true]);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.is(headers.get('set-cookie'), null);
    assert.not.match(body.detail, /127\.0\.0\.1|ECONN/);
    await people.user();
  }),
);

test(
  'a provider that refuses the client is a 503, not a failure of the person [logins-18]',
  onService(() => ({
    ...provider.settings,
    OIDC_CLIENT_SECRET: 'another-secret',
    RATE_LIMIT: '1000',
    AUTH_FAILURES: '1',
  }))(async ({ url }) => {
    provider.people.set('patient', { email: 'patient@example.com', email_verified: true });
    for (let time = 0; time < 3; time += 1)
      assert.equal(codeOf(await oidcLogIns(url, provider).logIn('patient')), [
        503,
        'identity-provider-unavailable',
      ]);
  }),
);

test(
  'an address that floods log-ins is a 429: with refused answers, and with ten times as many beginnings [logins-19]',
  onService(() => ({ ...provider.settings, RATE_LIMIT: '1000', AUTH_FAILURES: '2' }))(async ({ url }) => {
    const oidc = oidcLogIns(url, provider);
    const { cookie, answer } = await oidc.answered('anybody');
    const wrong = { ...answer, code: 'made-up' };
    assert.equal(codeOf(await oidc.complete(cookie, wrong)), [401, 'login-failed']);
    assert.equal(codeOf(await oidc.complete(cookie, wrong)), [401, 'login-expired']);
    const refused = await oidc.complete(cookie, wrong);
    assert.equal(codeOf(refused), [429, 'rate-limited']);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    for (let time = 1; time < 20; time += 1) await oidc.begin();
    assert.equal(codeOf(await begin(url)), [429, 'rate-limited']);
  }),
);

test(
  'whoever logs in well uses no failure up [logins-19]',
  onService(() => ({ ...provider.settings, RATE_LIMIT: '1000', AUTH_FAILURES: '1' }))(
    async ({ url }, people) => {
      const email = people.newEmail();
      await people.invite(email);
      provider.people.set('frequent', { email, email_verified: true });
      const oidc = oidcLogIns(url, provider);
      for (let time = 0; time < 4; time += 1) assert.is((await oidc.logIn('frequent')).status, 201);
    },
  ),
);
