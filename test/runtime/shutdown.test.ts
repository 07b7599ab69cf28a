import * as assert from 'uvu/assert';
import { createShutdown } from '../../runtime/shutdown.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('shutdown [operations-1]');

/** Far more than a test takes. */
const LONG_MS = 60_000;

test('ends what was begun last first, each after the one before', async () => {
  const ended: string[] = [];
  const closing = createShutdown();
  for (const part of ['folder', 'stores', 'requests'])
    closing.add(part, async () => {
      await new Promise(setImmediate);
      ended.push(part);
    });
  assert.is(await closing.close(LONG_MS), null);
  assert.equal(ended, ['requests', 'stores', 'folder']);
});

test('names what does not end in time, and leaves the rest', async () => {
  let isLeft = true;
  const closing = createShutdown();
  closing.add('folder', () => {
    isLeft = false;
  });
  closing.add('stores', () => new Promise(() => undefined));
  assert.is(await closing.close(10), 'stores');
  assert.ok(isLeft);
});

test('throws what a part ends with', async () => {
  const closing = createShutdown();
  closing.add('stores', () => Promise.reject(new Error('no end')));
  assert.is((await failure(closing.close(LONG_MS))).message, 'no end');
});
