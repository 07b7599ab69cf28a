import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { client, type Reply } from '../support/client.ts';
import { peopleOf } from '../support/people.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('failed attempts of an address');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  service = await startService({ AUTH_FAILURES: '4', TRUST_PROXY: '1' });
  people = await peopleOf(service);
});
test.after(async () => {
  await service.close();
  await people.close();
});

let addresses = 0;
/** Each test comes from an address of its own. */
const newAddress = () => ({ headers: { 'x-forwarded-for': `198.51.100.${++addresses}` } });
type Attempt = (from: ReturnType<typeof newAddress>) => Promise<Reply>;

const unknown = 'A'.repeat(43);
const attempts: Readonly<Record<string, Attempt>> = {
  'unknown tokens that are validated': (from) =>
    people.anybody.get(`/api/invitation/validate?token=${unknown}`, from),
  'unknown tokens that are completed': (from) =>
    people.anybody.post('/api/invitation/complete', { token: unknown, password: '12345678' }, from),
  'failed log-ins': (from) =>
    people.anybody.post('/api/auth/sessions', { email: 'x@example.com', password: 'x' }, from),
  'unknown session tokens': (from) =>
    client(service.url, `ast_${unknown}`).call('DELETE', '/api/auth/sessions', from),
};

for (const [what, attempt] of Object.entries(attempts)) {
  test(`${what} are counted: beyond AUTH_FAILURES a minute they are a 429 with Retry-After [logins-5]`, async () => {
    const from = newAddress();
    // At once, so that guesses are counted before it is known that they fail.
    const answers = await Promise.all(Array.from({ length: 8 }, () => attempt(from)));
    assert.is(answers.filter(({ status }) => status === 429).length, 4);
    const refused = await attempt(from);
    assert.equal([refused.status, refused.body.code], [429, 'rate-limited']);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
    assert.is.not((await attempt(newAddress())).status, 429, 'another address is not counted');
  });
}

test('what succeeds is not counted', async () => {
  const from = newAddress();
  const email = people.newEmail();
  const { token } = await people.invite(email);
  for (let n = 0; n < 6; n += 1) {
    const { body } = await people.anybody.get(`/api/invitation/validate?token=${token}`, from);
    assert.is(body.valid, true);
  }
  const password = 'correct horse';
  const complete = () => people.anybody.post('/api/invitation/complete', { token, password }, from);
  assert.is((await complete()).status, 201);
  for (let n = 0; n < 5; n += 1) assert.is((await complete()).status, 409);
  for (let n = 0; n < 6; n += 1)
    assert.is((await people.anybody.post('/api/auth/sessions', { email, password }, from)).status, 201);
});

test('pages without a session, or with one that has ended, lock nobody out at their address [limits-4]', async () => {
  const from = newAddress();
  const { email, userId, page } = await people.user();
  const { cookie } = await page();
  await people.changeRow(userId, { epoch: 7 });
  const { get } = client(service.url, { cookie });
  for (let n = 0; n < 30; n += 1) {
    assert.is((await people.anybody.get('/api/auth/me', from)).status, 401);
    assert.is((await get('/api/auth/me', from)).status, 401);
  }
  assert.is((await people.logIn(email, people.password, {}, from.headers)).status, 201);
});

test('an address that has used up its failures is refused before its password is looked at', async () => {
  const from = newAddress();
  const { email } = await people.user();
  for (let n = 0; n < 4; n += 1) await attempts['failed log-ins']?.(from);
  const right = { email, password: 'correct horse battery staple' };
  assert.is((await people.anybody.post('/api/auth/sessions', right, from)).status, 429);
  assert.is((await people.anybody.post('/api/auth/sessions', right, newAddress())).status, 201);
});

test('a wrong key, or wrong invitations, of an address keep nobody there from logging in [logins-5]', async () => {
  const from = newAddress();
  const { email } = await people.user();
  const guesses = Object.entries(attempts).filter(([what]) => what !== 'failed log-ins');
  for (const [, attempt] of guesses) for (let n = 0; n < 5; n += 1) await attempt(from);
  for (const [, attempt] of guesses) assert.is((await attempt(from)).status, 429);
  assert.is((await people.logIn(email, people.password, {}, from.headers)).status, 201);
});

test('while an e-mail is attacked, a browser that has logged in before has attempts of its own [logins-20]', async () => {
  const { email } = await people.user();
  const shared = newAddress();
  const cookie = { session: 'cookie' };
  const before = await people.logIn(email, people.password, cookie, shared.headers);
  const mark = before.headers.getSetCookie().find((one) => one.startsWith('__Host-intake-browser='));
  assert.match(mark ?? '', /; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const known = { headers: { ...shared.headers, cookie: mark?.split(';')[0] ?? '' } };
  const guess = (who: string, from: ReturnType<typeof newAddress>, password = 'wrong') =>
    people.logIn(who, password, {}, from.headers);
  for (const from of [shared, ...Array.from({ length: 14 }, newAddress)])
    for (let n = 0; n < 3; n += 1) await guess(email, from);
  assert.is((await guess(email, shared, people.password)).status, 429);
  const own = { headers: { ...known.headers, 'x-forwarded-for': newAddress().headers['x-forwarded-for'] } };
  assert.is((await guess(email, own, people.password)).status, 201);
  assert.is((await guess(email, known, people.password)).status, 201);
  // That of another e-mail, or one that was made up, opens no door.
  const forged = { headers: { ...shared.headers, cookie: `${known.headers.cookie.slice(0, -2)}AA` } };
  assert.is((await guess(email, forged, people.password)).status, 429);
});

test('log-ins that succeed are limited, too: of an address, and of an e-mail [logins-21]', async () => {
  const { email } = await people.user();
  const other = await people.user();
  const statuses: number[] = [];
  for (let n = 0; n < 21; n += 1)
    statuses.push((await people.logIn(email, people.password, {}, newAddress().headers)).status);
  // Its first log-in was that of the user's session.
  assert.equal(statuses, [...Array(19).fill(201), 429, 429]);
  // Whatever the password: it is not looked at any more.
  assert.is((await people.logIn(email, 'wrong', {}, newAddress().headers)).status, 429);
  const from = newAddress();
  assert.is((await people.logIn(other.email, people.password, {}, from.headers)).status, 201);
  for (let n = 0; n < 40; n += 1) await people.logIn(email, people.password, {}, from.headers);
  const refused = await people.logIn(other.email, people.password, {}, from.headers);
  assert.equal([refused.status, refused.body.code], [429, 'rate-limited']);
});

test('log-ins of an e-mail that begin at the same moment are limited as those one after another are [logins-21]', async () => {
  const { email } = await people.user();
  const burst = Array.from({ length: 30 }, () =>
    people.logIn(email, people.password, {}, newAddress().headers),
  );
  const answers = await Promise.all(burst);
  // Its first log-in was that of the user's session.
  assert.is(answers.filter(({ status }) => status === 201).length, 19);
  for (const { status, body, headers } of answers.filter((one) => one.status !== 201)) {
    assert.equal([status, body.code], [429, 'rate-limited']);
    assert.ok(Number(headers.get('retry-after')) >= 1);
  }
});

test('failed log-ins of an e-mail from many addresses are bounded, and lock nobody out at another one [logins-20]', async () => {
  const { email } = await people.user();
  const other = await people.user();
  const guess = (who: string, from: ReturnType<typeof newAddress>, password = 'wrong') =>
    people.anybody.post('/api/auth/sessions', { email: who, password }, from);
  const victim = newAddress();
  for (const who of [email, 'nobody@example.com']) {
    const attackers = Array.from({ length: 14 }, newAddress);
    // Ten times AUTH_FAILURES in all; written in another way it is the same e-mail.
    for (const from of attackers)
      for (const spelt of [who, who.toUpperCase(), ` ${who}`.trim()]) await guess(spelt, from);
    for (const from of attackers) {
      const refused = await guess(who, from, people.password);
      assert.equal([refused.status, refused.body.code], [429, 'rate-limited']);
      assert.ok(Number(refused.headers.get('retry-after')) > 60);
    }
    assert.is((await guess(other.email, attackers[0] ?? victim, people.password)).status, 201);
    // An address that is new to it has a few attempts: also of somebody who mistypes.
    const fresh = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await guess(who, fresh)).status);
    assert.equal(statuses, [401, 401, 401, 429]);
  }
  assert.is((await guess(email, victim)).status, 401);
  for (let n = 0; n < 5; n += 1) assert.is((await guess(email, victim, people.password)).status, 201);
});
