import * as assert from 'uvu/assert';
import { createGathering } from '../../kernel/gather.ts';
import { suite } from '../harness.ts';

const test = suite('kernel/gather');

test('all that come while the first one waits go on in one turn', async () => {
  const gathered = createGathering(5);
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
