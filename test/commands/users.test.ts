import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import type { Context, Handle } from '../../commands/handle.ts';
import { load } from '../../commands/load.ts';
import { user, userStream } from '../../domain/user.ts';
import type { Role } from '../../kernel/scope.ts';
import type { UserRow } from '../../stores/identity.ts';
import { identityOver } from '../controls/identity.ts';
import { context, failure, operatorContext, type Stores, temporaryStores } from '../controls/stores.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('users: disabled, enabled, with another role');
let stores: Stores;
let made = 0;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const all = () => identityOver(stores);
const password = 'correct horse';
const person: Context = { ...context, actor: { kind: 'user', id: 'usr_1' } };

const newCompany = async (): Promise<string> => (await administer(stores).createCompany('ACME', context)).id;
const userOf = async (role: Role, companyId: string | null) => {
  const email = `user${++made}@example.com`;
  const { token } = await all().invite({ email, role, companyId }, context);
  const { userId } = await all().complete({ token, password, name: null }, context);
  return { userId, email };
};
const rowOf = async (userId: string): Promise<UserRow> => {
  const row = await all().identity.user(userId);
  if (row === null) throw new Error(`the user ${userId} has no row`);
  return row;
};
const stateOf = (userId: string) => load(stores.log, user, userStream(userId));
const logIn = (email: string) =>
  all().logIn(email, password, { kind: 'token', address: '192.0.2.1', agent: 'curl' }, context);
const ruleOf = async (body: Promise<unknown>): Promise<string> => (await failure(body)).name;
const changeTo = (userId: string, role: Role, companyId: string | null, over = all(), cause = person) =>
  over.changeRole(userId, { role, companyId, by: 'administrator' }, cause);

test('a changed role counts at the next request of open sessions [people-17]', async () => {
  const companyId = await newCompany();
  const { userId, email } = await userOf('reviewer', companyId);
  const { token } = (await logIn(email)) ?? {};
  await changeTo(userId, 'auditor', companyId);
  const proven = await all().session(token ?? '', 'token');
  assert.equal([proven?.person.role, proven?.person.companyId], ['auditor', companyId]);
  assert.is((await stateOf(userId))?.role, 'auditor');
});

test('an enabled user logs in with the same password, and sessions of before stay ended', async () => {
  const { userId, email } = await userOf('reviewer', await newCompany());
  const { token } = (await logIn(email)) ?? {};
  await all().disableUser(userId, person);
  assert.is(await logIn(email), null);
  for (let again = 0; again < 2; again += 1) await all().enableUser(userId, person);
  assert.ok(await logIn(email));
  assert.is(await all().session(token ?? '', 'token'), null);
  assert.is(await ruleOf(all().enableUser('usr_01hv6x3m8q2r5t7w9y0a1b2c3d', person)), 'UserNotFound');
});

test('the last org_admin of a company, and the last super_admin, stays [people-16]', async () => {
  const companyId = await newCompany();
  const offices = [
    ['org_admin', companyId, 'reviewer', companyId],
    ['super_admin', null, 'auditor', companyId],
  ] as const;
  for (const [role, of, lower, lowerOf] of offices) {
    const [one, two] = [await userOf(role, of), await userOf(role, of)];
    await userOf('reviewer', companyId);
    await all().disableUser(one.userId, person);
    assert.is(await ruleOf(all().disableUser(two.userId, person)), 'LastAdministrator');
    assert.is(await ruleOf(changeTo(two.userId, lower, lowerOf)), 'LastAdministrator');
    assert.is((await rowOf(two.userId)).disabledAt, null);
    assert.is((await stateOf(two.userId))?.role, role);
    await changeTo(one.userId, role, of);
    await all().disableUser(one.userId, person);
    await all().enableUser(one.userId, person);
    await changeTo(two.userId, lower, lowerOf);
    assert.is(await ruleOf(changeTo(one.userId, lower, lowerOf)), 'LastAdministrator');
    await all().disableUser(one.userId, operatorContext);
    assert.ok((await rowOf(one.userId)).disabledAt, 'the operator may disable anybody');
  }
});

test('an administrator of another company counts for nothing [people-16]', async () => {
  const [mine, other] = [await newCompany(), await newCompany()];
  const { userId } = await userOf('org_admin', mine);
  await userOf('org_admin', other);
  assert.is(await ruleOf(all().disableUser(userId, person)), 'LastAdministrator');
});

test('of administrators who leave at once one stays, however they leave [people-16]', async () => {
  for (let round = 0; round < rounds(10, 200); round += 1) {
    const companyId = await newCompany();
    const people = await Promise.all([1, 2, 3].map(() => userOf('org_admin', companyId)));
    const outcomes = await Promise.allSettled(
      people.map(({ userId }, n) =>
        (n + round) % 2 === 0 ? all().disableUser(userId, person) : changeTo(userId, 'auditor', companyId),
      ),
    );
    const rows = await Promise.all(people.map(({ userId }) => rowOf(userId)));
    const active = rows.filter((row) => row.role === 'org_admin' && row.disabledAt === null);
    assert.ok(active.length >= 1, `nobody is left in round ${round}`);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.name] : []));
    assert.equal(new Set(refused), new Set(['LastAdministrator']));
    assert.is(refused.length, active.length);
  }
});

const crash = (): Promise<never> => Promise.reject(new Error('crashed'));
const crashingAt = (at: string): Handle => {
  const { handle } = stores;
  return (decider, stream, command, ...rest) =>
    (command as { type: string }).type === at ? crash() : handle(decider, stream, command, ...rest);
};

test('a leave that crashed is forgotten after a minute, or when it is repeated [people-16]', async () => {
  const companyId = await newCompany();
  const [one, two] = [await userOf('org_admin', companyId), await userOf('org_admin', companyId)];
  const broken = identityOver(stores, { handle: crashingAt('ChangeRole') });
  const half = async () => {
    await failure(changeTo(one.userId, 'auditor', companyId, broken));
    assert.is(await ruleOf(all().disableUser(two.userId, person)), 'LastAdministrator');
  };
  await half();
  stores.pass(60_000);
  await all().disableUser(two.userId, person);
  await all().enableUser(two.userId, person);
  await half();
  await changeTo(one.userId, 'auditor', companyId);
  assert.is((await rowOf(one.userId)).role, 'auditor');
});

test('a crash behind the decision is mended by the reactor: the changed role counts [people-17]', async () => {
  const companyId = await newCompany();
  const { userId } = await userOf('reviewer', companyId);
  const broken = identityOver(stores, { identity: { changeUser: crash } });
  await failure(changeTo(userId, 'auditor', companyId, broken));
  assert.is((await rowOf(userId)).role, 'reviewer');
  for (let again = 0; again < 2; again += 1) await all().settleUser(userId);
  assert.is((await rowOf(userId)).role, 'auditor');
});

test('a disabling that crashed is not undone by a changed role, but by enabling', async () => {
  const companyId = await newCompany();
  const { userId } = await userOf('reviewer', companyId);
  await failure(identityOver(stores, { handle: crashingAt('DisableUser') }).disableUser(userId, person));
  await changeTo(userId, 'auditor', companyId);
  assert.ok((await rowOf(userId)).disabledAt);
  await all().enableUser(userId, person);
  assert.is((await rowOf(userId)).disabledAt, null);
});

test('of changes at once the row has what the log has in the end [people-17]', async () => {
  const companyId = await newCompany();
  for (let round = 0; round < rounds(10, 200); round += 1) {
    const { userId } = await userOf('reviewer', companyId);
    await Promise.all([
      changeTo(userId, 'auditor', companyId),
      all().disableUser(userId, person),
      changeTo(userId, 'org_admin', companyId),
      all().enableUser(userId, person),
      changeTo(userId, 'reviewer', companyId),
    ]);
    const [row, state] = [await rowOf(userId), await stateOf(userId)];
    assert.equal([row.role, row.disabledAt !== null], [state?.role, state?.disabled], `round ${round}`);
  }
});
