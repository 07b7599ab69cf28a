import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as assert from 'uvu/assert';
import { outputTypesOf } from '../../domain/outputTypes.ts';
import { itemsField, outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('outputTypes');

const outputSchema = [
  outputField('company', { label: 'Company', description: 'who was paid */ or was\nnot' }),
  outputField('date', { type: 'date' }),
  outputField('total', { type: 'number' }),
  outputField('items', { required: false, type: 'integer', label: 'Items?' }),
  outputField('is-paid', { required: false, type: 'boolean', description: '', label: '' }),
];
const types = outputTypesOf({ slug: 'tax-form-2', version: 3, outputSchema });

test('required fields are there, others may be absent or null, and texts become comments [client-5]', () => {
  assert.is(
    types,
    `/** What version 3 of the workflow \`tax-form-2\` extracts. */
export type TaxForm2 = {
  /** Company: who was paid *\\/ or was not. */
  company: string;
  /** A date such as 2026-11-21. */
  date: string;
  total: number;
  /** Items? */
  items?: number | null;
  "is-paid"?: boolean | null;
};
`,
  );
});

test('a slug that begins with a digit is a name all the same', () => {
  assert.match(
    outputTypesOf({ slug: '1099-b', version: 1, outputSchema: [] }),
    /export type Workflow1099B = \{\n\};/,
  );
});

test('the types compile, and hold data to them [client-5]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-test-'));
  writeFileSync(
    join(folder, 'types.ts'),
    `${types}
export const fine: TaxForm2 = { company: 'ACME', date: '2026-11-21', total: 1, 'is-paid': null };
// @ts-expect-error: required
export const absent: TaxForm2 = { company: 'ACME', date: '2026-11-21' };
`,
  );
  const tsc = resolve('node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['--ignoreConfig', '--strict', '--noEmit', join(folder, 'types.ts')], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  assert.is(stdout, '');
});

test('a table is an array of its rows [tables-2]', () => {
  assert.is(
    outputTypesOf({ slug: 'bill', version: 1, outputSchema: [itemsField] }),
    `/** What version 1 of the workflow \`bill\` extracts. */
export type Bill = {
  /** Items. */
  items: {
    description: string;
    quantity?: number | null;
    /** Unit price. */
    unitPrice?: number | null;
    amount: number;
  }[];
};
`,
  );
});
