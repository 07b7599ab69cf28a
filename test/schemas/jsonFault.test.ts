import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { jsonFault } from '../../schemas/jsonFault.ts';
import { rounds, suite } from '../harness.ts';

const test = suite('where a text stops being JSON');

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('tells line, column and what is expected', () => {
  const cases = [
    ['', 1, 1, 'value'],
    ['{\n  "slug": "receipt",\n}', 3, 1, 'name'],
    ['{"a": 1 "b": 2}', 1, 9, ', or }'],
    ['[1, 2', 1, 6, ', or ]'],
    ['{"a" 1}', 1, 6, ':'],
    ['{\r\n"a": tru\r\n}', 2, 6, 'value'],
    ["{'a': 1}", 1, 2, 'name or }'],
    ['{} x', 1, 4, 'the end'],
    ['[01]', 1, 2, 'value or ]'],
    ['"a\nb"', 1, 1, 'value'],
    ['[1]}', 1, 4, 'the end'],
  ] as const;
  for (const [text, line, column, expected] of cases) {
    assert.equal(jsonFault(text), { line, column, expected }, text);
  }
});

test('agrees with JSON.parse on every text', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-0.5e3',
    'true',
    'null',
    ' ',
    '\n',
    '"',
    '\\',
    '\t',
    '.',
  ];
  const broken = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((found) => found.join(''));
  const whole = fc.json();
  const cut = fc.tuple(whole, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  fc.assert(
    fc.property(fc.oneof(broken, whole, cut, fc.string()), (text) => {
      assert.is(jsonFault(text) === null, isJson(text), text);
    }),
    { numRuns: rounds(1_000, 100_000) },
  );
});

test('is quick on a large text, however deep', () => {
  assert.is(jsonFault('['.repeat(1_000_000))?.column, 1_000_001);
  assert.is(jsonFault(`{"a": "${'x'.repeat(1_000_000)}"`)?.expected, ', or }');
});
