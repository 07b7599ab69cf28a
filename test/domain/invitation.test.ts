import * as assert from 'uvu/assert';
import {
  type InvitationEvent,
  type InvitationMailFailed,
  invitation,
  invitationStream,
  isToBeMailed,
  reasonOf,
} from '../../domain/invitation.ts';
import { REDACTED } from '../../kernel/event.ts';
import { examples, ofCompany, variants } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('invitation');
const { UserInvited: invited, InvitationAccepted: accepted } = examples;
const revoked = ofCompany('InvitationRevoked');
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
const byMail = variants['UserInvited.byMail'] as typeof invited;
const { InvitationMailed: mailed, InvitationMailFailed: failed } = examples;
const fail = (attempt: number, nextAttemptAt: string | null) =>
  ({ type: 'RecordMailFailure', attempt, error: failed.data.error, nextAttemptAt }) as const;
const next = failed.data.nextAttemptAt;

test('an attempt to mail its link is recorded once, and is the last one when the mail was accepted', () => {
  const record = { type: 'RecordMail', attempt: 1 } as const;
  given(invitation, byMail).when(record).then(mailed);
  given(invitation, byMail).when(fail(1, next)).then(failed);
  given(invitation, byMail, failed).when(fail(1, next)).then();
  given(invitation, byMail, failed)
    .when({ ...record, attempt: 2 })
    .thenTypes('InvitationMailed');
  given(invitation, byMail, mailed).when(record).then();
  given(invitation, byMail, mailed).when(fail(2, next)).then();
  const last = { ...failed, data: { ...failed.data, nextAttemptAt: null } };
  given(invitation, byMail, last)
    .when({ ...record, attempt: 2 })
    .then();
  given(invitation, invited).when(record).then();
  given(invitation).when(record).then();
});
test('no attempt comes after its end [mails-3]', () => {
  const nextOf = (past: readonly InvitationEvent[], at: string) => {
    const [event] = given(invitation, ...past)
      .when(fail(1, at))
      .thenTypes('InvitationMailFailed');
    return (event as InvitationMailFailed).data.nextAttemptAt;
  };
  assert.is(nextOf([byMail], before), before);
  assert.is(nextOf([byMail], expiry), null);
  assert.is(nextOf([byMail, accepted], before), null);
  assert.is(nextOf([byMail, revoked], before), null);
});
test('one that is used or revoked is to be mailed no more [mails-4]', () => {
  const isDue = (...past: readonly InvitationEvent[]) => isToBeMailed(given(invitation, ...past).state, 1);
  assert.ok(isDue(byMail));
  for (const past of [[invited], [byMail, accepted], [byMail, revoked], [byMail, failed], [byMail, mailed]])
    assert.not.ok(isDue(...past));
});
test('its stream is named by it', () => assert.is(invitationStream('inv_x'), 'invitation-x'));

const { InvitationRedacted: redacted } = examples;
const { invitationId: _i, ...basis } = redacted.data;
const redact = (isOpen: boolean, at = before) =>
  ({ type: 'RedactInvitation', ...basis, at, isOpen }) as const;

test('an invitation that is not open is redacted, once, and is used no more [person-redaction-6]', () => {
  given(invitation, invited).when(redact(true)).thenRefused('InvitationOpen');
  given(invitation).when(redact(false)).thenRefused('InvitationNotFound');
  given(invitation, invited).when(redact(false)).then(revoked, redacted);
  given(invitation, invited).when(redact(false, expiry)).then(redacted);
  given(invitation, invited, revoked).when(redact(false)).then(redacted);
  given(invitation, invited, accepted).when(redact(false)).then(redacted);
  given(invitation, invited, accepted, redacted).when(redact(true)).then();
  const { state } = given(invitation, invited, accepted, redacted);
  assert.equal(
    [state?.email, state?.accepted?.name, reasonOf(state, before)],
    [REDACTED, REDACTED, 'invalid'],
  );
});
