import * as assert from 'uvu/assert';
import { outputJsonSchemaOf } from '../../domain/outputJsonSchema.ts';
import { compileForeign } from '../../schemas/ajv.ts';
import { itemsField, outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('outputJsonSchema');

const fields = [
  outputField('company', {
    label: 'Company',
    description: 'who was paid',
    validation: { pattern: '^[A-Z]', minLength: 2, maxLength: 5 },
  }),
  outputField('date', { type: 'date' }),
  outputField('total', { type: 'number', validation: { pattern: 'of the text', minLength: 1 } }),
  outputField('items', { required: false, type: 'integer' }),
  outputField('paid', { required: false, type: 'boolean', description: '', validation: {} }),
];

test('is a JSON Schema 2020-12 of the fields [definitions-5]', () => {
  assert.equal(outputJsonSchemaOf(fields), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      company: {
        title: 'Company',
        description: 'who was paid',
        type: 'string',
        pattern: '^[A-Z]',
        minLength: 2,
        maxLength: 5,
      },
      date: { type: 'string', format: 'date' },
      total: { type: 'number' },
      items: { type: ['integer', 'null'] },
      paid: { type: ['boolean', 'null'] },
    },
    required: ['company', 'date', 'total'],
    additionalProperties: false,
  });
});

const good = { company: 'ACME', date: '2026-11-21', total: 9.5, items: null };
const outputs: readonly (readonly [string, object, readonly string[]])[] = [
  ['what it should be', good, []],
  ['an optional one is left out', { company: 'ACME', date: '2026-11-21', total: 0 }, []],
  ['a required one is missing', { company: 'ACME', date: '2026-11-21' }, ['/total']],
  ['a required one is null', { ...good, total: null }, ['/total']],
  ['a day that is not valid', { ...good, date: '2026-02-30' }, ['/date']],
  ['a text too long', { ...good, company: 'ACMEACME' }, ['/company']],
  ['a text of another pattern', { ...good, company: 'acme' }, ['/company']],
  ['a fraction for an integer', { ...good, items: 1.5 }, ['/items']],
  ['a text for a boolean', { ...good, paid: 'yes' }, ['/paid']],
  ['a field that it does not have', { ...good, extra: 1 }, ['/extra']],
];

for (const [what, output, pointers] of outputs)
  test(`judges ${what}`, () => {
    assert.equal(
      compileForeign(outputJsonSchemaOf(fields))(output).map(({ pointer }) => pointer),
      pointers,
    );
  });

test('a field whose name is special is one like any other', () => {
  const { properties } = outputJsonSchemaOf([outputField('__proto__')]);
  assert.equal(Object.keys(properties as object), ['__proto__']);
});

test('a table is an array of objects, with a row at least where it is required [tables-2]', () => {
  const items = {
    ...{ title: 'Items', type: 'array', minItems: 1, maxItems: 1_000 },
    items: {
      type: 'object',
      properties: {
        description: { type: 'string' },
        quantity: { type: ['integer', 'null'] },
        unitPrice: { title: 'Unit price', type: ['number', 'null'] },
        amount: { type: 'number' },
      },
      required: ['description', 'amount'],
      additionalProperties: false,
    },
  };
  const of = (required: boolean) => outputJsonSchemaOf([{ ...itemsField, required }]) as Schema;
  assert.equal(of(true).properties.items, items);
  const { minItems: _, ...optional } = items;
  assert.equal(of(false).properties.items, { ...optional, type: ['array', 'null'] });
});

type Schema = Readonly<{ properties: Readonly<Record<string, object>> }>;
