import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { calibration, comparable, judge } from '../../bench/extraction/judge.ts';
import { scansIn } from '../../bench/extraction/scans.ts';
import { outputField } from '../controls/workflow.ts';
import { suite } from '../harness.ts';

const test = suite('the bench of extraction');
const folder = mkdtempSync(join(tmpdir(), 'intake-bench-'));
test.after(() => rmSync(folder, { recursive: true }));

const total = outputField('total', { type: 'number' });
const company = outputField('company');

test('values are compared as what they are, texts by their letters and digits', () => {
  assert.is(comparable({ type: 'date' }, '25/12/2018'), comparable({ type: 'date' }, '2018-12-25'));
  assert.is(comparable({ type: 'number' }, 'RM 8.60'), comparable({ type: 'number' }, '8.6'));
  assert.is(comparable({ type: 'string' }, 'A.C.M.E. (M) Sdn Bhd'), 'ACMEMSDNBHD');
});

test('a value is right or not, and alike in its characters', () => {
  assert.equal(
    [
      judge(total, 8.6, '8.60', 0.9),
      judge(company, 'ACNE', 'ACME', 0.9),
      judge(company, null, 'ACME', 0),
    ].map(({ exact, alike }) => [exact, alike]),
    [
      [true, 1],
      [false, 0.75],
      [false, 0],
    ],
  );
});

test('confidences are held against what was right, of the values that were found', () => {
  const judged = [judge(total, 1, '1', 0.95), judge(total, 2, '1', 0.9), judge(company, null, 'ACME', 0)];
  const bands = calibration(judged).filter(({ count }) => count > 0);
  assert.equal(
    bands.map(({ from, count, right }) => [from, count, right]),
    [[0.9, 2, 1]],
  );
});

const refused = (path: string | undefined, message: RegExp): Promise<void> =>
  scansIn(path).then(
    () => assert.unreachable('they were taken'),
    (error: Error) => assert.match(error.message, message),
  );

test('scans come by name, each with its truth; a folder without any is refused', async () => {
  await refused(folder, /holds no/);
  await refused(undefined, /which folder/);
  for (const name of ['b.jpg', 'a.PNG']) writeFileSync(join(folder, name), '');
  for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.json`), '{ "total": 1.5, "tax": null }');
  const scans = await scansIn(folder);
  assert.equal(
    scans.map(({ name, mimeType, truth }) => [name, mimeType, truth]),
    [
      ['a', 'image/png', { total: '1.5' }],
      ['b', 'image/jpeg', { total: '1.5' }],
    ],
  );
});

test('what is wrong with a folder is told with the names of the files, all of it', async () => {
  await refused(join(folder, 'nowhere'), /nowhere can't be read/);
  for (const [name, truth] of [
    ['c', '{'],
    ['d', '[]'],
  ] as const) {
    writeFileSync(join(folder, `${name}.tif`), '');
    writeFileSync(join(folder, `${name}.json`), truth);
  }
  await refused(folder, /c\.json can't be read as JSON.*\n.*d\.json is no object/);
});
