import * as assert from 'uvu/assert';
import { suite } from '../../harness.ts';
import { client } from '../../support/client.ts';
import { oidcLogIns } from '../../support/oidcLogIn.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openIdProvider.ts';
import { PASSWORD, peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('passwords beside an identity provider');
let provider: OpenIdProvider;
test.before(async () => {
  provider = await startOpenIdProvider();
});
test.after(() => provider.close());

type Place = Readonly<{ service: TestService; people: Awaited<ReturnType<typeof peopleOf>> }>;
/** A test on a service of its own: the provider sends people back to one address. */
const where =
  (PASSWORD_LOGIN: 'on' | 'off', body: (place: Place) => Promise<void>) => async (): Promise<void> => {
    const service = await startService({ ...provider.settings, PASSWORD_LOGIN });
    const people = await peopleOf(service);
    try {
      await body({ service, people });
    } finally {
      await people.close();
      await service.close();
    }
  };

let subjects = 0;
/**
 * Logs a person in by the provider, which binds the person to an account there; gives what the session may
 * call.
 */
const bind = async ({ url }: TestService, email: string) => {
  const subject = `keeper${++subjects}`;
  provider.people.set(subject, { email, email_verified: true });
  const { headers, body, status } = await oidcLogIns(url, provider).logIn(subject);
  assert.is(status, 201);
  const cookie = headers.getSetCookie().find((one) => one.startsWith('__Host-intake='));
  return client(url, {
    cookie: cookie?.split(';')[0] ?? '',
    'x-csrf-token': body.csrfToken,
  });
};
const change = { current: PASSWORD, password: 'another fine password' };
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

test(
  'with PASSWORD_LOGIN=off no password is set but a super_admin’s, and the invitation stays open [invitations-14]',
  where('off', async ({ service, people }) => {
    const { id } = await service.company();
    const email = people.newEmail();
    const { token } = await people.invite(email, id, 'org_admin');
    assert.equal(codeOf(await people.complete(token)), [403, 'password-login-off']);
    assert.is((await people.validate(token)).body.valid, true);
    await bind(service, email);
    await people.user();
  }),
);

test(
  'with PASSWORD_LOGIN=off the password of who is bound to an account no longer works, until a reset [logins-25]',
  where('off', async ({ service, people }) => {
    const { email, userId } = await people.user();
    await bind(service, email);
    const right = await people.logIn(email);
    const wrong = await people.logIn(email, 'wrong password');
    assert.equal(codeOf(right), [403, 'password-login-off']);
    assert.is(right.body.detail, wrong.body.detail);
    const { token } = await people.reset(userId);
    assert.is((await people.complete(token)).status, 201);
    assert.is((await people.logIn(email)).status, 201);
  }),
);

test(
  'with PASSWORD_LOGIN=on the password of who is bound to an account works [logins-25]',
  where('on', async ({ service, people }) => {
    const { email } = await people.user();
    await bind(service, email);
    assert.is((await people.logIn(email)).status, 201);
  }),
);

test(
  'with PASSWORD_LOGIN=off only a super_admin who is bound to no account changes a password [people-20]',
  where('off', async ({ service, people }) => {
    const { id } = await service.company();
    const email = people.newEmail();
    await people.completeBefore((await people.invite(email, id, 'reviewer')).token);
    const reviewer = await bind(service, email);
    assert.equal(codeOf(await reviewer.post('/api/auth/password', change)), [403, 'password-login-off']);
    const chief = await people.user();
    assert.is((await chief.api.post('/api/auth/password', change)).status, 204);
    const bound = await bind(service, chief.email);
    const again = { current: change.password, password: PASSWORD };
    assert.equal(codeOf(await bound.post('/api/auth/password', again)), [403, 'password-login-off']);
  }),
);

test(
  'who has no password can’t change it [people-20]',
  where('on', async ({ service, people }) => {
    const { id } = await service.company();
    const email = people.newEmail();
    await people.invite(email, id, 'reviewer');
    const reviewer = await bind(service, email);
    assert.equal(codeOf(await reviewer.post('/api/auth/password', change)), [409, 'no-password']);
  }),
);
