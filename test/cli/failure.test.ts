import * as assert from 'uvu/assert';
import { problemOf, textOf } from '../../cli/failure.ts';
import { IntakeError } from '../../client/index.ts';
import { DomainError } from '../../kernel/decider.ts';
import { suite } from '../harness.ts';

const test = suite('what is told of a failure');

test('what the system refused is reported without a stack trace', () => {
  const denied = Object.assign(new Error("EACCES: permission denied, open '/data/master.key'"), {
    code: 'EACCES',
    syscall: 'open',
  });
  assert.equal(problemOf(denied).detail, "EACCES: permission denied, open '/data/master.key'");
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.invalid'), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname: 'nowhere.invalid',
  });
  const { code, detail, hint } = problemOf(unknown);
  assert.is(code, 'no-such-address');
  assert.match(detail, 'nowhere.invalid');
  assert.match(hint ?? '', 'HOST');
});

test('a defect is reported with its stack trace', () => {
  assert.match(problemOf(new TypeError('a defect')).detail, /a defect\n +at /);
});

test('each rule that an operator meets at a submission has its hint', () => {
  for (const rule of ['NotFound', 'NotReprocessable', 'NotApproved', 'HasNoSync', 'Redacted']) {
    const { code, hint } = problemOf(new DomainError(`Submission${rule}`, 'It is not to be.'));
    assert.ok(hint, code);
    assert.match(code, /^submission-/);
  }
});

test('a fault that is the whole detail is said once, others are below it', () => {
  const fault = { pointer: '/files/0', detail: 'is empty' };
  const facts = { code: 'x', hint: null, exitCode: 1, errors: [fault] } as const;
  assert.is(textOf({ ...facts, detail: '/files/0 is empty.' }), 'intake: /files/0 is empty.\n');
  assert.is(textOf({ ...facts, detail: 'It is refused.' }), 'intake: It is refused.\n  /files/0 is empty\n');
});

test('what is not found at a service has the hint which commands show what the key sees', () => {
  const { hint } = problemOf(new IntakeError({ code: 'not-found', message: 'There is nothing.' }));
  assert.match(hint ?? '', /intake workflows list.*intake whoami/);
});
