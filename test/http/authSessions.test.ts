import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { client, type Reply } from '../support/client.ts';
import { PASSWORD, peopleOf } from '../support/people.ts';
import { sharedService, type TestService } from '../support/service.ts';

const test = suite('sessions of people');
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  service = await sharedService();
  people = await peopleOf(service);
});
test.after(() => people.close());

/** What differs between any two answers is left out. */
const told = ({ status, headers, body }: Reply) => {
  const { requestId: _, ...rest } = body;
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, rest, kept };
};

test('a log-in gives a token that lives twelve hours [logins-1]', async () => {
  const { email } = await people.user();
  const { status, body } = await people.logIn(email.toUpperCase());
  assert.is(status, 201);
  assert.match(body.token, /^ast_[A-Za-z0-9_-]{43}$/);
  const left = Date.parse(body.expiresAt) - Date.now();
  assert.ok(left > 11.9 * 3_600_000 && left <= 12 * 3_600_000, `${left} ms`);
});

test('an unknown e-mail, a wrong password, a disabled user and a reset one all get the same 401 [logins-2]', async () => {
  const [known, disabled, reset] = [await people.user(), await people.user(), await people.user()];
  await people.disable(disabled.userId);
  await people.reset(reset.userId);
  const answers = [
    await people.logIn('nobody@example.com'),
    await people.logIn('no address at all'),
    await people.logIn(known.email, 'wrong password'),
    await people.logIn(known.email, 'x'),
    await people.logIn(disabled.email),
    await people.logIn(reset.email),
  ];
  for (const answer of answers) {
    assert.equal([answer.status, answer.body.code], [401, 'login-failed']);
    assert.is(answer.headers.get('www-authenticate'), 'Bearer');
    assert.equal(told(answer), told(answers[0] as Reply));
  }
});

test('a log-in that breaks its schema is a 422 that repeats no password', async () => {
  const secret = 'my password in the wrong place';
  for (const body of [{}, { email: 'a@example.com' }, { email: 'a@example.com', password: { secret } }]) {
    const answer = await people.anybody.post('/api/auth/sessions', body);
    assert.equal([answer.status, answer.body.code], [422, 'validation-failed']);
    assert.not.ok(answer.text.includes(secret));
  }
});

test('a log-out ends that session and no other [logins-3]', async () => {
  const { api, session } = await people.user();
  const other = await session();
  assert.is((await api.call('DELETE', '/api/auth/sessions')).status, 204);
  const again = await api.call('DELETE', '/api/auth/sessions');
  assert.equal([again.status, again.body.code], [401, 'unauthorized']);
  assert.is((await other.call('DELETE', '/api/auth/sessions')).status, 204);
});

test('a session of twelve hours ago is over [logins-1]', async () => {
  const { email } = await people.user();
  const past = people.ago(12);
  const { token = '' } = (await past.logIn(email)) ?? {};
  assert.match(token, /^ast_/);
  assert.is((await client(service.url, token).call('DELETE', '/api/auth/sessions')).status, 401);
});

test('an API key is no session', async () => {
  const { key } = await service.key(null);
  assert.is((await client(service.url, key).call('DELETE', '/api/auth/sessions')).status, 401);
});

test('disabling a user ends all sessions at once [logins-4]', async () => {
  const { api, session, userId, email } = await people.user();
  const other = await session();
  await people.disable(userId);
  for (const one of [api, other]) assert.is((await one.call('DELETE', '/api/auth/sessions')).status, 401);
  assert.is((await people.logIn(email)).status, 401);
});

test('a reset ends all sessions, and its token gives a new password, once', async () => {
  const { api, userId, email } = await people.user();
  const { token } = await people.reset(userId);
  assert.is((await api.call('DELETE', '/api/auth/sessions')).status, 401);
  assert.equal((await people.validate(token)).body.email, email);
  const completed = await people.complete(token, 'a newer password');
  assert.equal([completed.status, completed.body.userId], [201, userId]);
  assert.is((await people.logIn(email, PASSWORD)).status, 401);
  assert.is((await people.logIn(email, 'a newer password')).status, 201);
  assert.is((await people.complete(token, 'the newest password')).status, 409);
});

test('a newer reset makes the last one invalid', async () => {
  const { userId } = await people.user();
  const { token } = await people.reset(userId);
  await people.reset(userId);
  assert.is((await people.validate(token)).body.reason, 'invalid');
  assert.is((await people.complete(token)).status, 404);
});

test('without a model endpoint the built-in rules draft a definition, and revise it [agent-6]', async () => {
  const { api } = await people.user();
  const agent = (body: object) => api.post('/api/internal/workflow-agent', body);
  const names = ({ body }: Reply) => body.draft.outputSchema.map(({ name }: { name: string }) => name);
  const first = await agent({ instruction: 'A receipt with company, date and total. Review everything.' });
  assert.is(first.status, 200);
  assert.equal(names(first), ['company', 'date', 'total']);
  assert.equal(first.body.draft.processing, { review: 'always' });
  const { draft } = first.body;
  const second = await agent({ instruction: 'Remove the date. Add VAT (number). Hum a song.', draft });
  assert.equal(names(second), ['company', 'total', 'vat']);
  assert.equal(second.body.notes, ['Not understood, and left out: "Hum a song".']);
});
