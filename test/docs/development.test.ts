import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';

const test = suite('docs/development.md');

/** The code of the page as it is compiled and run here, whose imports lead elsewhere. */
const [projection = '', proof = ''] = [
  ...readFileSync('docs/development.md', 'utf8').matchAll(/```ts\n(.*?)```/gs),
].map(([, code = '']) => code);

/** In any order: imports are sorted by their paths, which differ. */
const linesOf = (text: string): readonly string[] => text.split('\n').sort();

test('its example of a projection is the one of test/docs/reviews.ts', () => {
  const here = projection
    .replaceAll("'../", "'../../")
    .replaceAll("'./engine/", "'../../projections/engine/");
  assert.equal(linesOf(here), linesOf(readFileSync('test/docs/reviews.ts', 'utf8')));
});

test('its example of a test is test/docs/reviews.test.ts', () => {
  const here = proof
    .replace("'../../projections/reviews.ts'", "'./reviews.ts'")
    .replace("'./spec.ts'", "'../projections/spec.ts'");
  assert.equal(linesOf(here), linesOf(readFileSync('test/docs/reviews.test.ts', 'utf8')));
});
