import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { receiptDefinition } from '../support/definition.ts';
import { refusalOf, workplace } from './run.ts';

const test = suite('the command line: reader');
const place = workplace();
test.after(place.remove);

type Checked = Readonly<{
  file: string | null;
  readings: readonly Readonly<{
    models: string | null;
    words: number;
    confidence: number;
    durationMs: number;
    cpuMs: number;
  }>[];
}>;

type Tried = Readonly<{
  report: Readonly<{ after: Readonly<{ fields: readonly Readonly<Record<string, unknown>>[] }> }>;
  documents: readonly Readonly<{ submissionId: string }>[];
}>;

test('without a file a page that is made is read with the shipped models [reader-3]', async () => {
  const { file, readings } = await place.json<Checked>('reader', 'check');
  assert.is(file, null);
  assert.equal(
    readings.map((reading) => reading.models),
    [null],
  );
  const [{ words, confidence, durationMs, cpuMs } = { words: 0, confidence: 0, durationMs: 0, cpuMs: 0 }] =
    readings;
  assert.is(words, 139);
  assert.ok(confidence > 0.95 && confidence <= 1, `${confidence}`);
  assert.ok(durationMs > 0 && cpuMs > 0);
  assert.is(existsSync(place.settings.DATA_DIR), false, 'no data is needed');
});

test('a definition is tried on a folder of documents whose truth is known [evaluations-19]', async () => {
  const folder = join(place.folder, 'known');
  mkdirSync(folder);
  const put = (name: string, text: string, truth?: object): void => {
    writeFileSync(join(folder, `${name}.txt`), text);
    if (truth) writeFileSync(join(folder, `${name}.json`), JSON.stringify(truth));
  };
  put('one', 'Total: 12.50\nDate: 25/12/2018\n', { total: '12,50', date: '25/12/2018' });
  put('two', 'Total: 20.00\n', { total: 30 });
  put('unknown', 'Total: 20.00\n');
  const [path, other] = [join(place.folder, 'receipt.json'), join(place.folder, 'other.json')];
  writeFileSync(path, JSON.stringify(receiptDefinition));
  const total = receiptDefinition.outputSchema.filter(({ name }) => name === 'total');
  writeFileSync(other, JSON.stringify({ ...receiptDefinition, outputSchema: total }));
  const { report, documents } = await place.json<Tried>('reader', 'evaluate', folder, path);
  assert.equal(
    documents.map(({ submissionId }) => submissionId),
    ['one.txt', 'two.txt'],
  );
  const { fields } = report.after;
  assert.equal(
    fields.map(({ name, exact, wrong }) => [name, exact, wrong]),
    [
      ['date', 1, 0],
      ['total', 1, 1],
    ],
  );
  const { stdout } = await place.intake('reader', 'evaluate', folder, other, '--beside', path);
  assert.match(stdout, /^two\.txt +total +wrong +0\.\d\d$/m);
  assert.match(stdout, /^total +50\.0 % \(50\.0 %\)/m);
});

test('a folder without truths, and a definition that is none, are refused by name [evaluations-19]', async () => {
  const empty = join(place.folder, 'empty');
  mkdirSync(empty);
  const broken = join(place.folder, 'broken.json');
  writeFileSync(broken, '{}');
  const refused = async (...words: readonly string[]) =>
    refusalOf(await place.intake('reader', 'evaluate', ...words, '--json')).code;
  assert.is(await refused(empty, broken), 'no-documents');
  assert.is(await refused(join(place.folder, 'nowhere'), broken), 'no-folder');
  writeFileSync(join(empty, 'one.txt'), 'Total 1.00');
  writeFileSync(join(empty, 'one.json'), '[]');
  assert.is(await refused(empty, broken), 'no-truth');
  writeFileSync(join(empty, 'one.json'), '{}');
  assert.is(await refused(empty, broken), 'invalid-definition');
});
