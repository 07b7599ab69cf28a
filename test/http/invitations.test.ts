import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import { PASSWORD, peopleOf } from '../support/people.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('invitations');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
let companyId: string;
test.before(async () => {
  service = await sharedService();
  people = await peopleOf(service);
  companyId = (await service.company()).id;
});
test.after(() => people.close());

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code];

test('a valid invitation tells whom it invites, as what, to which company, and until when [invitations-4]', async () => {
  const email = people.newEmail();
  const { token, expiresAt } = await people.invite(email, companyId);
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  const { status, body } = await people.validate(token);
  assert.is(status, 200);
  assert.equal(body, {
    ...{ valid: true, reason: null, email, role: 'org_admin', expiresAt },
    company: { id: companyId, name: 'ACME' },
  });
  const left = Date.parse(expiresAt) - Date.now();
  assert.ok(left > 71.9 * 3_600_000 && left <= 72 * 3_600_000, `${left} ms`);
  const { token: platform } = await people.invite(people.newEmail());
  assert.equal((await people.validate(platform)).body.company, null);
});

test('no, an empty, an odd and an unknown token are all an invalid invitation, and no problem [invitations-2]', async () => {
  const { anybody } = people;
  const queries = ['', '?token=', '?token=x', '?token=%00%ff', `?token=${'A'.repeat(43)}`, '?other=1'];
  for (const query of queries) {
    const { status, body } = await anybody.get(`/api/invitation/validate${query}`);
    assert.is(status, 200, query);
    assert.equal(body, { valid: false, reason: 'invalid' }, query);
  }
});

test('a token that is given twice is a malformed request', async () => {
  const { token } = await people.invite(people.newEmail());
  const answer = await people.anybody.get(`/api/invitation/validate?token=${token}&token=${token}`);
  assert.equal(codeOf(answer), [400, 'malformed-request']);
  assert.is(answer.body.errors[0].pointer, '/query/token');
});

test('a completed invitation makes a user, who can log in [invitations-5, invitations-9]', async () => {
  const email = people.newEmail();
  const { token } = await people.invite(email);
  const { status, body } = await people.complete(token, PASSWORD, { name: 'Ann' });
  assert.is(status, 201);
  assert.match(body.userId, /^usr_[0-9a-hjkmnp-tv-z]{26}$/);
  assert.equal([body.email, body.role], [email, 'super_admin']);
  assert.is((await people.logIn(email)).status, 201);
});

test('an unknown and a revoked invitation are a 404 invitation-invalid [invitations-6, invitations-11]', async () => {
  const { id, token } = await people.invite(people.newEmail());
  await people.revoke(id);
  for (const one of [token, 'A'.repeat(43), 'x']) {
    assert.equal((await people.validate(one)).body.reason, 'invalid');
    assert.equal(codeOf(await people.complete(one)), [404, 'invitation-invalid']);
  }
});

test('a used invitation is a 409 invitation-consumed [invitations-6]', async () => {
  const { token } = await people.invite(people.newEmail());
  assert.is((await people.complete(token)).status, 201);
  for (const password of [PASSWORD, 'another password'])
    assert.equal(codeOf(await people.complete(token, password)), [409, 'invitation-consumed']);
  assert.equal((await people.validate(token)).body, { valid: false, reason: 'consumed' });
});

test('an invitation of 72 hours ago is a 410 invitation-expired [invitations-6]', async () => {
  const past = people.ago(72);
  const { token } = await past.invite(people.newEmail());
  assert.equal((await people.validate(token)).body, { valid: false, reason: 'expired' });
  assert.equal(codeOf(await people.complete(token)), [410, 'invitation-expired']);
});

test('one that is used and expired is consumed, one that is revoked and expired is invalid [invitations-3]', async () => {
  const past = people.ago(72);
  const email = people.newEmail();
  const [used, revoked] = [await past.invite(email), await past.invite(people.newEmail())];
  // Used up by another invitation of the same e-mail.
  await people.complete((await people.invite(email)).token);
  await people.revoke(revoked.id);
  assert.equal(codeOf(await people.complete(used.token)), [409, 'invitation-consumed']);
  assert.equal(codeOf(await people.complete(revoked.token)), [404, 'invitation-invalid']);
});

test('a password of 8 to 256 characters is asked for, and a refused one uses nothing up [invitations-7]', async () => {
  const { token } = await people.invite(people.newEmail());
  for (const password of ['1234567', 'x'.repeat(257), '']) {
    const answer = await people.complete(token, password);
    assert.equal(codeOf(answer), [422, 'validation-failed']);
    assert.is(answer.body.errors[0].pointer, '/password');
    assert.not.ok(password !== '' && answer.text.includes(password));
  }
  for (const body of [{ password: PASSWORD }, { token }, { token, password: PASSWORD, more: 1 }])
    assert.is((await people.anybody.post('/api/invitation/complete', body)).status, 422);
  assert.is((await people.validate(token)).body.valid, true);
  assert.is((await people.complete(token, 'x8 chars')).status, 201);
  const { token: long } = await people.invite(people.newEmail());
  assert.is((await people.complete(long, '\u{1f40e}'.repeat(256))).status, 201);
});

test('of eight completions at once exactly one is a 201, the others a 409, and its password alone works [invitations-8]', async () => {
  const email = people.newEmail();
  const { token } = await people.invite(email);
  const passwords = Array.from({ length: 8 }, (_, index) => `password number ${index}`);
  const answers = await Promise.all(passwords.map((password) => people.complete(token, password)));
  const statuses = answers.map(({ status }) => status);
  assert.equal([...statuses].sort(), [201, ...Array(7).fill(409)]);
  const won = passwords[statuses.indexOf(201)];
  for (const password of [won, passwords.find((one) => one !== won)])
    assert.is((await people.logIn(email, password)).status, password === won ? 201 : 401);
});

test('of two invitations of one e-mail, completed at once, one makes the user and the other is consumed', async () => {
  const email = people.newEmail();
  const both = [await people.invite(email), await people.invite(email.toUpperCase())];
  const answers = await Promise.all(both.map(({ token }) => people.complete(token)));
  assert.equal(answers.map(({ status }) => status).sort(), [201, 409]);
  for (const { token } of both) assert.is((await people.validate(token)).body.reason, 'consumed');
});

test(
  'a completion that a crash cut short is finished by the service, with the password that was chosen',
  async () => {
    const email = people.newEmail();
    const { token } = await people.invite(email);
    await people.completeHalf(token);
    await eventually('the user can log in', async () => (await people.logIn(email)).status === 201, 20_000);
    assert.is((await people.validate(token)).body.reason, 'consumed');
  },
  { timeoutMs: 60_000 },
);
