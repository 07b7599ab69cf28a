import * as assert from 'uvu/assert';
import { attempt } from '../../processing/attempt.ts';
import type { Extracted, Outcome } from '../../processing/types.ts';
import { outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';
import { fileFolder, noRecogniser, versionOf } from './files.ts';

const test = suite('the json extractor [extractors-2]');
let files: Awaited<ReturnType<typeof fileFolder>>;
test.before(async () => {
  files = await fileFolder();
});
test.after(() => files.remove());

const fields = versionOf(
  [
    outputField('invoiceNumber', { label: 'Invoice no.' }),
    outputField('total', { type: 'number' }),
    outputField('count', { type: 'integer', required: false }),
    outputField('paid', { type: 'boolean', required: false }),
    outputField('date', { type: 'date', required: false }),
  ],
  'json',
);

const read = async (...texts: readonly unknown[]): Promise<Outcome> => {
  const all = texts.map((text) =>
    files.file(typeof text === 'string' ? text : JSON.stringify(text), 'application/json'),
  );
  return attempt(fields, await Promise.all(all), noRecogniser, () => undefined);
};
const found = async (...texts: readonly unknown[]): Promise<Extracted> => {
  const outcome = await read(...texts);
  if (outcome.kind !== 'extracted') throw new Error(outcome.reason);
  return outcome;
};

test('values come out in their fields’ types, of texts that say them too', async () => {
  const typed = { invoiceNumber: 'A-1', total: 80.9, count: 3, paid: true, date: '2018-03-12' };
  assert.equal((await found(typed)).extractedData, typed);
  const said = { invoiceNumber: 'A-1', total: 'RM 80.90', count: '3', paid: 'yes', date: '12 March 2018' };
  assert.equal((await found(said)).extractedData, typed);
  assert.is((await found({ ...typed, invoiceNumber: 4711 })).extractedData.invoiceNumber, '4711');
});

test('keys may be written in another way, or be the label', async () => {
  const { extractedData, confidence } = await found({ invoice_number: 'A-1', Total: 1 });
  assert.equal([extractedData.invoiceNumber, extractedData.total, confidence], ['A-1', 1, 1]);
  assert.is((await found({ 'Invoice no.': 'A-2', total: 1 })).extractedData.invoiceNumber, 'A-2');
});

test('nested values are found, the shallowest first', async () => {
  const nested = { document: { head: { invoiceNumber: 'A-1' } }, sum: { total: 5 }, total: 80.9 };
  const { extractedData, confidence } = await found(nested);
  assert.equal([extractedData.invoiceNumber, extractedData.total, confidence], ['A-1', 80.9, 1]);
});

test('of several that differ at one depth the first is taken, and a person is to look', async () => {
  const lines = { invoiceNumber: 'A-1', lines: [{ total: 1 }, { total: 2 }] };
  const { extractedData, fieldConfidences } = await found(lines);
  assert.equal([extractedData.total, fieldConfidences.total], [1, 0.5]);
  const same = await found({ invoiceNumber: 'A-1', lines: [{ total: 2 }, { total: 2 }] });
  assert.is(same.fieldConfidences.total, 1);
});

test('several files are read together; where they differ the first counts, and a person is to look', async () => {
  const both = await found({ invoiceNumber: 'A-1' }, { total: 80.9 });
  assert.equal(
    [both.extractedData.invoiceNumber, both.extractedData.total, both.confidence],
    ['A-1', 80.9, 1],
  );
  const differing = await found({ invoiceNumber: 'A-1', total: 1 }, { total: 2 });
  assert.equal([differing.extractedData.total, differing.fieldConfidences.total], [1, 0.5]);
  assert.is((await found({ invoiceNumber: 'A-1', total: null }, { total: 2 })).extractedData.total, 2);
});

test('what lacks is null, and so is what the file says is null, whatever lies deeper', async () => {
  const { extractedData, findings } = await found({ total: null, lines: [{ total: 5 }] });
  assert.equal(extractedData, { invoiceNumber: null, total: null, count: null, paid: null, date: null });
  assert.equal(findings, [
    { code: 'missing_required', field: 'invoiceNumber' },
    { code: 'missing_required', field: 'total' },
  ]);
});

test('a value of another type, and a number that lost digits, are no values and need a person', async () => {
  const { extractedData, findings } = await found(
    '{ "invoiceNumber": 12345678901234567890, "total": true, "count": 1.5, "paid": "perhaps", "date": 20180312 }',
  );
  assert.equal(new Set(Object.values(extractedData)), new Set([null]));
  assert.equal(
    findings.map(({ code }) => code),
    Array.from({ length: 5 }, () => 'invalid_field'),
  );
});

test('a value that is not what was written is none and needs a person', async () => {
  const { extractedData, findings } = await found(
    String.raw`{ "total": 5, "total": 6, "invoiceNumber": "A\ud800", "count": 1e999, "date": "2018-03-12" }`,
  );
  assert.equal(extractedData, {
    total: null,
    invoiceNumber: null,
    count: null,
    paid: null,
    date: '2018-03-12',
  });
  assert.equal(
    findings.map(({ code, field }) => [code, field]),
    ['invoiceNumber', 'total', 'count'].map((field) => ['invalid_field', field]),
  );
  const long = await found('{ "invoiceNumber": "A-1", "total": 0.12345678901234567890 }');
  assert.equal([long.extractedData.total, long.findings[0]?.code], [null, 'invalid_field']);
});

test('blank texts are no values, yes or no is no text, and a nameless value is of no field', async () => {
  const blank = await found({ invoiceNumber: '  ', total: 5 });
  assert.equal(blank.findings, [{ code: 'missing_required', field: 'invoiceNumber' }]);
  assert.is((await found({ invoiceNumber: true, total: 5 })).findings[0]?.code, 'invalid_field');
  assert.is((await found(['2018-03-12'])).extractedData.date, null);
});

test('a date that can be read in two ways is for a person to look at', async () => {
  const dated = async (date: string) =>
    (await found({ invoiceNumber: 'A-1', total: 1, date })).fieldConfidences.date;
  assert.equal(
    [await dated('03/04/2018'), await dated('13/04/2018'), await dated('2018-04-03')],
    [0.5, 1, 1],
  );
});

test('only JSON files are read', async () => {
  const text = await files.file('total: 80.9', 'text/plain');
  const outcome = await attempt(fields, [text], { recognise: () => Promise.reject() }, () => undefined);
  assert.equal(outcome, {
    kind: 'failed',
    reason: '"front" is text/plain, but this workflow takes its data from JSON files.',
  });
});
