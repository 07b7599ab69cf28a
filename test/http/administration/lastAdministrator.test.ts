import * as assert from 'uvu/assert';
import { rounds, suite } from '../../harness.ts';
import { peopleOf } from '../../support/people.ts';
import { startService, type TestService } from '../../support/service.ts';

const test = suite('the last administrator, over HTTP');
type User = Awaited<ReturnType<typeof people.user>>;
let service: TestService;
let people: Awaited<ReturnType<typeof peopleOf>>;
test.before(async () => {
  service = await startService({ RATE_LIMIT: '0' });
  people = await peopleOf(service);
});
test.after(async () => {
  await people.close();
  await service.close();
});

const post = async (by: User, of: User, what: string, body: object) => {
  const { status, body: answer } = await by.api.post(`/api/v1/people/${of.userId}/${what}`, body);
  return status === 200 ? 200 : `${status} ${answer.code}`;
};
/** Who is one, as the own next request says. */
const isLeft = async ({ api }: User, role: string): Promise<boolean> =>
  (await api.get('/api/auth/me')).body?.role === role;

test('two org_admins who shut each other out at once: one stays [people-16]', async () => {
  for (let round = 0; round < rounds(6, 60); round += 1) {
    const { id: company } = await service.company();
    const [one, two] = [await people.user(company), await people.user(company)];
    const away = (by: User, of: User) =>
      round % 2 === 0 ? post(by, of, 'disable', {}) : post(by, of, 'role', { role: 'reviewer' });
    const statuses = await Promise.all([away(one, two), away(two, one)]);
    const left = await Promise.all([isLeft(one, 'org_admin'), isLeft(two, 'org_admin')]);
    assert.is(left.filter(Boolean).length, 1, statuses.join());
    assert.is(statuses.filter((status) => status === 200).length, 1, statuses.join());
    for (const status of statuses)
      if (status !== 200)
        assert.match(String(status), /^(409 last-administrator|401 unauthorized|403 role-required)$/);
  }
});

test('the last org_admin is neither disabled nor lowered, not even by a super_admin [people-16]', async () => {
  const { id: company } = await service.company();
  const [last, superAdmin] = [await people.user(company), await people.user()];
  await people.user(company, 'reviewer');
  const refused = '409 last-administrator';
  assert.is(await post(last, last, 'disable', {}), refused);
  assert.is(await post(superAdmin, last, 'disable', {}), refused);
  assert.is(await post(superAdmin, last, 'role', { role: 'auditor' }), refused);
  assert.ok(await isLeft(last, 'org_admin'));
  const second = await people.user(company);
  assert.is(await post(second, last, 'disable', {}), 200);
  assert.is(await post(superAdmin, second, 'disable', {}), refused);
  assert.is(await post(second, last, 'enable', {}), 200);
  assert.is(await post(superAdmin, second, 'disable', {}), 200);
});

test('super_admins who lower each other at once: one stays [people-16]', async () => {
  const { id: companyId } = await service.company();
  const one = await people.user();
  const { data } = (await one.api.get('/api/v1/people?limit=100')).body;
  for (const { id, role } of data) if (role === 'super_admin' && id !== one.userId) await people.disable(id);
  const two = await people.user();
  const lower = (by: User, of: User) => post(by, of, 'role', { role: 'auditor', companyId });
  const statuses = await Promise.all([lower(one, two), lower(two, one)]);
  const left = await Promise.all([isLeft(one, 'super_admin'), isLeft(two, 'super_admin')]);
  assert.is(left.filter(Boolean).length, 1, statuses.join());
});
