import * as assert from 'uvu/assert';
import { createBackground } from '../../kernel/background.ts';
import { gate } from '../controls/stores.ts';
import { suite } from '../harness.ts';

const test = suite('work in the background');

test('it begins after what is done now, and is waited for, with what it starts itself', async () => {
  const seen: string[] = [];
  const { run, settled } = createBackground(() => seen.push('failed'));
  const { opened, open } = gate();
  run(async () => {
    seen.push('begun');
    await opened;
    run(async () => void seen.push('second'));
  });
  await Promise.resolve();
  assert.equal(seen, []);
  setImmediate(open);
  await settled();
  assert.equal(seen, ['begun', 'second']);
});

test('what fails is told, and stops nothing else', async () => {
  const failures: unknown[] = [];
  const { run, settled } = createBackground((error) => failures.push(error));
  let done = false;
  run(() => Promise.reject(new Error('crashed')));
  run(async () => {
    done = true;
  });
  await settled();
  assert.equal([failures.map(String), done], [['Error: crashed'], true]);
});
