import * as assert from 'uvu/assert';
import { requireMayCreateKey } from '../../domain/apiKey.ts';
import { requireOffice, user, userStream } from '../../domain/user.ts';
import { normalEmail, userEmail, userEmailStream } from '../../domain/userEmail.ts';
import { REDACTED } from '../../kernel/event.ts';
import { type Office, roles } from '../../kernel/scope.ts';
import { examples, ofCompany } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('user');
const { UserCreated: created, UserRoleChanged: changed } = examples;
const disabled = ofCompany('UserDisabled');
const enabled = ofCompany('UserEnabled');
const reset = ofCompany('UserPasswordReset');
const chosen = ofCompany('UserPasswordChosen');
const bound = ofCompany('UserIdentityBound');
const { private: _, ...facts } = created.data;
const create = { type: 'CreateUser', ...facts, email: 'Ann@example.com', name: 'Ann' } as const;
const { invitationId } = reset.data;
const resetting = (enable: boolean) => ({ type: 'ResetPassword', invitationId, enable }) as const;
const choose = { type: 'ChoosePassword', invitationId } as const;
const disable = { type: 'DisableUser' } as const;
const resetOpen = { ...reset, data: { ...reset.data, enabled: false } };

test('a user is made once, e-mail and name sealed', () => {
  given(user).when(create).then(created);
  given(user, created).when(create).then();
  assert.is(user.subject(created), facts.userId);
});
test('a user is disabled, again without fault', () => {
  given(user, created).when(disable).then(disabled);
  given(user, created, disabled).when(disable).then();
  given(user).when(disable).thenRefused('UserNotFound');
});
test('a disabled user is enabled, again without fault', () => {
  const enable = { type: 'EnableUser' } as const;
  given(user, created, disabled).when(enable).then(enabled);
  given(user, created).when(enable).then();
  given(user).when(enable).thenRefused('UserNotFound');
  assert.is(given(user, created, disabled, enabled).state?.disabled, false);
});
test('a role is changed, by whom and from which one', () => {
  const { role, companyId, by } = changed.data;
  const change = { type: 'ChangeRole', role, companyId, by } as const;
  given(user, created).when(change).then(changed);
  given(user, created, changed).when(change).then();
  given(user).when(change).thenRefused('UserNotFound');
  given(user, created)
    .when({ ...change, companyId: null })
    .thenRefused('RoleNeedsCompany');
  given(user, created)
    .when({ ...change, companyId: 'cmp_other' })
    .thenRefused('RoleKeepsCompany');
  const all = { ...change, role: 'super_admin' } as const;
  given(user, created).when(all).thenRefused('RoleTakesNoCompany');
  const { userId } = facts;
  const data = { userId, role: all.role, companyId: null, from: { role: facts.role, companyId }, by };
  given(user, created)
    .when({ ...all, companyId: null })
    .then({ type: 'UserRoleChanged', data });
  assert.is(given(user, created, changed).state?.role, role);
});
test('the log-in settings of a company change no role in another one [logins-14]', () => {
  const { role, companyId } = changed.data;
  const change = { type: 'ChangeRole', role, by: 'mapping' } as const;
  given(user, created)
    .when({ ...change, companyId: 'cmp_other' })
    .then();
  given(user, created)
    .when({ ...change, companyId })
    .thenTypes('UserRoleChanged');
});
test('a user is bound to one account of an identity provider, until a reset [logins-12]', () => {
  const { issuer, subjectId } = bound.data;
  const bind = { type: 'BindIdentity', issuer, subjectId } as const;
  given(user, created).when(bind).then(bound);
  given(user, created, bound).when(bind).then();
  const other = { ...bind, subjectId: 'other' };
  given(user, created, bound).when(other).thenRefused('IdentityBound');
  given(user, created, bound, resetOpen, chosen).when(bind).then(bound);
  given(user).when(bind).thenRefused('UserNotFound');
});
test('a password is reset, and again', () => {
  given(user, created).when(resetting(false)).then(resetOpen);
  given(user, created, resetOpen).when(resetting(false)).then(resetOpen);
  given(user).when(resetting(false)).thenRefused('UserNotFound');
});
test('a disabled user is enabled by a reset only when it says so', () => {
  given(user, created, disabled).when(resetting(false)).thenRefused('UserIsDisabled');
  given(user, created, disabled).when(resetting(true)).then(reset);
  assert.is(given(user, created, disabled, reset).state?.disabled, false);
});
test('only the invitation of the last reset gives a new password, once', () => {
  given(user, created, resetOpen).when(choose).then(chosen);
  given(user, created, resetOpen, chosen).when(choose).then();
  const newer = { ...resetOpen, data: { ...resetOpen.data, invitationId: 'inv_newer' } };
  given(user, created, resetOpen, newer).when(choose).then();
  given(user, created).when(choose).then();
  given(user, created, resetOpen, disabled).when(choose).then();
});
test('which invitation gave the password is known', () => {
  assert.is(given(user, created).state?.passwordBy, facts.invitationId);
  assert.is(given(user, created, resetOpen, chosen).state?.passwordBy, invitationId);
});
test('an org_admin makes keys of the own company only, a super_admin any [keys-7]', () => {
  const own = { role: 'org_admin', companyId: 'cmp_1' } as const;
  const refusal = (companyId: string | null): string => {
    try {
      requireMayCreateKey(own, companyId);
    } catch (error) {
      return (error as Error).name;
    }
    return 'none';
  };
  assert.equal(
    [refusal('cmp_1'), refusal('cmp_2'), refusal(null)],
    ['none', 'KeyOutsideCompany', 'KeyNeedsCompany'],
  );
  for (const companyId of ['cmp_1', null])
    requireMayCreateKey({ role: 'super_admin', companyId: null }, companyId);
});
test('reviewers and auditors make no keys [keys-7]', () => {
  for (const role of ['reviewer', 'auditor'] as const)
    for (const companyId of ['cmp_1', null])
      assert.throws(
        () => requireMayCreateKey({ role, companyId: 'cmp_1' }, companyId),
        ({ name }: Error) => name === 'RoleMakesNoKeys',
      );
});
test('all roles but super_admin need a company', () => {
  const refusal = (office: Office): string => {
    try {
      requireOffice(office);
    } catch (error) {
      return (error as Error).name;
    }
    return 'none';
  };
  for (const role of roles)
    assert.equal(
      [refusal({ role, companyId: 'cmp_1' }), refusal({ role, companyId: null })],
      role === 'super_admin' ? ['RoleTakesNoCompany', 'none'] : ['none', 'RoleNeedsCompany'],
    );
});
test('an e-mail belongs to the first who claims it', () => {
  const claimed = examples.UserEmailClaimed;
  const { userId } = claimed.data;
  given(userEmail).when({ type: 'ClaimEmail', userId }).then(claimed);
  given(userEmail, claimed).when({ type: 'ClaimEmail', userId }).then();
  given(userEmail, claimed).when({ type: 'ClaimEmail', userId: 'usr_2' }).thenRefused('EmailTaken');
  assert.is(userEmail.subject(claimed), null);
});
test('an e-mail is one however it is spelled', () =>
  assert.is(normalEmail(' Ann@Example.COM '), 'ann@example.com'));
test('streams', () => {
  assert.is(userStream('usr_x'), 'user-x');
  assert.is(userEmailStream('hmac'), 'userEmail-hmac');
});

const { UserRedacted: redacted } = examples;
const { userId: _u, ...request } = redacted.data;
const redact = { type: 'RedactUser', ...request } as const;

test('only a disabled user is redacted, once, and loses the e-mail [person-redaction-2]', () => {
  given(user, created).when(redact).thenRefused('UserNotDisabled');
  given(user, created, disabled, enabled).when(redact).thenRefused('UserNotDisabled');
  given(user).when(redact).thenRefused('UserNotFound');
  given(user, created, disabled).when(redact).then(redacted);
  given(user, created, disabled, redacted).when(redact).then();
  assert.is(given(user, created, disabled, redacted).state?.email, REDACTED);
});
test('a redacted user is not enabled, reset, bound or given another role [person-redaction-2]', () => {
  const { role, companyId, by } = changed.data;
  const { userId: _, ...account } = bound.data;
  const gone = given(user, created, disabled, redacted);
  gone.when({ type: 'EnableUser' }).thenRefused('UserRedacted');
  gone.when(resetting(true)).thenRefused('UserRedacted');
  gone.when({ type: 'ChangeRole', role, companyId, by }).thenRefused('UserRedacted');
  gone.when({ type: 'BindIdentity', ...account }).thenRefused('IdentityBound');
  gone.when(disable).then();
});
test('an e-mail is released by its user alone, and then another one’s [person-redaction-4]', () => {
  const { UserEmailClaimed: claimed, UserEmailReleased: released } = examples;
  const { userId } = claimed.data;
  given(userEmail, claimed).when({ type: 'ReleaseEmail', userId: 'usr_other' }).then();
  given(userEmail, claimed).when({ type: 'ReleaseEmail', userId }).then(released);
  given(userEmail, claimed, released).when({ type: 'ReleaseEmail', userId }).then();
  given(userEmail, claimed, released)
    .when({ type: 'ClaimEmail', userId: 'usr_other' })
    .then({ type: 'UserEmailClaimed', data: { userId: 'usr_other' } });
});
