import { readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { typeNamed } from '../../agent/rules/field.ts';
import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import { fieldTypeNames, fieldTypes, plainTypeNames } from '../../fieldTypes/all.ts';
import { notationOf } from '../../processing/fields/notation.ts';
import { readings } from '../../processing/fields/readings.ts';
import { compileForeign } from '../../schemas/ajv.ts';
import { fieldFaults, typeFaults } from '../../schemas/fieldValues.ts';
import { itemsField, outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('types of fields');

test('every record of the folder is in the list, under the name of its file', () => {
  const files = readdirSync('fieldTypes').filter((file) => !['all.ts', 'fieldType.ts'].includes(file));
  assert.equal(
    files.sort(),
    [...fieldTypeNames].sort().map((name) => `${name}.ts`),
  );
  assert.equal(Object.keys(fieldTypes), fieldTypeNames);
});

test('the contract names every type [definitions-5]', () => {
  const rule = /\*\*definitions-5\*\*.*/.exec(readFileSync('docs/contract.md', 'utf8'))?.[0] ?? '';
  for (const name of fieldTypeNames) assert.match(rule, new RegExp(`\\b${name}\\b`));
});

test('no two types have the same rank', () => {
  const ranks = new Set(Object.values(fieldTypes).map(({ rank }) => rank));
  assert.is(ranks.size, fieldTypeNames.length);
});

for (const type of plainTypeNames) {
  const record = fieldTypes[type];
  const value = record.example ?? 'Sample';
  const field = outputField('thing', { type, required: false });
  const faults = compileForeign(outputJsonSchemaOf([field]));

  test(`${type}: its example is a value, null is none, and an object is a fault`, () => {
    assert.equal(typeFaults(type, value), []);
    assert.is.not(typeFaults(type, {}).length, 0);
    assert.equal([faults({ thing: value }), faults({ thing: null }), faults({})], [[], [], []]);
    assert.is.not(faults({ thing: {} }).length, 0);
  });

  test(`${type}: a business key has its example, and nothing of another type`, () => {
    assert.type(record.normalise(value), 'string');
    assert.equal([null, undefined, {}, ''].map(record.normalise), [null, null, null, null]);
  });

  test(`${type}: its example is read from a text, and from a text in JSON`, () => {
    const notation = notationOf('', '2026-11-21');
    const { convert, fromJson } = readings[type];
    for (const read of [convert, fromJson])
      assert.equal(read(field, String(value), notation), { value, isDoubtful: false });
  });

  test(`${type}: the workflow agent takes its name for it`, () => assert.is(typeNamed(type), type));
}

const bolts = { description: 'Bolts', quantity: 2, unitPrice: null, amount: 9.5 };
const tables: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['rows, without optional columns too', [bolts, { description: 'Nuts', amount: 1 }], []],
  ['no rows', [], []],
  ['a text', 'Bolts', ['']],
  ['a row that is no object', [bolts, 'Nuts'], ['/1']],
  ['an unknown column', [{ ...bolts, 'a/b': 1 }], ['/0/a~1b']],
  ['cells of other types', [{ ...bolts, quantity: 1.5, amount: '9.50' }], ['/0/quantity', '/0/amount']],
  ['a required cell without a value', [bolts, { ...bolts, amount: null }], ['/1/amount']],
  ['1,000 rows', Array(1_000).fill(bolts), []],
  ['more than 1,000 rows [tables-3]', Array(1_001).fill(bolts), ['']],
];

for (const [what, value, pointers] of tables)
  test(`a table: ${what}`, () =>
    assert.equal(
      fieldFaults(itemsField, value).map(({ pointer }) => pointer),
      pointers,
    ));
