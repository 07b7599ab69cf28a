import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import type { Handle } from '../../commands/handle.ts';
import { ATTEMPT_MS, type AttemptSecrets, type IdentityProvider } from '../../commands/logInByProvider.ts';
import type { Claims } from '../../commands/provenUser.ts';
import { invitationStream } from '../../domain/invitation.ts';
import { type UserEvent, userStream } from '../../domain/user.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Role } from '../../kernel/scope.ts';
import { identityOver } from '../controls/identity.ts';
import { context, failure, operatorContext, type Stores, temporaryStores } from '../controls/stores.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('log-in by an identity provider: commands');
let stores: Stores;
let made = 0;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const ISSUER = 'https://login.example.com';
const client = { kind: 'cookie', address: '192.0.2.7', agent: 'Firefox on Linux' } as const;
type Broken = Parameters<typeof identityOver>[1];

/**
 * A provider that says of everybody what the code says, as JSON, and keeps the secrets of the last attempt.
 */
const sayingAsToldTo = () => {
  let last: AttemptSecrets | null = null;
  const provider: IdentityProvider = {
    location: async (secrets) => {
      last = secrets;
      return `${ISSUER}/authorize`;
    },
    claims: async ({ code }) => JSON.parse(code) as Claims,
  };
  return { provider, secrets: () => last as AttemptSecrets };
};

/** A log-in at the provider with these claims, up to its end. */
const answered = async (claims: object, broken: Broken = {}) => {
  const { provider, secrets } = sayingAsToldTo();
  const over = identityOver(stores, broken).by(provider);
  const { token } = await over.begin({ returnTo: '/console' });
  const { state } = secrets();
  const code = JSON.stringify({ iss: ISSUER, email_verified: true, ...claims });
  return {
    token,
    state,
    complete: () => over.complete(token, { code, state, iss: ISSUER }, client, context),
  };
};
const logIn = async (claims: object, broken: Broken = {}) => (await answered(claims, broken)).complete();
const refusalOf = async (claims: object, broken: Broken = {}) => (await logIn(claims, broken)).refusal;

const all = () => identityOver(stores);
const typesOf = async (userId: string) =>
  (await stores.log.load(userStream(userId))).events.map(({ type }) => type);
const invited = async (role: Role = 'super_admin', companyId: string | null = null) => {
  const email = `person${++made}@example.com`;
  const { id } = await all().invite({ email, role, companyId }, context);
  return { email, sub: `subject-${made}`, id };
};
const userOf = async (email: string) => {
  const row = await all().identity.userByEmail(all().emailIdOf(email));
  if (row === null) throw new Error('there is no such user');
  return row;
};
const crash = (): Promise<never> => Promise.reject(new Error('crashed'));

test('an attempt may take ten minutes, and not a moment more [logins-8]', async () => {
  const [early, late] = [await answered(await invited()), await answered(await invited())];
  stores.pass(ATTEMPT_MS - 1);
  assert.is((await early.complete()).refusal, null);
  stores.pass(1);
  assert.is((await late.complete()).refusal, 'attempt');
});

test('no row has a secret of the attempt, and those that expired are removed', async () => {
  const { provider, secrets } = sayingAsToldTo();
  const over = all().by(provider);
  const rowsOf = () => stores.documents.tables.list('logInAttempts');
  for (let time = 0; time < 25; time += 1) await over.begin({ returnTo: '/console' });
  const { token } = await over.begin({ returnTo: '/console/queue' });
  const stored = JSON.stringify(await rowsOf());
  assert.ok(stored.includes('/console/queue'));
  for (const secret of [token, ...Object.values(secrets())]) assert.not.ok(stored.includes(secret));
  stores.pass(ATTEMPT_MS);
  for (let time = 0; time < 4; time += 1) await over.begin({ returnTo: '/console' });
  assert.ok((await rowsOf()).length <= 8, `${(await rowsOf()).length} rows`);
});

test('of many completions of one attempt at once exactly one succeeds [logins-8]', async () => {
  for (let round = 0; round < rounds(3, 50); round += 1) {
    const { complete } = await answered(await invited());
    const outcomes = await Promise.all(Array.from({ length: 6 }, complete));
    assert.is(outcomes.filter(({ refusal }) => refusal === null).length, 1);
    assert.ok(outcomes.every(({ refusal }) => refusal === null || refusal === 'attempt'));
  }
});

test('a provider that is away while an attempt is completed ends it, and nothing else happens', async () => {
  const { email } = await invited();
  const { provider, secrets } = sayingAsToldTo();
  const over = all().by({ ...provider, claims: crash });
  const { token } = await over.begin({ returnTo: '/console' });
  const { state } = secrets();
  const complete = () => over.complete(token, { code: '{}', state, iss: null }, client, context);
  assert.is((await failure(complete())).message, 'crashed');
  assert.is((await complete()).refusal, 'attempt');
  assert.is(await all().identity.userByEmail(all().emailIdOf(email)), null);
});

/** Handles that crash instead of an append to a stream of this beginning. */
const crashingAt =
  (prefix: string): Handle =>
  (decider, stream, ...rest) =>
    stream.startsWith(prefix) ? crash() : stores.handle(decider, stream, ...rest);

/** Handles that crash instead of this command. */
const crashingIn =
  (type: string): Handle =>
  (decider, stream, command, ...rest) =>
    (command as { type: string }).type === type ? crash() : stores.handle(decider, stream, command, ...rest);

test('wherever a first log-in crashes, the next one completes it, with one user bound once [logins-11, logins-12]', async () => {
  const places: readonly Broken[] = [
    ...['invitation-', 'userEmail-', 'user-', 'logIn-'].map((prefix) => ({ handle: crashingAt(prefix) })),
    { handle: crashingIn('BindIdentity') },
    ...(['offer', 'addUser', 'reserveSubject', 'forgetInvitee', 'forgetOffers', 'addSession'] as const).map(
      (step) => ({ identity: { [step]: crash } }),
    ),
  ];
  for (const place of places) {
    const { email, sub } = await invited();
    await failure(logIn({ email, sub }, place));
    assert.is(await refusalOf({ email, sub }), null, JSON.stringify(place));
    const { userId, passwordHash } = await userOf(email);
    assert.equal([await typesOf(userId), passwordHash], [['UserCreated', 'UserIdentityBound'], null]);
    assert.is(await refusalOf({ email, sub: 'another' }), 'subject');
    assert.is(await refusalOf({ sub }), null);
  }
});

test('of accounts with one e-mail that log in at once for the first time one is bound, the others are refused for good [logins-12]', async () => {
  for (let round = 0; round < rounds(3, 50); round += 1) {
    const { email } = await invited();
    const subjects = [0, 1, 2].map((n) => `${email} ${n}`);
    const outcomes = await Promise.all(subjects.map((sub) => refusalOf({ email, sub })));
    assert.equal([...outcomes].sort(), [null, 'subject', 'subject']);
    assert.equal(await Promise.all(subjects.map((sub) => refusalOf({ email, sub }))), outcomes);
    assert.equal(await typesOf((await userOf(email)).userId), ['UserCreated', 'UserIdentityBound']);
    // An account that was refused is free for the user that it belongs to.
    const other = await invited();
    const loser = subjects[outcomes.indexOf('subject')];
    assert.is(await refusalOf({ email: other.email, sub: loser }), null);
  }
});

test('an invitation that is completed with a password at the same moment makes the same user [logins-11]', async () => {
  for (let round = 0; round < rounds(3, 50); round += 1) {
    const email = `person${++made}@example.com`;
    const { token, id } = await all().invite({ email, role: 'super_admin', companyId: null }, context);
    const [withPassword, outcome] = await Promise.all([
      all()
        .complete({ token, password: 'correct horse', name: null }, context)
        .then(
          () => 'completed',
          ({ name }: Error) => name,
        ),
      refusalOf({ email, sub: email }),
    ]);
    assert.is(outcome, null);
    assert.ok(['completed', 'InvitationConsumed'].includes(withPassword), withPassword);
    const { userId, passwordHash } = await userOf(email);
    assert.is(passwordHash === null, withPassword !== 'completed');
    assert.equal(await typesOf(userId), ['UserCreated', 'UserIdentityBound']);
    const accepted = (await stores.log.load(invitationStream(id))).events.filter(
      ({ type }) => type === 'InvitationAccepted',
    );
    assert.is(accepted.length, 1);
  }
});

/** A user who is bound to an account by a log-in. */
const bound = async () => {
  const { email, sub } = await invited();
  assert.is(await refusalOf({ email, sub }), null);
  return { email, sub, userId: (await userOf(email)).userId };
};
/** The account is not the user's any more, and neither is a session that began at the same moment. */
const isReleased = async (
  { sub, userId }: Readonly<{ sub: string; userId: string }>,
  during: Awaited<ReturnType<typeof logIn>> | null,
): Promise<void> => {
  if (during?.refusal === null) assert.is(await all().session(during.session.token, 'cookie'), null);
  assert.is(await all().identity.userIdBySubject(all().subjectIdOf(ISSUER, sub)), null);
  assert.is(await refusalOf({ sub, email: `other-${sub}@example.com` }), 'unknown');
  assert.equal(await typesOf(userId), ['UserCreated', 'UserIdentityBound', 'UserPasswordReset']);
};

test('a log-in while a reset is under way leaves neither a session nor the binding [logins-12]', async () => {
  const one = await bound();
  let during: Awaited<ReturnType<typeof logIn>> | null = null;
  const releaseSubject = async (...given: readonly [string, string]) => {
    await all().identity.releaseSubject(...given);
    during ??= await logIn({ sub: one.sub, email: one.email });
  };
  await identityOver(stores, { identity: { releaseSubject } }).resetUser(one.userId, false, context);
  assert.ok(during);
  await isReleased(one, during);
});

test('a reset while a log-in is under way ends the binding, whatever the log-in has read before [logins-12]', async () => {
  for (const step of ['userIdBySubject', 'user', 'reserveSubject'] as const) {
    const one = await bound();
    let isDone = false;
    const reset = async <T>(read: Promise<T>): Promise<T> => {
      const found = await read;
      if (!isDone) {
        isDone = true;
        await all().resetUser(one.userId, false, context);
      }
      return found;
    };
    const { identity } = all();
    const broken = {
      userIdBySubject: { userIdBySubject: (id: string) => reset(identity.userIdBySubject(id)) },
      user: { user: (id: string) => reset(identity.user(id)) },
      reserveSubject: {
        reserveSubject: (...given: readonly [string, string]) => reset(identity.reserveSubject(...given)),
      },
    }[step];
    // The provider has given the account another e-mail: only the binding could find the user.
    const during = await logIn({ sub: one.sub, email: `new-${one.sub}@example.com` }, { identity: broken });
    if (!isDone) await reset(Promise.resolve());
    await isReleased(one, during);
  }
});

test('a user who is disabled while a log-in is under way has no session, also once enabled again [logins-13]', async () => {
  const { email, sub } = await invited();
  const reserveSubject = async (...given: readonly [string, string]) => {
    await all().disableUser(given[1], operatorContext);
    return all().identity.reserveSubject(...given);
  };
  assert.is(await refusalOf({ email, sub }, { identity: { reserveSubject } }), 'disabled');
});

test('an account of another issuer is another one, also with the same subject [logins-12]', async () => {
  const { email, sub } = await invited();
  assert.is(await refusalOf({ email, sub }), null);
  assert.is(await refusalOf({ email, sub, iss: 'https://other.example.com' }), 'subject');
  assert.is(await refusalOf({ sub, iss: 'https://other.example.com', email: 'x@example.com' }), 'unknown');
});

test('the name is taken from the claims where it is one, without marks of direction [people-21]', async () => {
  for (const [name, kept] of [
    [' Ann Example ', 'Ann Example'],
    ['\u202eA\u200fn\u0000n\u200dx\u2066 ', 'Ann\u200dx'],
    ['\u200e\u202a', null],
    ['x'.repeat(200), 'x'.repeat(128)],
    [' ', null],
    [7, null],
    [undefined, null],
  ]) {
    const { email, sub } = await invited();
    assert.is(await refusalOf({ email, sub, name }), null);
    const { userId } = await userOf(email);
    const [created] = (await stores.log.load(userStream(userId))).events;
    assert.equal((created as Recorded<UserEvent>).data, { ...created?.data, private: { email, name: kept } });
  }
});

const mappedCompany = async (roles: Readonly<Record<string, 'org_admin' | 'reviewer' | 'auditor'>>) => {
  const commands = administer(stores);
  const { id } = await commands.createCompany('ACME', context);
  await commands.changeLogIn(id, { claim: 'groups', roles }, context);
  return id;
};

test('wherever a change of role by a claim crashes, the next log-in completes it, and older sessions are over [logins-14]', async () => {
  const companyId = await mappedCompany({ a: 'auditor', r: 'reviewer' });
  let changes = 0;
  const places: readonly Broken[] = [
    { handle: crashingIn('ChangeRole') },
    { identity: { changeUser: crash } },
    {
      identity: {
        // Behind the event.
        changeUser: async (...given) => (++changes === 1 ? all().identity.changeUser(...given) : crash()),
      },
    },
  ];
  for (const place of places) {
    const { email, sub } = await invited('reviewer', companyId);
    const first = await logIn({ email, sub, groups: ['r'] });
    await failure(logIn({ sub, groups: ['a'] }, place));
    assert.is(await refusalOf({ sub, groups: ['a'] }), null);
    const row = await userOf(email);
    assert.equal(
      [row.role, (await typesOf(row.userId)).filter((type) => type === 'UserRoleChanged').length],
      ['auditor', 1],
    );
    const token = first.refusal === null ? first.session.token : '';
    assert.is(await all().session(token, 'cookie'), null);
  }
});

test('a role that an administrator gives stays where the company maps none [logins-14]', async () => {
  const { id: companyId } = await administer(stores).createCompany('ACME', context);
  const { email, sub } = await invited('reviewer', companyId);
  assert.is(await refusalOf({ email, sub }), null);
  const { userId } = await userOf(email);
  await all().changeRole(userId, { role: 'auditor', companyId, by: 'administrator' }, context);
  assert.is(await refusalOf({ sub, groups: ['r'] }), null);
  assert.is((await userOf(email)).role, 'auditor');
});

test('the last org_admin of a company loses the role with the claim [logins-14]', async () => {
  const companyId = await mappedCompany({ a: 'auditor', o: 'org_admin' });
  const { email, sub } = await invited('org_admin', companyId);
  assert.is(await refusalOf({ email, sub, groups: ['o'] }), null);
  assert.is(await refusalOf({ sub, groups: ['a'] }), null);
  assert.is((await userOf(email)).role, 'auditor');
});
