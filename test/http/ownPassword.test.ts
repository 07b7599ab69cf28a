import * as assert from 'uvu/assert';
import { userStream } from '../../domain/user.ts';
import { suite } from '../harness.ts';
import { PASSWORD, peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('the own password');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  service = await startService({ AUTH_FAILURES: '4', TRUST_PROXY: '1' });
  people = await peopleOf(service);
});
test.after(async () => {
  await people.close();
  await service.close();
});

let addresses = 0;
/** Each test comes from an address of its own. */
const newAddress = () => ({ headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } });
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];
const NEXT = 'another fine password';
const change = { current: PASSWORD, password: NEXT };
const path = '/api/auth/password';

test('a changed password ends all sessions but this one, and only the new one works [people-19]', async () => {
  const { email, session, page, api } = await people.user();
  const [mine, bearer] = [await page(), await session()];
  assert.is((await mine.withoutToken.post(path, change)).status, 403);
  assert.is((await mine.api.post(path, change)).status, 204);
  for (const one of [api, bearer]) assert.is((await one.get('/api/auth/me')).status, 401);
  const { data } = (await mine.api.get('/api/auth/sessions')).body;
  assert.equal(
    data.map(({ current }: { current: boolean }) => current),
    [true],
  );
  assert.is((await people.logIn(email)).status, 401);
  assert.is((await people.logIn(email, NEXT)).status, 201);
});

test('the session that went on ends with the next change in another one, and with a reset [people-19]', async () => {
  const { userId, session, api } = await people.user();
  assert.is((await api.post(path, change)).status, 204);
  assert.is((await api.post(path, { current: NEXT, password: PASSWORD })).status, 204);
  const other = await session();
  assert.is((await other.post(path, change)).status, 204);
  assert.is((await api.get('/api/auth/me')).status, 401);
  assert.is((await other.get('/api/auth/me')).status, 200);
  await people.reset(userId);
  assert.is((await other.get('/api/auth/me')).status, 401);
});

test('a change is one event of the person, without any password [people-19]', async () => {
  const { userId, api } = await people.user();
  await api.post(path, change);
  const { events } = await people.log.load(userStream(userId));
  assert.equal(
    events.slice(1).map(({ type, data, metadata }) => [type, data, metadata.actor]),
    [['UserPasswordChanged', { userId, companyId: null }, { kind: 'user', id: userId }]],
  );
});

test('a wrong current password is a 403, changes nothing, and counts as a failed log-in [people-19]', async () => {
  const from = newAddress();
  const { email, api } = await people.user();
  const wrong = { ...change, current: 'wrong' };
  for (let n = 0; n < 4; n += 1)
    assert.equal(codeOf(await api.post(path, wrong, from)), [403, 'password-wrong']);
  assert.equal(codeOf(await api.post(path, change, from)), [429, 'rate-limited']);
  assert.is((await people.logIn(email, PASSWORD, {}, from.headers)).status, 429);
  assert.is((await people.logIn(email, PASSWORD, {}, newAddress().headers)).status, 201);
  assert.is((await api.get('/api/auth/me')).status, 200);
});

test('guesses of a current password are failures of the e-mail, from whatever address [people-19]', async () => {
  const { api } = await people.user();
  const wrong = { ...change, current: 'wrong' };
  const crowd = Array.from({ length: 14 }, newAddress);
  for (const from of crowd) for (let n = 0; n < 3; n += 1) await api.post(path, wrong, from);
  assert.is((await api.post(path, wrong, crowd[0])).status, 429);
});

test('a new password that is no good is a 422, whatever the current one [people-19, invitations-13]', async () => {
  const { email, api } = await people.user((await service.company()).id, 'reviewer');
  const from = newAddress();
  for (const current of [PASSWORD, 'wrong', 'wrong', 'wrong', 'wrong', 'wrong'])
    for (const password of ['12345678', email, 'short']) {
      const answer = await api.post(path, { current, password }, from);
      assert.equal(codeOf(answer), [422, 'validation-failed']);
      assert.equal(
        answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/password'],
      );
      assert.not.ok(answer.text.includes(current));
    }
  assert.is((await people.logIn(email)).status, 201);
});

test('of two changes at once one is a 204, and its password alone works [people-19]', async () => {
  const { email, api } = await people.user();
  const passwords = ['the one new password', 'the other new password'];
  const answers = await Promise.all(
    passwords.map((password) => api.post(path, { current: PASSWORD, password }, newAddress())),
  );
  const statuses = answers.map(({ status }) => status);
  assert.is(statuses.filter((status) => status === 204).length, 1, `${statuses}`);
  for (const [index, password] of passwords.entries())
    assert.is((await people.logIn(email, password)).status, statuses[index] === 204 ? 201 : 401);
});

test('a refused password uses no invitation up [invitations-13]', async () => {
  const { id, name } = { ...(await service.company()), name: 'ACME' };
  const email = people.newEmail();
  const { token } = await people.invite(email, id, 'reviewer');
  for (const password of ['football1', `${email.split('@')[0]}!`, `at ${name} here`]) {
    const answer = await people.complete(token, password);
    assert.equal(
      [...codeOf(answer), answer.body.errors?.[0]?.pointer],
      [422, 'validation-failed', '/password'],
      password,
    );
  }
  assert.is((await people.complete(token)).status, 201);
});
