import * as assert from 'uvu/assert';
import { brokenLength } from '../../domain/textLengths.ts';
import { suite } from '../harness.ts';

const test = suite('lengths of texts');

test('a character is a code point, whatever it takes in memory', () => {
  const three = { minLength: 3, maxLength: 3 };
  for (const text of ['abc', 'äöü', '𝒜𝒷𝒸', '👍👍👍']) assert.is(brokenLength(text, three), null, text);
  assert.is(brokenLength('👍👍', three), 'minLength');
  assert.is(brokenLength('abcd', three), 'maxLength');
});

test('without limits nothing is broken', () => {
  for (const lengths of [null, {}]) assert.is(brokenLength('', lengths), null);
});
