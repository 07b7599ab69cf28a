import * as assert from 'uvu/assert';
import { logIn, logInStream } from '../../domain/logIn.ts';
import { examples } from '../controls/events.ts';
import { suite } from '../harness.ts';
import { given } from './spec.ts';

const test = suite('log-in');
const { UserLoggedIn: loggedIn, UserLogInFailed: failed, UserLoggedOut: loggedOut } = examples;
const { private: _, ...facts } = loggedIn.data;
const { private: __, ...refusal } = failed.data;
const address = '192.0.2.1';
const record = { type: 'RecordLogIn', ...facts, address } as const;
const recordFailed = { type: 'RecordFailedLogIn', ...refusal, address } as const;
const logOut = { type: 'LogOut' } as const;

test('a log-in is recorded once, the address sealed under the user [people-9]', () => {
  given(logIn).when(record).then(loggedIn);
  given(logIn, loggedIn).when(record).then();
  assert.is(logIn.subject(loggedIn), facts.userId);
});
test('a refused log-in is recorded once, with its reason [people-9]', () => {
  given(logIn).when(recordFailed).then(failed);
  given(logIn, failed).when(recordFailed).then();
  given(logIn)
    .when({ ...recordFailed, reason: 'disabled' })
    .then({ ...failed, data: { ...failed.data, reason: 'disabled' } });
});
test('a session is ended once, and only one that began', () => {
  given(logIn, loggedIn).when(logOut).then(loggedOut);
  given(logIn, loggedIn, loggedOut).when(logOut).then();
  given(logIn, failed).when(logOut).then();
  given(logIn).when(logOut).then();
});
test('a log-in of a super_admin is of no company', () => {
  const ofNone = { ...loggedIn, data: { ...loggedIn.data, companyId: null } };
  given(logIn)
    .when({ ...record, companyId: null })
    .then(ofNone);
  given(logIn, ofNone)
    .when(logOut)
    .then({ ...loggedOut, data: { ...loggedOut.data, companyId: null } });
});
test('the stream is that of the session', () => assert.is(logInStream('lgn_x'), 'logIn-x'));
