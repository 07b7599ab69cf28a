import * as assert from 'uvu/assert';
import type { OutputField } from '../../../domain/workflow.ts';
import { textPage } from '../../../processing/read/text.ts';
import { understand } from '../../../processing/understand.ts';
import { outputField } from '../../controls/workflow.ts';
import { suite } from '../../harness.ts';
import { versionOf } from '../files.ts';

const test = suite('confidence: letters, languages and other fields');

const SURE = 0.9;
const REVIEWED = 0.8;

/** The confidences of fields in a text; words that `letters` names, or all, are recognised with those. */
const confidencesIn = (
  text: string,
  fields: readonly OutputField[],
  letters: Readonly<Record<string, number>> = {},
) => {
  const page = textPage('f', text);
  const lines = page.lines.map((line) => ({
    ...line,
    words: line.words.map((word) => ({ ...word, confidence: letters[word.text] ?? letters.all ?? 1 })),
  }));
  return understand(versionOf(fields), { pages: [{ ...page, lines }], entries: [] }).fieldConfidences;
};

const holder = outputField('accountHolder', { label: 'Account holder' });
const account = outputField('accountNumber', { label: 'Account number' });
const text = 'Account holder: Maria Ortega\nAccount number: 6683868702';

test('a text of which one word is hard to read is for a person, whatever its other words are', () => {
  const of = (letters: number) => confidencesIn(text, [holder], { all: 0.98, Ortega: letters });
  assert.ok((of(0.95).accountHolder ?? 0) >= REVIEWED);
  assert.ok((of(0.89).accountHolder ?? 1) < REVIEWED);
});

test('a recognised name without marks is for a person in a language that has them', () => {
  const spanish = 'Extracto de cuenta\nFecha: 02/03/2026\n';
  const of = (text: string, letters: number) => confidencesIn(text, [holder, account], { all: letters });
  const recognised = of(`${spanish}${text}`, 0.98);
  assert.ok((recognised.accountHolder ?? 1) < REVIEWED);
  assert.ok((recognised.accountNumber ?? 0) >= REVIEWED, 'digits have no marks');
  assert.ok((of(text, 0.98).accountHolder ?? 0) >= REVIEWED, 'another language');
  assert.ok((of(`${spanish}${text}`, 1).accountHolder ?? 0) >= REVIEWED, 'not recognised');
  const written = `${spanish}Número, Teléfono, Dirección\n${text}`;
  assert.ok((of(written, 0.98).accountHolder ?? 0) >= REVIEWED, 'a reader that writes marks');
});

const sums = [
  outputField('subtotal', { label: 'Subtotal', type: 'number' }),
  outputField('tax', { label: 'Tax', type: 'number' }),
  outputField('total', { label: 'Total', type: 'number' }),
];

test('sums that prove each other are sure, and not where they do not', () => {
  const of = (total: string) =>
    confidencesIn(`Subtotal: 200.00\nTax: 25.00\nTotal: ${total}`, sums, { all: 0.9 });
  for (const sum of ['225.00', '225.05'])
    for (const [name, confidence] of Object.entries(of(sum))) assert.ok(confidence > SURE, `${name} ${sum}`);
  const others = confidencesIn('Subtotal: 200.00\nTax: 25.00\nTotal: 235.00', sums);
  for (const [name, confidence] of Object.entries(others)) assert.ok(confidence < SURE, name);
});

test('sums in a notation that is guessed prove nothing', () => {
  const confidences = confidencesIn('Subtotal: 1.000\nTax: 1.000\nTotal: 2.000', sums);
  for (const [name, confidence] of Object.entries(confidences)) assert.ok(confidence < REVIEWED, name);
});

test('a day that is due before the invoice is doubted, and so is that of the invoice', () => {
  const days = [
    outputField('date', { label: 'Invoice date', type: 'date' }),
    outputField('dueDate', { label: 'Due date', type: 'date' }),
  ];
  const of = (due: string) => confidencesIn(`Invoice date: 2026-03-13\nDue date: ${due}`, days);
  for (const confidence of Object.values(of('2026-04-13'))) assert.ok(confidence >= SURE);
  for (const confidence of Object.values(of('2026-02-13'))) assert.ok(confidence < REVIEWED);
});

test('a cell of a table is for a person for the same reasons, and its numbers are not', () => {
  const own = { required: false, description: null, validation: null };
  const columns = [
    { name: 'description', label: 'Description', type: 'string', ...own },
    { name: 'amount', label: 'Amount', type: 'number', ...own },
  ] as const;
  const items = outputField('items', { type: 'table', columns });
  const rows = 'Description          Amount\nCable                 12.50\nLamp                   7.00';
  const of = (letters: number) => confidencesIn(rows, [items], { all: 0.98, Lamp: letters }).items ?? 0;
  assert.ok(of(0.95) >= REVIEWED);
  assert.ok(of(0.89) > 0 && of(0.89) < REVIEWED);
});
