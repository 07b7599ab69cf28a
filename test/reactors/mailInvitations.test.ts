import * as assert from 'uvu/assert';
import { administer } from '../../commands/administer.ts';
import type { Handle } from '../../commands/handle.ts';
import {
  type InvitationEvent,
  type InvitationMailFailed,
  invitationStream,
} from '../../domain/invitation.ts';
import type { Position } from '../../kernel/event.ts';
import type { Mail, MailOutcome } from '../../outbound/mail.ts';
import type { MailItem } from '../../projections/mailQueue.ts';
import { type MailPorts, mailInvitation } from '../../reactors/mailInvitations.ts';
import { hashToken } from '../../stores/identity.ts';
import { DESTRUCTION } from '../controls/destruction.ts';
import { identityOver, mailedOver, tokenOf } from '../controls/identity.ts';
import { context, failure, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('mailInvitation');
let stores: Stores;
let made = 0;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());

const HOUR = 3_600_000;
const accepted: MailOutcome = { error: null, isFinal: false };
const refused: MailOutcome = { error: 'answered 451', isFinal: false };
const refusedForGood: MailOutcome = { error: 'answered 550', isFinal: true };
const unaborted = new AbortController().signal;
const cause = { correlationId: 'the request', causationId: 'its event', requestId: 'req-1' };

/** A worker whose mailer answers so, what it mailed, and what failures it told of. */
const worker = (outcome: MailOutcome | (() => Promise<MailOutcome>), over: Partial<MailPorts> = {}) => {
  const mails: Mail[] = [];
  const failures: InvitationMailFailed['data'][] = [];
  const ports: MailPorts = {
    ...stores,
    emailIdOf: identityOver(stores).emailIdOf,
    mailer: {
      send: async (mail) => {
        mails.push(mail);
        return typeof outcome === 'function' ? outcome() : outcome;
      },
    },
    linkOf: (id) => `https://intake.example.com/invite#token=${tokenOf(id)}`,
    onFailed: (failed) => void failures.push(failed),
    ...over,
  };
  const attempt = (id: string, n = 1): Promise<Position | null> => {
    const document: MailItem = { id, lane: 'lane', dueAt: 'now', attempt: n, cause };
    const fence = { lease: 'l', owner: 'o', token: 1 };
    return mailInvitation(ports)({ id, position: '1' as Position, document, fence }, unaborted);
  };
  return { mails, failures, attempt };
};

const newEmail = (): string => `Person${++made}@example.com`;
const invite = async (email = newEmail()) => {
  const invitee = { email, role: 'super_admin', companyId: null } as const;
  return { email, ...(await mailedOver(stores).invite(invitee, context)) };
};
const eventsOf = async (id: string) =>
  (await stores.log.load(invitationStream(id))).events as unknown as readonly InvitationEvent[];
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type);
const { check, complete } = {
  check: (token: string) => identityOver(stores).check(token),
  complete: (token: string) =>
    identityOver(stores).complete({ token, password: 'correct horse', name: null }, context),
};

test('the link is mailed once, with a token that nothing else has, and it works [mails-1, mails-2]', async () => {
  const { id, email, token } = await invite();
  assert.is(token, null);
  const { mails, attempt } = worker(accepted);
  const position = await attempt(id);
  assert.equal(await typesOf(id), ['UserInvited', 'InvitationMailed']);
  const [, mailed] = (await stores.log.load(invitationStream(id))).events;
  assert.is(position, mailed?.position);
  assert.equal([mailed?.metadata.$causationId, mailed?.metadata.actor.id], ['its event', 'mails']);
  assert.equal([mails[0]?.id, mails[0]?.to], [id, email]);
  assert.match(mails[0]?.text ?? '', new RegExp(`https://intake.example.com/invite#token=${tokenOf(id)}\n`));
  assert.is(await attempt(id), null, 'the queue is behind');
  assert.is(mails.length, 1);
  const everything = JSON.stringify([
    await stores.log.load(invitationStream(id)),
    await stores.documents.tables.list('invitations'),
  ]);
  assert.ok(everything.includes(hashToken(tokenOf(id))) && !everything.includes(tokenOf(id)));
  assert.match(tokenOf(id), /^[A-Za-z0-9_-]{43}$/);
  assert.is((await complete(tokenOf(id))).email, email);
});

test('the mail says of which company, and a reset that a new password is to be chosen', async () => {
  const { id: companyId } = await administer(stores).createCompany('ACME', context);
  const email = newEmail();
  const commands = mailedOver(stores);
  const { id } = await commands.invite({ email, role: 'reviewer', companyId }, context);
  const { mails, attempt } = worker(accepted);
  await attempt(id);
  assert.match(mails[0]?.text ?? '', /invited to ACME at Intake as a reviewer/);
  const { userId } = await complete(tokenOf(id));
  const reset = await commands.resetUser(userId, false, context);
  assert.is(reset.token, null);
  await attempt(reset.id);
  assert.match(mails[1]?.text ?? '', /password for ACME at Intake was reset/);
  assert.is((await complete(tokenOf(reset.id))).userId, userId);
});

test('a failure is tried again after 30 s, 5 min, 30 min, then hourly until the invitation ends [mails-3]', async () => {
  const { id, expiresAt } = await invite();
  const { mails, failures, attempt } = worker(refused);
  const began = stores.clock.now().getTime();
  for (let n = 1; ; n += 1) {
    await attempt(id, n);
    const { nextAttemptAt } = failures.at(-1) ?? {};
    if (!nextAttemptAt) break;
    stores.pass(Date.parse(nextAttemptAt) - stores.clock.now().getTime());
  }
  const times = failures.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt ? [Date.parse(nextAttemptAt) - began] : [],
  );
  assert.equal(times.slice(0, 4), [30_000, 330_000, 2_130_000, 2_130_000 + HOUR]);
  const last = times.at(-1) ?? 0;
  assert.ok(began + last < Date.parse(expiresAt) && began + last + HOUR >= Date.parse(expiresAt));
  assert.is(mails.length, times.length + 1);
  assert.ok(new Set(mails.map((mail) => JSON.stringify(mail))).size === 1, 'each try is the same mail');
  const count = failures.length;
  assert.is(await attempt(id, count + 1), null);
  assert.equal(failures[0], {
    ...{ invitationId: id, attempt: 1, error: 'answered 451' },
    nextAttemptAt: new Date(began + 30_000).toISOString(),
  });
});

test('what is refused for good is mailed no more [mails-3]', async () => {
  const { id } = await invite();
  const { mails, failures, attempt } = worker(refusedForGood);
  await attempt(id);
  assert.equal(
    failures.map(({ error, nextAttemptAt }) => [error, nextAttemptAt]),
    [['answered 550', null]],
  );
  assert.is(await attempt(id, 2), null);
  assert.is(mails.length, 1);
});

test('a used or revoked invitation is not mailed, and nothing is recorded [mails-4]', async () => {
  const { mails, attempt } = worker(accepted);
  const [used, revoked] = [await invite(), await invite()];
  await complete(tokenOf(used.id));
  await mailedOver(stores).revokeInvitation(revoked.id, context);
  for (const { id } of [used, revoked]) {
    assert.is(await attempt(id), null);
    assert.is((await eventsOf(id)).length, 2);
  }
  assert.is(mails.length, 0);
});

test('one that can’t be used for another reason is not mailed, and recorded as given up [mails-4]', async () => {
  const { mails, failures, attempt } = worker(accepted);
  const commands = mailedOver(stores);
  const email = newEmail();
  const [first, second] = [await invite(email), await invite(email.toLowerCase())];
  const { userId } = await complete(tokenOf(first.id));
  await attempt(second.id);
  const replaced = await commands.resetUser(userId, false, context);
  const newest = await commands.resetUser(userId, false, context);
  await attempt(replaced.id);
  await commands.disableUser(userId, context);
  await attempt(newest.id);
  const erased = await invite();
  await stores.keys.destroy(erased.id, DESTRUCTION);
  await attempt(erased.id);
  const expired = await invite();
  stores.pass(72 * HOUR);
  await attempt(expired.id);
  assert.equal(
    failures.map(({ error, nextAttemptAt }) => [error, nextAttemptAt]),
    [
      ['not sent: its e-mail has become a user’s', null],
      ['not sent: it can no longer be used', null],
      ['not sent: it can no longer be used', null],
      ['not sent: it can no longer be used', null],
      ['not sent: it has expired', null],
    ],
  );
  assert.is(mails.length, 0);
});

test('a crash between the mail and its record mails the same link under the same Message-ID [mails-5]', async () => {
  const { id } = await invite();
  const crash: Handle = () => Promise.reject(new Error('crashed'));
  const first = worker(accepted, { handle: crash });
  assert.is((await failure(first.attempt(id))).message, 'crashed');
  assert.equal(await typesOf(id), ['UserInvited']);
  stores.pass(HOUR);
  const second = worker(accepted);
  await second.attempt(id);
  assert.equal(second.mails, first.mails);
  assert.equal(await typesOf(id), ['UserInvited', 'InvitationMailed']);
});

test('what happens to the invitation while it is mailed is kept, and its outcome recorded', async () => {
  const [used, revoked] = [await invite(), await invite()];
  const taken = worker(async () => {
    await complete(tokenOf(used.id));
    return accepted;
  });
  await taken.attempt(used.id);
  assert.equal(await typesOf(used.id), ['UserInvited', 'InvitationAccepted', 'InvitationMailed']);
  const late = worker(async () => {
    await mailedOver(stores).revokeInvitation(revoked.id, context);
    return refused;
  });
  await late.attempt(revoked.id);
  assert.is(late.failures[0]?.nextAttemptAt, null, 'there is nothing to try again for');
  assert.is((await check(tokenOf(revoked.id))).reason, 'invalid');
});

test('of two workers with one attempt one records it', async () => {
  const { id } = await invite();
  const other = worker(accepted);
  const slow = worker(async () => {
    await other.attempt(id);
    return accepted;
  });
  await slow.attempt(id);
  assert.equal(await typesOf(id), ['UserInvited', 'InvitationMailed']);
});

test('an invitation whose token was shown is not mailed', async () => {
  const { id } = await identityOver(stores).invite(
    { email: newEmail(), role: 'super_admin', companyId: null },
    context,
  );
  const { mails, attempt } = worker(accepted);
  assert.is(await attempt(id), null);
  assert.is(mails.length, 0);
});
