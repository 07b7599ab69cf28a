import * as assert from 'uvu/assert';
import type { Client } from '../../commands/authenticate.ts';
import { logInStream } from '../../domain/logIn.ts';
import { identityOver } from '../controls/identity.ts';
import { logInsOf } from '../controls/logIns.ts';
import { context, failure, gate, type Stores, temporaryStores } from '../controls/stores.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('log-ins and sessions: commands');
let stores: Stores;
let people: ReturnType<typeof identityOver>;
let made = 0;
test.before(() => {
  stores = temporaryStores();
  people = identityOver(stores);
});
test.after(() => stores.remove());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ADDRESS = '192.0.2.77';
const password = 'correct horse';
const program = { kind: 'token', address: ADDRESS, agent: 'curl' } as const;
const page = { kind: 'cookie', address: ADDRESS, agent: 'Firefox on Linux' } as const;

const newUser = async (over = people) => {
  const email = `person${++made}@example.com`;
  const { token } = await people.invite({ email, role: 'super_admin', companyId: null }, context);
  const { userId } = await people.complete({ token, password, name: null }, context);
  const logIn = async (from: Client = program) => {
    // Sessions of one millisecond are in no order.
    stores.pass(1);
    const begun = await over.logIn(email, password, from, context);
    if (begun === null) throw new Error('the log-in was refused');
    return begun;
  };
  return { email, userId, logIn };
};
const typesOf = async (userId: string) => {
  await stores.background.settled();
  return (await logInsOf(stores.log, userId)).map(({ type }) => type);
};
/** Whose deeds the ends of a user's sessions were. */
const endedBy = async (userId: string) =>
  (await logInsOf(stores.log, userId))
    .filter(({ type }) => type === 'UserLoggedOut')
    .map(({ metadata }) => metadata.actor);
/** Uses a session as a request does; false when it has ended. */
const use = async (token: string, kind: 'token' | 'cookie'): Promise<boolean> => {
  const proven = await people.session(token, kind);
  if (proven?.isUnrecorded) await people.record(proven.tokenHash);
  return proven !== null;
};

test('a session in a cookie ends after two idle hours, and after twelve hours in all [people-6, logins-1]', async () => {
  const { logIn } = await newUser();
  const idle = await logIn(page);
  stores.pass(2 * HOUR - 1);
  assert.ok(await people.session(idle.token, 'cookie'));
  stores.pass(1);
  assert.is(await people.session(idle.token, 'cookie'), null);
  const busy = await logIn(page);
  for (let hour = 1; hour < 12; hour += 1) {
    stores.pass(HOUR);
    assert.is(await use(busy.token, 'cookie'), true, `after ${hour} hours`);
  }
  stores.pass(HOUR - 1);
  assert.is(await use(busy.token, 'cookie'), true);
  stores.pass(1);
  assert.is(await use(busy.token, 'cookie'), false);
});

test('a session token may be idle for all of its twelve hours', async () => {
  const { logIn } = await newUser();
  const { token } = await logIn();
  stores.pass(12 * HOUR - 1);
  assert.is(await use(token, 'token'), true);
  stores.pass(1);
  assert.is(await use(token, 'token'), false);
});

test('the last use is noted once a minute', async () => {
  const { logIn, userId } = await newUser();
  const { token } = await logIn(page);
  const seen = async () => Date.parse((await people.sessions(userId))[0]?.lastSeenAt ?? '');
  const start = await seen();
  stores.pass(MINUTE - 1);
  await use(token, 'cookie');
  assert.is(await seen(), start);
  stores.pass(1);
  await use(token, 'cookie');
  assert.is(await seen(), start + MINUTE);
});

test('a use that is noted does not bring an ended session back', async () => {
  const { logIn, userId } = await newUser();
  const { token, sessionId } = await logIn(page);
  const { tokenHash } = (await people.session(token, 'cookie')) ?? { tokenHash: '' };
  await people.end(userId, sessionId, context);
  await people.record(tokenHash);
  assert.is(await people.session(token, 'cookie'), null);
});

test('a token is valid only as it was issued: in a cookie, or as bearer [people-2]', async () => {
  const { logIn } = await newUser();
  const [token, cookie] = [await logIn(), await logIn(page)];
  assert.is(await people.session(token.token, 'cookie'), null);
  assert.is(await people.session(cookie.token, 'token'), null);
});

test('each log-in has a session and a token of its own [people-7]', async () => {
  const { logIn, userId } = await newUser();
  const all = [await logIn(page), await logIn(page), await logIn()];
  assert.is(new Set(all.map(({ token }) => token)).size, 3);
  const listed = await people.sessions(userId);
  assert.equal(
    listed.map(({ sessionId }) => sessionId),
    all.map(({ sessionId }) => sessionId).reverse(),
  );
});

test('a log-in by cookie ends the session whose cookie it replaces, and no other [people-7]', async () => {
  const [ann, bob] = [await newUser(), await newUser()];
  const [first, other, bearer] = [await ann.logIn(page), await ann.logIn(page), await ann.logIn()];
  const next = await bob.logIn({ ...page, former: first.token });
  assert.is(await use(first.token, 'cookie'), false);
  assert.equal(await endedBy(ann.userId), [{ kind: 'system', id: 'log-in' }]);
  for (const former of [first.token, 'unknown', bearer.token]) await bob.logIn({ ...page, former });
  assert.equal(
    [await use(other.token, 'cookie'), await use(bearer.token, 'token'), await use(next.token, 'cookie')],
    [true, true, true],
  );
  await bob.logIn({ ...program, former: next.token });
  assert.is(await use(next.token, 'cookie'), true, 'a program replaces no cookie');
  await bob.logIn({ ...page, former: next.token });
  assert.equal(await endedBy(bob.userId), [{ kind: 'user', id: bob.userId }], 'the own session');
});

test('a log-in and its end are events of the person, the address sealed [people-9]', async () => {
  const { logIn, userId } = await newUser();
  const { sessionId, token, expiresAt } = await logIn(page);
  await people.end(userId, sessionId, context);
  const { events } = await stores.log.load(logInStream(sessionId));
  assert.equal(
    events.map(({ type, data, metadata }) => [type, data, metadata.actor]),
    [
      [
        'UserLoggedIn',
        {
          ...{ sessionId, userId, companyId: null, method: 'password' },
          expiresAt,
          private: { address: ADDRESS },
        },
        { kind: 'user', id: userId },
      ],
      ['UserLoggedOut', { sessionId, userId, companyId: null }, { kind: 'user', id: userId }],
    ],
  );
  for await (const stored of stores.events.read(logInStream(sessionId))) {
    assert.not.ok(JSON.stringify(stored).includes(ADDRESS));
    assert.not.ok(JSON.stringify(stored).includes(token));
  }
});

test('a log-in whose event could not be stored is none', async () => {
  const { email, logIn, userId } = await newUser();
  const broken = identityOver(stores, { handle: () => Promise.reject(new Error('crashed')) });
  await failure(broken.logIn(email, password, program, context));
  assert.equal(await people.sessions(userId), []);
  await logIn();
});

test('refused log-ins of a user are events with their reason, and an unknown e-mail leaves none [people-9]', async () => {
  const { email, userId } = await newUser();
  const head = await stores.log.head();
  assert.is(await people.logIn('nobody@example.com', password, program, context), null);
  await stores.background.settled();
  assert.is(await stores.log.head(), head);
  assert.is(await people.logIn(email, 'wrong', program, context), null);
  await stores.background.settled();
  await people.disableUser(userId, context);
  assert.is(await people.logIn(email, password, program, context), null);
  await stores.background.settled();
  const events = await logInsOf(stores.log, userId);
  assert.equal(
    events.map(({ type, data, metadata }) => [type, 'reason' in data && data.reason, metadata.actor]),
    [
      ['UserLogInFailed', 'password', { kind: 'system', id: 'log-in' }],
      ['UserLogInFailed', 'disabled', { kind: 'system', id: 'log-in' }],
    ],
  );
});

test('the answer to a refused log-in waits for no event [people-9]', async () => {
  const { opened, open } = gate();
  const stuck = identityOver(stores, {
    handle: async (...args) => {
      await opened;
      return stores.handle(...args);
    },
  });
  const { email, userId } = await newUser();
  assert.is(await stuck.logIn(email, 'wrong', program, context), null);
  assert.equal(
    (await logInsOf(stores.log, userId)).map(({ type }) => type),
    [],
  );
  open();
  assert.equal(await typesOf(userId), ['UserLogInFailed']);
});

test('one session is ended, or all, by their person alone [people-8]', async () => {
  const [ann, bob] = [await newUser(), await newUser()];
  const [one, two, three] = [await ann.logIn(), await ann.logIn(page), await ann.logIn()];
  const his = await bob.logIn();
  assert.is(await people.end(bob.userId, one.sessionId, context), 0);
  assert.is(await people.end(ann.userId, one.sessionId, context), 1);
  assert.is(await people.end(ann.userId, one.sessionId, context), 0);
  assert.equal([await use(one.token, 'token'), await use(two.token, 'cookie')], [false, true]);
  assert.is(await people.end(ann.userId, null, context), 2);
  assert.equal([await use(two.token, 'cookie'), await use(three.token, 'token')], [false, false]);
  assert.is(await use(his.token, 'token'), true);
  assert.is((await typesOf(ann.userId)).filter((type) => type === 'UserLoggedOut').length, 3);
});

test('sessions that a reset ended, or that have expired, are not listed', async () => {
  const { logIn, userId } = await newUser();
  await logIn(page);
  stores.pass(3 * HOUR);
  assert.equal(await people.sessions(userId), []);
  await logIn();
  await people.resetUser(userId, false, context);
  assert.equal(await people.sessions(userId), []);
});

test('of two hundred sessions a new one ends the oldest [people-7]', async () => {
  const { logIn, userId } = await newUser();
  const first = await logIn();
  const second = await logIn();
  for (let n = 2; n < 200; n += 1) await logIn();
  assert.is(await use(first.token, 'token'), true);
  await logIn();
  assert.equal([await use(first.token, 'token'), await use(second.token, 'token')], [false, true]);
  assert.is((await people.sessions(userId)).length, 200);
});

test('of many ends at once none fails, and the log has one', async () => {
  for (let round = 0; round < rounds(3, 50); round += 1) {
    const { logIn, userId } = await newUser();
    const { sessionId } = await logIn();
    await Promise.all(Array.from({ length: 6 }, () => people.end(userId, sessionId, context)));
    assert.equal(await typesOf(userId), ['UserLoggedIn', 'UserLoggedOut']);
  }
});
