import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { once, onceFor, shared } from '../../kernel/once.ts';
import { suite } from '../harness.ts';

const test = suite('kernel/once');

test('all that come while a shared call is under way go on in one turn', async () => {
  const gathered = shared(() => sleep(5));
  const turns: number[] = [];
  let turn = 0;
  const counting = setInterval(() => {
    turn += 1;
  }, 1);
  const go = () => gathered().then(() => void turns.push(turn));
  await Promise.all([go(), go(), Promise.resolve().then(go)]);
  assert.is(new Set(turns).size, 1);
  await go();
  clearInterval(counting);
  assert.ok((turns[3] ?? 0) > (turns[0] ?? 0), 'the next one waits anew');
});

test('a shared call that fails is made anew by the next one', async () => {
  const failures = [new Error('first'), new Error('second')];
  const failing = shared(async () => {
    throw failures.shift();
  });
  const messages = (calls: readonly Promise<never>[]) =>
    Promise.all(calls.map((call) => call.catch(({ message }: Error) => message)));
  assert.equal(await messages([failing(), failing()]), ['first', 'first']);
  assert.equal(await messages([failing()]), ['second']);
});

test('what is made once is the same for all callers, also while it is being made', async () => {
  let made = 0;
  const counter = once(async () => {
    made += 1;
    return made;
  });
  assert.equal(await Promise.all([counter(), counter()]), [1, 1]);
  assert.is(await counter(), 1);
});

test('onceFor makes one thing for each object', () => {
  let made = 0;
  const lengthOf = onceFor((of: readonly number[]) => ({ length: of.length, made: ++made }));
  const [one, other] = [
    [1, 2],
    [1, 2],
  ];
  assert.is(lengthOf(one), lengthOf(one));
  assert.is.not(lengthOf(one), lengthOf(other));
  assert.is(made, 2);
});
