import * as assert from 'uvu/assert';
import { patternNotes } from '../../schemas/patternNotes.ts';
import { suite } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';

const test = suite('notes on patterns [definitions-8]');

const notesOf = (
  pattern: string,
  more: Readonly<{ maxLength?: number; type?: 'number' | 'string' }> = {},
) => {
  const { maxLength, type = 'string' } = more;
  const validation = { pattern, ...(maxLength === undefined ? {} : { maxLength }) };
  const field = { name: 'code', required: false, type, validation } as const;
  return patternNotes({ ...receiptDefinition, outputSchema: [...receiptDefinition.outputSchema, field] });
};

for (const pattern of [
  ...['^(\\w+\\s?)*$', '(a+)+$', '^(?:[\\p{Lu}\\p{N}]+[ -]?)+$', '^(\\s*\\w+\\s*)+$', '^(?=(a+)+$)'],
  ...['^(a|aa)+$', '^(\\w|\\d)*$', '^(ab|a|b)*$', '^(?:a?){40}a{40}!$'],
])
  test(`backtracks for hours: ${pattern}`, () => {
    const [note, ...others] = notesOf(pattern);
    assert.is(note?.pointer, '/outputSchema/3/validation/pattern');
    assert.match(note?.detail ?? '', /^backtracks/);
    assert.equal(others, []);
  });

for (const pattern of ['^.*a.*b.*$', '^\\s+|\\s+$', '^\\w+\\d+$'])
  test(`takes the square of a long text’s length: ${pattern}`, () => {
    assert.match(notesOf(pattern)[0]?.detail ?? '', /^takes time that grows/);
    assert.equal(notesOf(pattern, { maxLength: 200 }), []);
  });

for (const pattern of [
  ...[
    '^[A-Z0-9 -]{2,12}$',
    'INV-\\d+',
    '^\\d{1,3}(,\\d{3})*(\\.\\d\\d)?$',
    '^(?<year>\\d{4})-\\d\\d$',
    '(a)\\1',
  ],
  ...[
    '^[^@\\s]+@[^@\\s]+\\.[a-z]+$',
    '(?:\\d{1,3}\\.){3}\\d{1,3}',
    '^(?=.*\\d)[A-Z]+$',
    '^(foo|foobar)baz$',
    '^(\\p{L}|\\s)*$',
  ],
])
  test(`nothing to say: ${pattern}`, () => assert.equal(notesOf(pattern), []));

test('a pattern that is never checked has no note', () =>
  assert.equal(notesOf('(a+)+$', { type: 'number' }), []));
