import * as assert from 'uvu/assert';
import { createBudget } from '../../processing/engine/budget.ts';
import type { Tick } from '../../processing/engine/messages.ts';
import { suite } from '../harness.ts';

const test = suite('processing/engine/budget');

/**
 * Whether it was too much: one step may take 10 (20 once read), all but pages with text 12. Numbers are time
 * that passes.
 */
const isSpent = (...events: readonly (Tick | number)[]): boolean => {
  let now = 5;
  const budget = createBudget({ stepCpuMs: 10, otherCpuMs: 12 }, () => now);
  for (const event of events)
    if (typeof event === 'number') now += event;
    else budget.tick(event);
  return budget.isSpent();
};

test('a step has its limit, and a page on which text was read twice that', () => {
  assert.is(isSpent('job', 'step', 10), false);
  assert.is(isSpent('job', 'step', 11), true);
  assert.is(isSpent('job', 'step', 3, 'read', 17), false);
  assert.is(isSpent('job', 'step', 3, 'read', 18), true);
  assert.is(isSpent('job', 'step', 3, 'read', 17, 'step', 11), true);
});

test('pages without text have a limit together, in which those with text don’t count', () => {
  const blank: readonly (Tick | number)[] = ['step', 6];
  const page: readonly (Tick | number)[] = ['step', 4, 'read', 5];
  assert.is(isSpent('job', ...blank, ...blank), false);
  assert.is(isSpent('job', ...blank, ...blank, 'step', 1), true);
  assert.is(isSpent('job', ...Array(300).fill(page).flat()), false);
  assert.is(isSpent('job', ...Array(300).fill(page).flat(), ...blank, ...blank, 'step', 1), true);
  assert.is(isSpent('job', ...blank, ...page, ...blank, ...page, 'step', 1), true);
});

test('each job starts at zero, and between jobs no time counts', () => {
  assert.is(isSpent('job', 'step', 9, 'job', 'step', 9), false);
  assert.is(isSpent('job', 'step', 9, 'idle', 50), false);
});
