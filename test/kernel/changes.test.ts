import * as assert from 'uvu/assert';
import { changesBetween } from '../../kernel/changes.ts';
import { suite } from '../harness.ts';

const test = suite('kernel/changes');

test('changes are listed by member, as JSON Pointers', () => {
  const from = { same: [1], gone: 1, list: [1], deep: { 'a/b~': 1, kept: null } };
  const to = { same: [1], list: [1, 2], deep: { 'a/b~': 2, kept: null }, none: null, added: {} };
  assert.equal(changesBetween(from, to), [
    { pointer: '/gone', from: 1, to: null },
    { pointer: '/list', from: [1], to: [1, 2] },
    { pointer: '/deep/a~1b~0', from: 1, to: 2 },
    { pointer: '/added', from: null, to: {} },
  ]);
  assert.equal(changesBetween({ a: null }, { a: { b: 1 } }), [{ pointer: '/a', from: null, to: { b: 1 } }]);
});

test('members that are called as what every object inherits are members like others', () => {
  assert.equal(changesBetween({}, { constructor: 1 }), [{ pointer: '/constructor', from: null, to: 1 }]);
  assert.equal(changesBetween({ toString: 'a' }, {}), [{ pointer: '/toString', from: 'a', to: null }]);
  assert.equal(changesBetween({ valueOf: 1 }, { valueOf: 1 }), []);
});
