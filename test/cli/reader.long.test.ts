import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../harness.ts';
import { makeModels } from '../support/modelFolder.ts';
import { refusalOf, workplace } from './run.ts';

const test = suite('the command line: reader check [reader-3]');
const place = workplace();
const models = join(place.folder, 'models');
const own = place.with({ READER_MODELS: models });
test.before(() => {
  mkdirSync(models);
  makeModels(models);
});
test.after(place.remove);

const RECEIPT = fileURLToPath(new URL('../../../scripts/samples/receipt.jpg', import.meta.url));

type Reading = Readonly<{
  models: string | null;
  words: number;
  confidence: number;
  durationMs: number;
  cpuMs: number;
}>;
type Checked = Readonly<{ file: string | null; readings: readonly Reading[] }>;

test('a copy of the shipped models reads a file as they do', async () => {
  const { file, readings } = await own.json<Checked>('reader', 'check', RECEIPT);
  assert.is(file, RECEIPT);
  assert.equal(
    readings.map((reading) => reading.models),
    [null, models],
  );
  const [shipped, copied] = readings.map(({ words, confidence }) => ({ words, confidence }));
  assert.equal(copied, shipped);
  assert.ok((shipped?.words ?? 0) > 30);
});

test('for people it is a table', async () => {
  const { code, stdout, stderr } = await own.intake('reader', 'check', RECEIPT);
  assert.is(code, 0, stderr);
  assert.match(stdout, /^MODELS +WORDS +CONFIDENCE +MS +PROCESSOR MS\nshipped +\d+ +0\.9\d+ +\d+ +\d+\n/);
  assert.ok(stdout.includes(models));
});

/** Puts another file into the folder, with its checksum. */
const replace = (name: string, content: string): void => {
  writeFileSync(join(models, name), content);
  const sum = createHash('sha256').update(content).digest('hex');
  const sums = readFileSync(join(models, 'SHA256SUMS'), 'utf8').replace(
    new RegExp(`.*  ${name}`),
    `${sum}  ${name}`,
  );
  writeFileSync(join(models, 'SHA256SUMS'), sums);
};

test('models that are none, and a dictionary of other models, are told by their folder', async () => {
  replace('recognition.onnx', 'no model');
  const broken = refusalOf(await own.intake('reader', 'check', RECEIPT, '--json'));
  assert.equal([broken.code, broken.exitCode], ['page-not-read', 1]);
  assert.ok(broken.detail.startsWith(`${models} can't be used: `), broken.detail);
  makeModels(models, (dictionary) => dictionary.split('\n').slice(0, 95).join('\n'));
  const other = refusalOf(await own.intake('reader', 'check', RECEIPT, '--json'));
  assert.match(other.detail, /tells 6625 characters apart, and its dictionary has 96/);
});

test('what is no page is refused, and a wrong checksum by the name of the setting', async () => {
  const text = join(place.folder, 'note.txt');
  writeFileSync(text, 'Total 1.00\n');
  const refused = refusalOf(await place.intake('reader', 'check', text, '--json'));
  assert.equal([refused.code, refused.exitCode], ['page-not-read', 1]);
  assert.match(refused.detail, /note\.txt.* is text/);
  const missing = refusalOf(await place.intake('reader', 'check', join(place.folder, 'none'), '--json'));
  assert.is(missing.code, 'no-file');
  writeFileSync(join(models, 'dictionary.txt'), 'a\n');
  const wrong = refusalOf(await own.intake('reader', 'check', '--json'));
  assert.equal([wrong.code, wrong.exitCode], ['invalid-settings', 2]);
});
