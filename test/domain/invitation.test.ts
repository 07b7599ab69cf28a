import * as assert from 'uvu/assert';
import { invitation, invitationStream, reasonOf } from '../../domain/invitation.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('invitation');
const { UserInvited: invited, InvitationAccepted: accepted, InvitationRevoked: revoked } = examples;
const { private: sealed, ...facts } = invited.data;
const invite = { type: 'InviteUser', ...facts, email: 'Ann@example.com' } as const;
const { userId, offerId } = accepted.data;
const before = '2026-11-24T09:59:59.999Z';
const expiry = '2026-11-24T10:00:00.000Z';
const accept = (at = before) => ({ type: 'AcceptInvitation', userId, offerId, name: 'Ann', at }) as const;
const revoke = { type: 'RevokeInvitation' } as const;

test('somebody is invited, the e-mail sealed', () => {
  given(invitation).when(invite).then(invited);
  assert.equal(sealed, { email: 'Ann@example.com' });
  assert.is(invitation.subject(invited), facts.invitationId);
});
test('an identifier is used once', () =>
  void given(invitation, invited).when(invite).thenRefused('InvitationExists'));
test('an org_admin needs a company, a super_admin takes none', () => {
  given(invitation)
    .when({ ...invite, companyId: null })
    .thenRefused('RoleNeedsCompany');
  given(invitation)
    .when({ ...invite, role: 'super_admin' })
    .thenRefused('RoleTakesNoCompany');
  given(invitation)
    .when({ ...invite, role: 'super_admin', companyId: null })
    .thenTypes('UserInvited');
});
test('an invitation is accepted until the moment it expires', () => {
  given(invitation, invited).when(accept()).then(accepted);
  given(invitation, invited).when(accept(expiry)).thenRefused('InvitationExpired');
});
test('an invitation is used once', () =>
  void given(invitation, invited, accepted).when(accept()).thenRefused('InvitationConsumed'));
test('a revoked invitation is as one that never was', () => {
  given(invitation, invited).when(revoke).then(revoked);
  given(invitation, invited, revoked).when(revoke).then();
  given(invitation, invited, revoked).when(accept()).thenRefused('InvitationInvalid');
  given(invitation).when(accept()).thenRefused('InvitationInvalid');
});
test('a used one, and one that is not there, are not revoked', () => {
  given(invitation, invited, accepted).when(revoke).thenRefused('InvitationConsumed');
  given(invitation).when(revoke).thenRefused('InvitationNotFound');
});
test('invalid comes before consumed, consumed before expired [invitations-3]', () => {
  const reason = (...past: Parameters<typeof given>[1][]) =>
    reasonOf(given(invitation, ...(past as (typeof invited)[])).state, expiry);
  assert.is(reason(), 'invalid');
  assert.is(reason(invited, revoked), 'invalid');
  assert.is(reason(invited, accepted), 'consumed');
  assert.is(reason(invited), 'expired');
  assert.is(reasonOf(given(invitation, invited).state, before), null);
});
test('without the e-mail, its key destroyed, nobody becomes a user', () => {
  const redacted = { ...invited, data: { ...invited.data, private: { redacted: true } } } as const;
  given(invitation, redacted).when(accept()).thenRefused('InvitationInvalid');
});
test('its stream is named by it', () => assert.is(invitationStream('inv_x'), 'invitation-x'));
