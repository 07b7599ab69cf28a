import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../harness.ts';
import type { Outcome } from './firstBody.process.ts';

const test = suite('the first bodies of a process');

test('one that is sent at once is read, and a client that leaves before its parser is loaded is not waited for', async () => {
  const [outcome] = await once(fork(new URL('./firstBody.process.js', import.meta.url)), 'message');
  const expected: Outcome = { answer: [200, { first: 1 }], statuses: [200, 400] };
  assert.equal(outcome, expected);
});
