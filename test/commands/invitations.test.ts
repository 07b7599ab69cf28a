import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import type { Handle } from '../../commands/handle.ts';
import { type InvitationAccepted, invitationStream } from '../../domain/invitation.ts';
import { hashToken } from '../../stores/identity.ts';
import { identityOver } from '../controls/identity.ts';
import { context, failure, operatorContext, type Stores, temporaryStores } from '../controls/stores.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('invitations and users: commands');
let stores: Stores;
let made = 0;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const HOUR = 3_600_000;
const all = () => identityOver(stores);
const newEmail = (): string => `Person${++made}@example.com`;
const invite = (email = newEmail()) => all().invite({ email, role: 'super_admin', companyId: null }, context);
const password = 'correct horse';
const complete = (token: string, given = password) =>
  all().complete({ token, password: given, name: 'Ann' }, context);
const userOf = async (email = newEmail()) => {
  const { token } = await invite(email);
  return { ...(await complete(token)), email };
};
const client = { kind: 'token', address: '192.0.2.1', agent: 'curl' } as const;
const logIn = (email: string, given: string, over = all()) => over.logIn(email, given, client, context);
const personOf = async (token: string) => (await all().session(token, 'token'))?.person ?? null;
const rule = async (body: Promise<unknown>): Promise<string> => (await failure(body)).name;

test('only people of a company that is there are invited', async () => {
  const unknown = 'cmp_01hv6x3m8q2r5t7w9y0a1b2c3d';
  const office = { email: newEmail(), role: 'org_admin' } as const;
  assert.is(await rule(all().invite({ ...office, companyId: unknown }, context)), 'CompanyNotFound');
  const { id } = await administer(stores).createCompany('ACME', context);
  assert.match((await all().invite({ ...office, companyId: id }, context)).id, /^inv_/);
});

test('a token is base64url of 32 bytes, lives 72 hours, and only its SHA-256 is kept [invitations-1, invitations-10]', async () => {
  const { id, token, expiresAt } = await invite();
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.is(Date.parse(expiresAt) - stores.clock.now().getTime(), 72 * HOUR);
  const rows = JSON.stringify(await stores.documents.tables.list('invitations'));
  assert.ok(rows.includes(hashToken(token)) && !rows.includes(token));
  assert.not.ok(JSON.stringify(await stores.log.load(invitationStream(id))).includes(token));
});

test('a completed invitation makes a user who can log in', async () => {
  const { email, userId } = await userOf();
  assert.match(userId, /^usr_/);
  const session = await logIn(email.toUpperCase(), password);
  assert.is((await personOf(session?.token ?? ''))?.userId, userId);
});

test('an invitation ends at 72 hours, and a used one stays used', async () => {
  const [open, used] = [await invite(), await invite()];
  await complete(used.token);
  stores.pass(72 * HOUR);
  assert.is(await rule(complete(open.token)), 'InvitationExpired');
  assert.is((await all().check(open.token)).reason, 'expired');
  assert.is(await rule(complete(used.token)), 'InvitationConsumed');
  assert.is(await rule(complete('nobody gave this')), 'InvitationInvalid');
});

test('of several completions at once exactly one wins, and only its password works', async () => {
  for (let round = 0; round < rounds(3, 100); round += 1) {
    const email = newEmail();
    const { token } = await invite(email);
    const tries = Array.from({ length: 6 }, (_, index) => `password ${index}`);
    const outcomes = await Promise.allSettled(tries.map((one) => complete(token, one)));
    const won = tries.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    assert.is(won.length, 1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.is(outcome.reason.name, 'InvitationConsumed');
    for (const one of tries) assert.is((await logIn(email, one)) !== null, one === won[0], one);
  }
});

test('of two invitations of one e-mail one makes the user; the other is used up with it', async () => {
  for (let round = 0; round < rounds(3, 100); round += 1) {
    const email = newEmail();
    const both = [await invite(email), await invite(email.toLowerCase())];
    const outcomes = await Promise.allSettled(
      both.map(({ token }, index) => complete(token, `secret ${index}`)),
    );
    const won = outcomes.findIndex(({ status }) => status === 'fulfilled');
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const { token } of both) assert.is((await all().check(token)).reason, 'consumed');
    assert.ok(await logIn(email, `secret ${won}`));
    assert.is(await logIn(email, `secret ${1 - won}`), null);
  }
});

test('an e-mail that has a user is not invited, and its other invitation counts as used', async () => {
  const email = newEmail();
  const [first, second] = [await invite(email), await invite(email)];
  await complete(first.token);
  assert.is(await rule(invite(` ${email.toUpperCase()} `)), 'EmailTaken');
  assert.is((await all().check(second.token)).reason, 'consumed');
  assert.is(await rule(complete(second.token)), 'InvitationConsumed');
});

test('a revoked invitation is invalid', async () => {
  const { id, token } = await invite();
  await all().revokeInvitation(id, context);
  assert.is((await all().check(token)).reason, 'invalid');
  assert.is(await rule(complete(token)), 'InvitationInvalid');
  const unknown = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  assert.is(await rule(all().revokeInvitation(unknown, context)), 'InvitationNotFound');
});

test('a disabled user is out at once, with all sessions, and the password no longer works', async () => {
  const { email, userId } = await userOf();
  const sessions = [await logIn(email, password), await logIn(email, password)];
  await all().disableUser(userId, context);
  for (const session of sessions) assert.is(await personOf(session?.token ?? ''), null);
  assert.is(await logIn(email, password), null);
  assert.is(await rule(all().resetUser(userId, false, context)), 'UserIsDisabled');
  const unknown = 'usr_01hv6x3m8q2r5t7w9y0a1b2c3d';
  assert.is(await rule(all().disableUser(unknown, context)), 'UserNotFound');
  assert.is(await rule(all().resetUser(unknown, false, context)), 'UserNotFound');
});

test('a reset takes the password and all sessions, and its token gives a new password once', async () => {
  const { email, userId } = await userOf();
  const session = await logIn(email, password);
  const { token } = await all().resetUser(userId, false, context);
  assert.is(await personOf(session?.token ?? ''), null);
  assert.is(await logIn(email, password), null);
  assert.is((await complete(token, 'a new one')).userId, userId);
  assert.ok(await logIn(email, 'a new one'));
  assert.is(await rule(complete(token, 'another one')), 'InvitationConsumed');
  assert.is(await personOf(session?.token ?? ''), null);
});

test('a newer reset, or disabling, makes the token of the last reset invalid', async () => {
  const { userId } = await userOf();
  const first = await all().resetUser(userId, false, context);
  const second = await all().resetUser(userId, false, context);
  assert.is(await rule(complete(first.token)), 'InvitationInvalid');
  assert.is((await all().check(second.token)).reason, null);
  await all().disableUser(userId, context);
  assert.is((await all().check(second.token)).reason, 'invalid');
});

test('a disabled user comes back by a reset that says so, with a new password', async () => {
  const { email, userId } = await userOf();
  const session = await logIn(email, password);
  await all().disableUser(userId, context);
  const { token } = await all().resetUser(userId, true, context);
  assert.is(await logIn(email, password), null);
  await complete(token, 'a new one');
  assert.ok(await logIn(email, 'a new one'));
  assert.is(await personOf(session?.token ?? ''), null, 'sessions of before stay over');
});

test('a session lives 12 hours, ends by log-out, and is kept as its SHA-256 only [logins-1, logins-3, logins-6]', async () => {
  const { email } = await userOf();
  const [one, two] = [await logIn(email, password), await logIn(email, password)];
  assert.match(one?.token ?? '', /^ast_[A-Za-z0-9_-]{43}$/);
  assert.is(Date.parse(one?.expiresAt ?? '') - stores.clock.now().getTime(), 12 * HOUR);
  const rows = JSON.stringify(await stores.documents.tables.list('sessionTokens'));
  assert.ok(rows.includes(hashToken(one?.token ?? '')) && !rows.includes(one?.token ?? ''));
  const person = await personOf(one?.token ?? '');
  assert.is(await all().end(person?.userId ?? '', person?.sessionId ?? '', context), 1);
  assert.is(await personOf(one?.token ?? ''), null);
  assert.ok(await personOf(two?.token ?? ''));
  stores.pass(12 * HOUR);
  assert.is(await personOf(two?.token ?? ''), null);
});

test('sessions that are over do not pile up', async () => {
  const { email } = await userOf();
  const service = all(); // it remembers how far it has checked
  const rows = async () => (await stores.documents.tables.list('sessionTokens')).length;
  for (let n = 0; n < 30; n += 1) await logIn(email, password, service);
  const before = await rows();
  stores.pass(12 * HOUR);
  for (let n = 0; n < 20; n += 1) await logIn(email, password, service);
  assert.ok((await rows()) < before, `${await rows()} of ${before} and 20 more`);
});

test('a reset while the password is being checked ends that session too', async () => {
  const { email, userId } = await userOf();
  const slow = identityOver(stores, {
    identity: {
      userByEmail: async (emailId) => {
        const row = await all().identity.userByEmail(emailId);
        await all().resetUser(userId, false, context);
        return row;
      },
    },
  });
  const session = await logIn(email, password, slow);
  assert.is(await personOf(session?.token ?? ''), null);
});

test('who makes keys is known by e-mail, and only to the own company as org_admin', async () => {
  const { id: companyId } = await administer(stores).createCompany('ACME', context);
  const email = newEmail();
  const { token } = await all().invite({ email, role: 'org_admin', companyId }, context);
  const { userId } = await complete(token);
  assert.is(await all().requireKeyMaker(email.toLowerCase(), companyId), userId);
  assert.is(await rule(all().requireKeyMaker(email, null)), 'KeyNeedsCompany');
  assert.is(await rule(all().requireKeyMaker(email, 'cmp_other')), 'KeyOutsideCompany');
  assert.is(await rule(all().requireKeyMaker('nobody@example.com', companyId)), 'UserNotFound');
  await all().disableUser(userId, operatorContext);
  assert.is(await rule(all().requireKeyMaker(email, companyId)), 'UserIsDisabled');
});

/** The commands, with something that happens just before a password is offered. */
const meanwhile = (happens: () => Promise<unknown>) => {
  const { identity } = all();
  const offer: typeof identity.offer = async (...args) => {
    await happens();
    return identity.offer(...args);
  };
  return identityOver(stores, { identity: { offer } });
};

test('an invitation that is revoked while its password is hashed is invalid', async () => {
  const email = newEmail();
  const { id, token } = await invite(email);
  const late = meanwhile(() => all().revokeInvitation(id, context));
  assert.is(await rule(late.complete({ token, password, name: null }, context)), 'InvitationInvalid');
  assert.is(await logIn(email, password), null);
});

test('a reset that a newer one overtakes while its password is hashed gives no password', async () => {
  const { email, userId } = await userOf();
  const { token } = await all().resetUser(userId, false, context);
  const late = meanwhile(() => all().resetUser(userId, false, context));
  const done = late.complete({ token, password: 'too late', name: null }, context);
  assert.is(await rule(done), 'InvitationConsumed');
  assert.is(await logIn(email, 'too late'), null);
});

test('a user who is disabled while being reset stays disabled', async () => {
  const { email, userId } = await userOf();
  const racing = identityOver(stores, {
    identity: {
      user: async (id) => {
        await all().disableUser(id, context);
        return all().identity.user(id);
      },
    },
  });
  assert.is(await rule(racing.resetUser(userId, false, context)), 'UserIsDisabled');
  assert.ok((await all().identity.user(userId))?.disabledAt);
  assert.is(await logIn(email, password), null);
});

const crash = (): Promise<never> => Promise.reject(new Error('crashed'));
/** A handle that crashes instead of writing to streams of this beginning. */
const crashingAt =
  (prefix: string): Handle =>
  (decider, stream, ...rest) =>
    stream.startsWith(prefix) ? crash() : stores.handle(decider, stream, ...rest);

test('a crash before the invitation is accepted leaves it open, and nobody in', async () => {
  for (const broken of [{ handle: crashingAt('invitation-') }, { identity: { offer: crash } }]) {
    const email = newEmail();
    const { token } = await invite(email);
    await failure(identityOver(stores, broken).complete({ token, password, name: null }, context));
    assert.is((await all().check(token)).reason, null);
    assert.is(await logIn(email, password), null);
    await complete(token);
    assert.ok(await logIn(email, password));
  }
});

test('a crash at any point after it is mended by the reactor: the password that won works', async () => {
  for (const broken of [
    { handle: crashingAt('userEmail-') },
    { handle: crashingAt('user-') },
    { identity: { offered: crash } },
    { identity: { addUser: crash } },
    { identity: { forgetOffers: crash } },
  ]) {
    const email = newEmail();
    const { id, token } = await invite(email);
    await failure(identityOver(stores, broken).complete({ token, password, name: null }, context));
    assert.is((await all().check(token)).reason, 'consumed');
    for (let again = 0; again < 2; again += 1) await all().finish(id, context);
    assert.ok(await logIn(email, password), JSON.stringify(Object.keys(broken)));
    const { events } = await stores.log.load(invitationStream(id));
    assert.is(events.length, 2);
  }
});

test('a reset that crashes has shut the user out, and may be repeated', async () => {
  for (const prefix of ['user-', 'invitation-']) {
    const { email, userId } = await userOf();
    await failure(identityOver(stores, { handle: crashingAt(prefix) }).resetUser(userId, false, context));
    assert.is(await logIn(email, password), null);
    const { token } = await all().resetUser(userId, false, context);
    await failure(
      identityOver(stores, { identity: { changeUser: crash } }).complete(
        { token, password: 'newer one', name: null },
        context,
      ),
    );
    await all().finish((await all().identity.invitationByToken(hashToken(token))) ?? '', context);
    assert.ok(await logIn(email, 'newer one'));
  }
});

test('a new password that a crash delayed does not outlive the next reset', async () => {
  const { email, userId } = await userOf();
  const { id, token } = await all().resetUser(userId, false, context);
  const broken = identityOver(stores, { identity: { changeUser: crash } });
  await failure(broken.complete({ token, password: 'held back', name: null }, context));
  await all().resetUser(userId, false, context);
  await all().finish(id, context);
  assert.is(await logIn(email, 'held back'), null);
});

test('disabling that crashes has shut the user out, and may be repeated', async () => {
  const { email, userId } = await userOf();
  await failure(identityOver(stores, { handle: crashingAt('user-') }).disableUser(userId, context));
  assert.is(await logIn(email, password), null);
  const before = await stores.log.head();
  await all().disableUser(userId, context);
  assert.is.not(await stores.log.head(), before);
});

test('a user whose making was cut short is disabled all the same', async () => {
  const email = newEmail();
  const { id, token } = await invite(email);
  await failure(
    identityOver(stores, { identity: { addUser: crash } }).complete({ token, password, name: null }, context),
  );
  const { events } = await stores.log.load(invitationStream(id));
  const userId = String((events[1] as InvitationAccepted | undefined)?.data.userId);
  await all().disableUser(userId, context);
  await all().finish(id, context);
  assert.is(await logIn(email, password), null);
});

test('no offered password is kept', async () => {
  const rows = await stores.documents.tables.list('invitations');
  assert.equal(
    rows.filter(({ key }) => key.startsWith('offer:')).map(({ key }) => key),
    [],
  );
});
