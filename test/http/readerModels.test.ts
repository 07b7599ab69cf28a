import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { refusalOf, workplace } from '../cli/run.ts';
import { suite } from '../harness.ts';
import { makeModels, swapped } from '../support/modelFolder.ts';
import { startService } from '../support/service.ts';

const test = suite('models of the operator');
const place = workplace();
let folder: string;
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'intake-models-'));
});
test.after(() => {
  place.remove();
  rmSync(folder, { recursive: true });
});

const faults: readonly (readonly [string, () => void, RegExp])[] = [
  ['a missing file', () => rmSync(join(folder, 'recognition.onnx')), /recognition\.onnx can't be read/],
  ['a missing manifest', () => rmSync(join(folder, 'SHA256SUMS')), /SHA256SUMS can't be read/],
  ['a wrong file', () => appendFileSync(join(folder, 'detection.onnx'), ' '), /of detection\.onnx differs/],
  [
    'a manifest without a file',
    () => {
      const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
      writeFileSync(join(folder, 'SHA256SUMS'), sums.replace(/.*dictionary\.txt\n/, ''));
    },
    /SHA256SUMS has no SHA-256 of dictionary\.txt/,
  ],
];
for (const [what, spoil, expected] of faults)
  test(`${what} stops the start by the name of the setting [reader-1]`, async () => {
    makeModels(folder);
    spoil();
    const refusal = refusalOf(await place.with({ READER_MODELS: folder }).intake('serve', '--json'));
    assert.equal([refusal.code, refusal.exitCode], ['invalid-settings', 2]);
    const [fault] = refusal.errors;
    assert.match(`${fault?.pointer}`, 'READER_MODELS');
    assert.match(`${fault?.detail}`, expected);
  });

test('a submission is read with the models of the folder, and not with the shipped ones [reader-2]', async () => {
  makeModels(folder, swapped('k', 'q'));
  const service = await startService({ READER_MODELS: folder });
  try {
    const { api } = await service.company();
    const content = readFileSync(new URL('../../../scripts/samples/receipt.jpg', import.meta.url));
    const { result } = await api.process([{ content, mimeType: 'image/jpeg' }]);
    assert.match(result.fields.company.value, /Linden Baqery/);
  } finally {
    await service.close();
  }
});
