import * as assert from 'uvu/assert';
import { compile, compileForeign } from '../../schemas/ajv.ts';
import { matching } from '../../schemas/patterns.ts';
import { suite } from '../harness.ts';

const test = suite('schemas/ajv');

test('every fault is named with its pointer', () => {
  const check = compile({
    type: 'object',
    required: ['a'],
    additionalProperties: false,
    properties: { a: { type: 'string', format: 'date' }, b: { enum: [1, 2] } },
  });
  assert.equal(check({ a: '2018-03-12' }), []);
  assert.equal(
    check({ b: 3, 'c/d': 1 }).map(({ pointer }) => pointer),
    ['/a', '/c~1d', '/b'],
  );
});

test('a foreign schema keeps its patterns apart', () => {
  const check = compileForeign({ properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } });
  assert.equal(check({ a: 'aa', b: 'bb' }), []);
  assert.equal(
    check({ a: 'bb', b: 'aa' }).map(({ pointer }) => pointer),
    ['/a', '/b'],
  );
});

test('a pattern that runs for ever ends as not matching', () => {
  const hostile = '^(a|aa)+$';
  const text = `${'a'.repeat(200)}!`;
  assert.equal(matching(hostile, [text]), []);
  assert.is(compileForeign({ pattern: hostile })(text).length, 1);
  assert.equal(matching('^a+$', ['a', 'b', 'aa']), ['a', 'aa']);
  assert.throws(() => matching('(', ['']), /Invalid regular expression/);
});
