import * as assert from 'uvu/assert';
import { problemOf } from '../../cli/failure.ts';
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
