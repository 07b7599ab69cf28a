import * as assert from 'uvu/assert';
import { ReadModelNotBuilt } from '../../kernel/errors.ts';
import { REDACTED, withoutPrivate } from '../../kernel/event.ts';
import { foldPage } from '../../projections/engine/fold.ts';
import { type InvitationDocument, invitationQueries, invitations } from '../../projections/invitations.ts';
import { type UserDocument, users } from '../../projections/users.ts';
import { examples, logged, timeOf, variants } from '../controls/events.ts';
import { failure, fenceOf, type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('projections of users and invitations');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const { UserCreated, UserDisabled, UserPasswordReset, UserPasswordChosen } = examples;
const { UserRedacted, InvitationRedacted } = examples;
const { UserEnabled, UserRoleChanged, UserIdentityBound, UserLoggedIn } = examples;
const { UserInvited, InvitationAccepted, InvitationRevoked } = examples;
const { userId, companyId, role } = UserCreated.data;
const { invitationId, expiresAt } = UserInvited.data;
const created = {
  ...{ id: userId, email: 'Ann@example.com', name: 'Ann', role, companyId },
  ...{ createdAt: timeOf(1), disabledAt: null, resetAt: null, awaits: null, boundAt: null },
  lastLogInAt: null,
};
const invited = {
  ...{ id: invitationId, email: 'Ann@example.com', normalEmail: 'ann@example.com', role, companyId },
  ...{ userId: null, expiresAt },
  ...{ createdAt: timeOf(1), acceptedAt: null, revokedAt: null, mail: null },
};

test('a user, disabled, let in again, with a new password', async () => {
  const life = logged([UserCreated, UserDisabled, UserPasswordReset, UserPasswordChosen]);
  const after = (n: number, user: UserDocument) =>
    given(users, life.slice(0, n), () => stores).then({ [userId]: user });
  await after(1, created);
  await after(2, { ...created, disabledAt: timeOf(2) });
  const awaits = UserPasswordReset.data.invitationId;
  await after(3, { ...created, resetAt: timeOf(3), awaits });
  await after(4, created);
});

test('a user, disabled and enabled, with another role', async () => {
  const life = logged([UserCreated, UserDisabled, UserEnabled, UserRoleChanged]);
  await given(users, life.slice(0, 3), () => stores).then({ [userId]: created });
  const { role } = UserRoleChanged.data;
  await given(users, life, () => stores).then({ [userId]: { ...created, role } });
});

test('a user, bound to an account of the identity provider until a reset', async () => {
  const life = logged([UserCreated, UserIdentityBound, UserPasswordReset]);
  await given(users, life.slice(0, 2), () => stores).then({ [userId]: { ...created, boundAt: timeOf(2) } });
  const awaits = UserPasswordReset.data.invitationId;
  await given(users, life, () => stores).then({ [userId]: { ...created, resetAt: timeOf(3), awaits } });
});

test('a redacted user and invitation, also where the keys are destroyed: the same', async () => {
  const redacted = { ...created, email: REDACTED, name: REDACTED, disabledAt: timeOf(2) };
  const life = logged([UserCreated, UserDisabled, UserRedacted]);
  for (const events of [life, life.map(withoutPrivate)])
    await given(users, events, () => stores).then({ [userId]: redacted });
  const used = logged([UserInvited, InvitationAccepted, InvitationRedacted]);
  for (const events of [used, used.map(withoutPrivate)])
    await given(invitations, events, () => stores).then({
      [invitationId]: { ...invited, email: REDACTED, normalEmail: REDACTED, userId, acceptedAt: timeOf(2) },
    });
});

test('when a user last logged in', () =>
  given(users, logged([UserCreated, UserLoggedIn, UserLoggedIn]), () => stores).then({
    [userId]: { ...created, lastLogInAt: timeOf(3) },
  }));

test('an invitation, open, used, revoked', async () => {
  const becomes = (events: Parameters<typeof logged>[0], invitation: InvitationDocument) =>
    given(invitations, logged(events), () => stores).then({ [invitationId]: invitation });
  await becomes([UserInvited], invited);
  await becomes([UserInvited, InvitationAccepted], { ...invited, userId, acceptedAt: timeOf(2) });
  await becomes([UserInvited, InvitationRevoked], { ...invited, revokedAt: timeOf(2) });
});

test('the invitations of a person are those of the user, and of the e-mail in any spelling', async () => {
  const { models } = stores.documents;
  const of = (id: string, email: string, userId: string | null) => {
    const data = { ...UserInvited.data, invitationId: id, userId, private: { email } };
    return { ...UserInvited, data } as typeof UserInvited;
  };
  const events = [
    of('inv_spelled', 'ANN@example.com', null),
    of('inv_reset', 'before@example.com', userId),
    of('inv_other', 'bob@example.com', null),
  ];
  const readModel = { projection: invitations, collection: 'invitations' };
  await models.drop('invitations');
  const folded = await foldPage(readModel, logged(events), models, new Map());
  await models.commit(folded.writes, {}, await fenceOf(stores, 'projections'));
  const found = await invitationQueries(models).ofPerson(userId, 'ann@Example.com');
  assert.equal(found.toSorted(), ['inv_reset', 'inv_spelled']);
  const older = { ...models, aliases: async () => ['invitations_v2'] };
  assert.instance(
    await failure(invitationQueries(older).ofPerson(userId, 'ann@Example.com')),
    ReadModelNotBuilt,
  );
});

test('an invitation by mail, waiting, failed, mailed, and one that was used or revoked before', async () => {
  const byMail = variants['UserInvited.byMail'] as typeof UserInvited;
  const { InvitationMailFailed: failed, InvitationMailed } = examples;
  const mailed = { ...InvitationMailed, data: { ...InvitationMailed.data, attempt: 2 } };
  const { error, nextAttemptAt } = failed.data;
  const mailing = { attempts: 1, mailedAt: null, error, nextAttemptAt };
  const becomes = (events: Parameters<typeof logged>[0], invitation: InvitationDocument) =>
    given(invitations, logged(events), () => stores).then({ [invitationId]: invitation });
  const waiting = { attempts: 0, mailedAt: null, error: null, nextAttemptAt: timeOf(1) };
  await becomes([byMail], { ...invited, mail: waiting });
  await becomes([byMail, failed], { ...invited, mail: mailing });
  const sent = { attempts: 2, mailedAt: timeOf(3), error: null, nextAttemptAt: null };
  await becomes([byMail, failed, mailed], { ...invited, mail: sent });
  const ended = { ...mailing, nextAttemptAt: null };
  await becomes([byMail, failed, InvitationRevoked], { ...invited, revokedAt: timeOf(3), mail: ended });
  const used = { ...invited, userId, acceptedAt: timeOf(3), mail: ended };
  await becomes([byMail, failed, InvitationAccepted], used);
});
