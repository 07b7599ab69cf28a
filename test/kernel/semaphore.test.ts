import * as assert from 'uvu/assert';
import { createFairSemaphore, createNamedQueues, createSemaphore } from '../../kernel/semaphore.ts';
import { suite } from '../harness.ts';

const test = suite('semaphore');

/** Work that ends when told, and what has started. */
const manual = () => {
  const ends: (() => void)[] = [];
  const work = () => new Promise<number>((resolve) => ends.push(() => resolve(ends.length)));
  return { ends, work };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('permits go to names in turn, and places of the longest queue to names with fewer', async () => {
  const fair = createFairSemaphore(1, 3, () => new Error('full'));
  const { ends, work } = manual();
  const order: string[] = [];
  const run = (name: string): Promise<string> =>
    fair.run(name, async () => {
      order.push(name);
      await work();
      return name;
    });
  const asked = ['a', 'a', 'a', 'a', 'b', 'c', 'a'].map((name) => run(name).catch(({ message }) => message));
  for (let at = 0; at < 4; at += 1) {
    await turn();
    ends[at]?.();
  }
  assert.equal(await Promise.all(asked), ['a', 'a', 'full', 'full', 'b', 'c', 'full']);
  assert.equal(order, ['a', 'a', 'b', 'c']);
});

test('so many permits at once, then first come first served, also after a failure', async () => {
  const semaphore = createSemaphore(2);
  const { ends, work } = manual();
  const failing = semaphore.run(() => work().then(() => Promise.reject(new Error('failed'))));
  const rest = [1, 2, 3].map(() => semaphore.run(work));
  await turn();
  assert.equal([ends.length, semaphore.waiting(), semaphore.isIdle()], [2, 2, false]);
  ends[0]?.();
  assert.is(await failing.catch(({ message }) => message), 'failed');
  await turn();
  assert.equal([ends.length, semaphore.waiting()], [3, 1]);
  for (let at = 1; at < 4; at += 1) {
    ends[at]?.();
    await turn();
  }
  await Promise.all(rest);
  assert.equal([semaphore.waiting(), semaphore.isIdle()], [0, true]);
});

test('who waits leaves with its signal, and loses no permit of others', async () => {
  const semaphore = createSemaphore(1);
  await semaphore.acquire();
  const stop = new AbortController();
  const left = semaphore.acquire(stop.signal).catch((error) => error.message);
  const next = semaphore.acquire();
  stop.abort(new Error('stopped'));
  assert.is(await left, 'stopped');
  assert.is(await semaphore.acquire(stop.signal).catch((error) => error.message), 'stopped');
  semaphore.release();
  await next;
  semaphore.release();
  assert.ok(semaphore.isIdle());
});

test('what has one name is done one after the other, and names do not wait for each other', async () => {
  const queues = createNamedQueues();
  const { ends, work } = manual();
  const all = ['a', 'a', 'b'].map((name) => queues.run(name, work));
  await turn();
  assert.equal([ends.length, queues.waiting('a'), queues.waiting('b')], [2, 1, 0]);
  ends[0]?.();
  await turn();
  assert.is(ends.length, 3);
  for (const end of ends) end();
  await Promise.all(all);
  assert.is(queues.waiting('a'), 0);
});
