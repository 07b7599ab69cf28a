import * as assert from 'uvu/assert';
import { load } from '../../commands/load.ts';
import { redactPeople } from '../../commands/redactPeople.ts';
import { invitation, invitationStream } from '../../domain/invitation.ts';
import { user, userStream } from '../../domain/user.ts';
import { REDACTED, type Recorded } from '../../kernel/event.ts';
import { forgetPeople } from '../../reactors/forgetPeople.ts';
import { createIdentity, type Identity } from '../../stores/identity.ts';
import { identityOver } from '../controls/identity.ts';
import { context, failure, operatorContext, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('redaction of people, cut short and done again');
const BASIS = { reason: 'left', legalBasis: 'erasure_request', requestedBy: null } as const;
const password = 'correct horse';
const SUBJECT = 'a'.repeat(64);
let stores: Stores;
let made = 0;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

/** `broken`: what fails, as if the process were killed there. */
type Broken = Readonly<{ identity?: Partial<Identity>; destroyKey?: () => Promise<never> }>;

const over = (invited: readonly string[], { identity = {}, destroyKey }: Broken = {}) => {
  const people = identityOver(stores);
  return redactPeople({
    ...stores,
    ...people,
    mailedToken: null,
    identity: { ...createIdentity(stores.documents.tables), ...identity },
    invitationsOf: async () => invited,
    progress: { reached: async () => true },
    destroyKey:
      destroyKey ??
      ((subject, eventId) => stores.keys.destroy(subject, { at: '2026-11-28T10:00:00.000Z', eventId })),
  });
};

/** A disabled user with a session and an account, and another invitation of the same e-mail. */
const leaver = async () => {
  const email = `leaver${++made}@example.com`;
  const people = identityOver(stores);
  const invite = (to: string) => people.invite({ email: to, role: 'super_admin', companyId: null }, context);
  const [used, left] = [await invite(email), await invite(email.toUpperCase())];
  const { userId } = await people.complete({ token: used.token, password, name: 'Ann' }, context);
  const client = { kind: 'token', address: '192.0.2.1', agent: 'curl' } as const;
  await people.logIn(email, password, client, context);
  const subjectId = `${made}`.padStart(64, SUBJECT);
  await people.identity.reserveSubject(subjectId, userId);
  const account = { type: 'BindIdentity', issuer: 'https://login.example.com', subjectId } as const;
  await stores.handle(user, userStream(userId), account, context);
  await people.disableUser(userId, operatorContext);
  return { email, userId, subjectId, ids: [used.id, left.id], invite };
};
type Leaver = Awaited<ReturnType<typeof leaver>>;

const destroyed = async (subjects: readonly string[]) => (await stores.keys.undestroyed(subjects)).size === 0;

/** That nothing of the person is left but the identifier. */
const isForgotten = async ({ email, userId, subjectId, ids, invite }: Leaver): Promise<void> => {
  const { identity, emailIdOf } = identityOver(stores);
  assert.ok(await destroyed([userId, ...ids]));
  assert.is((await load(stores.log, user, userStream(userId)))?.email, REDACTED);
  for (const id of ids) {
    const state = await load(stores.log, invitation, invitationStream(id));
    assert.equal([state?.email, state?.redacted], [REDACTED, true]);
  }
  assert.is((await identity.user(userId))?.passwordHash, null);
  assert.is((await identity.sessionsOf(userId)).size, 0);
  assert.is(await identity.userIdBySubject(subjectId), null);
  assert.is(await identity.userByEmail(emailIdOf(email)), null);
  assert.equal(await identity.invitationsOf(emailIdOf(email)), []);
  assert.ok((await invite(email)).id, 'the e-mail may be invited anew');
};

/** What the reactor does of a redaction that the log has. */
const react = async ({ userId, ids }: Leaver): Promise<void> => {
  const { events } = await stores.log.load(userStream(userId));
  const event = events.find(({ type }) => type === 'UserRedacted');
  assert.ok(event, 'the promise is in the log');
  const ports = { redactPeople: over(ids), progress: { reached: async () => true }, documents: {} };
  await forgetPeople(ports).react(event as Recorded as never, AbortSignal.any([]));
};

test('a person, the invitations, sessions and pointers go; again changes nothing [person-redaction-4, person-redaction-5]', async () => {
  const one = await leaver();
  for (let again = 0; again < 2; again += 1) await over(one.ids).redactUser(one.userId, BASIS, context);
  await isForgotten(one);
  assert.equal(
    (await stores.log.load(userStream(one.userId))).events.filter(({ type }) => type === 'UserRedacted')
      .length,
    1,
  );
});

const crash = (): Promise<never> => Promise.reject(new Error('killed'));
const cuts: Readonly<Record<string, Broken>> = {
  'at the offers': { identity: { forgetOffers: crash } },
  'at an invitee': { identity: { forgetInvitee: crash } },
  'at the row': { identity: { changeUser: crash } },
  'at the sessions': { identity: { removeSessions: crash } },
  'at the account': { identity: { releaseSubject: crash } },
  'at the key': { destroyKey: crash },
  'at the e-mail': { identity: { releaseEmail: crash } },
};
for (const [where, broken] of Object.entries(cuts))
  test(`cut short ${where}, it is completed by the reactor [person-redaction-7]`, async () => {
    const one = await leaver();
    const { message } = await failure(over(one.ids, broken).redactUser(one.userId, BASIS, context));
    assert.is(message, 'killed');
    assert.is((await load(stores.log, user, userStream(one.userId)))?.email, REDACTED, 'nothing is shown');
    await react(one);
    await isForgotten(one);
  });

test('what was restored from a backup is redacted again, also somebody who works [person-redaction-7]', async () => {
  const one = await leaver();
  await identityOver(stores).enableUser(one.userId, operatorContext);
  const again = over(one.ids);
  for (const id of one.ids) assert.is(await again.redactInvitationAgain(id, context), 'requested');
  assert.is(await again.redactUserAgain(one.userId, context), 'requested');
  await isForgotten(one);
  assert.is(await again.redactUserAgain(one.userId, context), 'there');
  assert.is(await again.redactInvitationAgain(one.ids[0] ?? '', context), 'there');
  assert.is(await again.redactUserAgain('usr_01hv6x3m8q2r5t7w9y0a1b2c3d', context), 'unknown');
});

test('names that two release at once stay with whoever has taken them since', async () => {
  const { tables } = stores.documents;
  const identity = createIdentity(tables);
  const taken = async () => {
    await Promise.all([identity.releaseEmail('mail', 'usr_a'), identity.releaseSubject(SUBJECT, 'usr_a')]);
    await identity.reserveEmail('mail', 'usr_b');
    await identity.reserveSubject(SUBJECT, 'usr_b');
  };
  await identity.reserveEmail('mail', 'usr_a');
  await identity.reserveSubject(SUBJECT, 'usr_a');
  const late = createIdentity({
    ...tables,
    read: async <R>(table: string, key: string) => {
      const found = await tables.read<R>(table, key);
      await taken();
      return found;
    },
  });
  await late.releaseEmail('mail', 'usr_a');
  await late.releaseSubject(SUBJECT, 'usr_a');
  assert.is(await identity.userIdByEmail('mail'), 'usr_b');
  assert.is(await identity.userIdBySubject(SUBJECT), 'usr_b');
});
