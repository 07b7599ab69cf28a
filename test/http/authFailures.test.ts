import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { administrators } from '../support/administrators.ts';
import type { Reply } from '../support/client.ts';
import { startService, type TestService } from '../support/service.ts';

const test = suite('failed attempts of an address');
let service: TestService;
let people: Awaited<ReturnType<typeof administrators>>;
test.before(async () => {
  service = await startService({ AUTH_FAILURES: '4', TRUST_PROXY: '1' });
  people = await administrators(service);
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
  'unknown session tokens': (from) => people.anybody.call('DELETE', '/api/auth/sessions', from),
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

test('an address that has used up its failures is refused before its password is looked at', async () => {
  const from = newAddress();
  const { email } = await people.user();
  for (let n = 0; n < 4; n += 1) await attempts['failed log-ins']?.(from);
  const right = { email, password: 'correct horse battery staple' };
  assert.is((await people.anybody.post('/api/auth/sessions', right, from)).status, 429);
  assert.is((await people.anybody.post('/api/auth/sessions', right, newAddress())).status, 201);
});
