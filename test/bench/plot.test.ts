import * as assert from 'uvu/assert';
import { judge, skipped, tableOf } from '../../bench/measure.ts';
import { inWords, svgOf } from '../../http/engine/plot.ts';
import { suite } from '../harness.ts';

const test = suite('rows and plots of benches');
const goal = { figure: 'P9', what: 'a thing', yardstick: 'another', goal: 2 };

test('a value reaches its goal from above, or from below where it is a limit', () => {
  const values = [1, 2, 3];
  const reached = (isAtMost: boolean) => values.map((value) => judge({ ...goal, isAtMost }, value).reached);
  assert.equal(reached(false), [false, true, true]);
  assert.equal(reached(true), [true, true, false]);
  assert.is(judge({ ...goal, goal: null }, 1).reached, null);
});

test('a table says why a row was skipped', () =>
  assert.match(tableOf([skipped(goal, 'no engine')]), /P9 .*skipped: no engine/));

const plot = {
  ...{ title: 'Cost & count <a>', x: 'count', y: 'µs', isLogarithmic: true },
  lines: {
    one: [
      [1_000, 60],
      [1_000_000, 65.4],
    ] as const,
  },
};

test('a plot has each point, each x on the axis, and a text that says the same', () => {
  const svg = svgOf(plot);
  assert.is(svg.match(/<circle/g)?.length, 2);
  assert.match(svg, '>1,000,000<');
  assert.match(svg, '<title id="title">Cost &amp; count &lt;a&gt;</title>');
  assert.is(inWords(plot), 'one, µs by count: 1,000: 60; 1,000,000: 65.4');
  assert.match(svg, inWords(plot));
});

test('a plot follows the theme of its reader', () => assert.match(svgOf(plot), 'prefers-color-scheme: dark'));
