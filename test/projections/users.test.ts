import { type InvitationDocument, invitations } from '../../projections/invitations.ts';
import { type UserDocument, users } from '../../projections/users.ts';
import { examples, logged, timeOf } from '../controls/events.ts';
import { type Stores, temporaryStores } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('projections of users and invitations');
let stores: Stores;
test.before(() => {
  stores = temporaryStores();
});
test.after(() => stores.remove());
const { UserCreated, UserDisabled, UserPasswordReset, UserPasswordChosen } = examples;
const { UserInvited, InvitationAccepted, InvitationRevoked } = examples;
const { userId, companyId, role } = UserCreated.data;
const { invitationId, expiresAt } = UserInvited.data;
const created = {
  ...{ id: userId, email: 'Ann@example.com', name: 'Ann', role, companyId },
  ...{ createdAt: timeOf(1), disabledAt: null, resetAt: null, awaits: null },
};
const invited = {
  ...{ id: invitationId, email: 'Ann@example.com', role, companyId, userId: null, expiresAt },
  ...{ createdAt: timeOf(1), acceptedAt: null, revokedAt: null },
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

test('an invitation, open, used, revoked', async () => {
  const becomes = (events: Parameters<typeof logged>[0], invitation: InvitationDocument) =>
    given(invitations, logged(events), () => stores).then({ [invitationId]: invitation });
  await becomes([UserInvited], invited);
  await becomes([UserInvited, InvitationAccepted], { ...invited, userId, acceptedAt: timeOf(2) });
  await becomes([UserInvited, InvitationRevoked], { ...invited, revokedAt: timeOf(2) });
});
