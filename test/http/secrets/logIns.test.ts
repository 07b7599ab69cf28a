import * as assert from 'uvu/assert';
import { hashToken } from '../../../stores/identity.ts';
import { suite } from '../../harness.ts';
import { attemptTokenOf, cookieOf } from '../../support/oidcLogIn.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../support/openIdProvider.ts';
import { findings } from './forms.ts';
import { drawn, type Place, type Stage, setStage } from './stage.ts';

const test = suite('planted secrets in log-ins by an identity provider [secrets-1]');
const subject = drawn();
const person = { email: `${drawn().toLowerCase()}@example.com`, name: drawn() };
let provider: OpenIdProvider;
let stage: Stage;
let places: Readonly<Record<Place, Buffer>>;
const secrets: Record<string, string> = {};
let session = '';
let invitation = '';

test.before(async () => {
  provider = await startOpenIdProvider();
  provider.people.set(subject, { ...person, email_verified: true });
  stage = await setStage(provider.settings, () => ({ status: 200, headers: {}, body: '' }));
  const invite = ['invite', '--email', person.email, '--role', 'super_admin'];
  ({ token: invitation } = await stage.command<{ token: string }>(...invite));
  for (const way of WAYS) await attempted(way);
  places = await stage.end();
});
test.after(async () => {
  await stage.remove();
  await provider.close();
});

const post = (path: string, body: object, cookie = '') =>
  stage.ask('POST', `/api/auth/oidc${path}`, {
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });

/**
 * A log-in that succeeds, one with the nonce of another, and one of somebody whose claims were changed since.
 */
const WAYS = ['good', 'changed', 'stranger'] as const;

const attempted = async (way: (typeof WAYS)[number]): Promise<void> => {
  const begun = await post('', way === 'good' ? { invitation } : {});
  const { location } = JSON.parse(begun.text) as { location: string };
  const cookie = cookieOf(begun.headers);
  const address = new URL(location);
  if (way === 'changed') address.searchParams.set('nonce', drawn());
  const answer = await provider.logIn(address.href, way === 'stranger' ? drawn() : subject);
  const { code, state } = answer;
  Object.assign(secrets, { [`code ${way}`]: code, [`state ${way}`]: state });
  secrets[`attempt ${way}`] = attemptTokenOf({ location, cookie });
  // As the browser does, and once more: a replay.
  await stage.ask('GET', `${provider.settings.PUBLIC_URL}/console/signed-in?code=${code}&state=${state}`);
  for (const again of [false, true]) {
    const completed = await post('/complete', answer, cookie);
    assert.is(completed.status === 201, way === 'good' && !again, completed.text);
    if (completed.status === 201) session = cookieOf(completed.headers).slice('__Host-intake='.length);
  }
  await post('/complete', { error: code, state }, cookie);
};

const except = (...names: readonly Place[]): Readonly<Record<string, Buffer>> =>
  Object.fromEntries(Object.entries(places).filter(([name]) => !names.includes(name as Place)));

test('codes, states and cookies of attempts stand nowhere but in the answers that begin them, the reasons in the log', () => {
  assert.is(Object.keys(secrets).length, 9);
  assert.equal(findings(secrets, except('answers')), []);
  assert.match(places.log.toString(), /nonce/);
});

test('the token of the invitation that a log-in accepts stands nowhere [invitations-10]', () => {
  assert.match(invitation, /^[\w-]{43}$/);
  assert.equal(findings({ invitation }, places), []);
});

test('tokens of the provider, and the secret of the client, stand nowhere', () => {
  assert.is(provider.tokens.length, 6);
  const tokens = Object.fromEntries(provider.tokens.map((token, index) => [`token ${index}`, token]));
  assert.equal(findings({ ...tokens, secret: provider.settings.OIDC_CLIENT_SECRET }, places), []);
});

test('the session’s token stands in the answer alone, its hash in its table', () => {
  assert.match(session, /^ast_/);
  assert.equal(findings({ session: session.slice('ast_'.length) }, except('answers')), []);
  assert.equal(findings({ hash: hashToken(session) }, except('tables.db')), []);
});

test('who logged in is not logged, nor told in refusals: the account as an HMAC, e-mail and name in read models', () => {
  assert.equal(findings({ subject }, places), []);
  assert.equal(findings(person, except('models.db', 'answers')), []);
});
