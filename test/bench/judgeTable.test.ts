import * as assert from 'uvu/assert';
import { judgeTable } from '../../bench/extraction/judgeTable.ts';
import { itemsField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('the judgement of tables');

const truth = ['Bolts', 'Nuts', 'Screws'].map((description, index) => ({
  ...{ description, amount: `${index + 1}.50` },
}));
const rights = (found: readonly Readonly<Record<string, unknown>>[]) =>
  judgeTable(itemsField, found, truth, []).map(({ field, exact, found: text }) => [
    field,
    exact,
    text !== '',
  ]);
const cell = (column: string, exact: boolean, isFound = true) => [`items.${column}`, exact, isFound];

test('rows are compared with those that they are likest to: one that is missing makes no other wrong', () => {
  assert.equal(
    rights([
      { description: 'Bolts', amount: 1.5 },
      { description: 'Screws', amount: 9 },
    ]),
    [
      ...[cell('description', true), cell('amount', true)],
      ...[cell('description', false, false), cell('amount', false, false)],
      ...[cell('description', true), cell('amount', false)],
    ],
  );
});

test('the cells of a row too many are wrong', () => {
  const found = truth.map(({ description, amount }) => ({ description, amount: Number(amount) }));
  const judged = rights([...found, { description: 'Total', amount: 7.5 }]);
  assert.equal(judged.slice(6), [cell('description', false), cell('amount', false)]);
  assert.ok(judged.slice(0, 6).every(([, exact]) => exact));
});
