import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { calibration, comparable, type Judged, judge } from '../../bench/extraction/judge.ts';
import { groupsIn } from '../../bench/extraction/kinds.ts';
import { accuracy, calibrationPlot, type Measured, unreviewed } from '../../bench/extraction/report.ts';
import { scansIn } from '../../bench/extraction/scans.ts';
import type { Answer } from '../../bench/extraction/service.ts';
import { svgOf } from '../../http/engine/plot.ts';
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
    [
      [0.9, 1, 0],
      [0.95, 1, 1],
    ],
  );
});

const answer = (status: string): Answer => ({
  scan: { name: 'a', path: 'a.jpg', mimeType: 'image/jpeg', truth: {}, tables: {} },
  ...{ status, reason: null, pages: 1, seconds: 1, extractedData: {}, fieldConfidences: {} },
  cellConfidences: {},
});
const measured = (status: string, ...ours: readonly Judged[]): Measured => ({
  ...{ answer: answer(status), ours, plain: null },
});
const right = measured('approved', judge(total, 1, '1', 0.95), judge(company, 'ACME', 'ACME', 0.8));
const wrong = measured('approved', judge(total, 2, '1', 0.9), judge(company, null, 'ACME', 0));

test('of each field is told what is exact, missing and wrong, and what of the sure values is right', () => {
  const rows = accuracy(['total', 'company'], [right, wrong])
    .split('\n')
    .map((row) => row.split(/ {2,}/));
  assert.equal(rows[1], [
    'total',
    '50 % (1/2)',
    '0 % (0/2)',
    '50 % (1/2)',
    '100 % (2/2)',
    '50 % (1/2)',
    '0.50',
  ]);
  assert.equal(rows[2]?.slice(1, 5), ['50 % (1/2)', '50 % (1/2)', '0 % (0/2)', '0 % (0/2)']);
  const [head = '', first = ''] = accuracy(['total'], [right], [wrong]).split('\n');
  assert.match(head, /EXACT +EXACT, 2ND/);
  assert.match(first, /100 % \(1\/1\) +0 % \(0\/1\)/);
});

test('wrong required fields are counted of what no person looked at', () => {
  const review = measured('review', judge(total, 3, '1', 0.5));
  assert.match(
    unreviewed(
      [
        { ...total, required: true },
        { ...company, required: false },
      ],
      [right, wrong, review],
    ),
    /^2 of 3 .* 2 required fields 1 are/,
  );
});

test('a plot of the calibration has the counts of its points', () => {
  const svg = svgOf(calibrationPlot({ here: [right, wrong] }));
  assert.match(svg, 'here, right, % by confidence, %: 83: 100 of 1; 93: 0 of 1; 98: 100 of 1');
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
  for (const name of ['a', 'b'])
    writeFileSync(join(folder, `${name}.json`), '{ "total": 1.5, "tax": null, "items": [{}] }');
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

test('a folder of folders that are named as sample workflows is read a kind at a time', async () => {
  const papers = join(folder, 'papers');
  for (const kind of ['invoice', 'form', 'elsewhere']) {
    mkdirSync(join(papers, kind), { recursive: true });
    writeFileSync(join(papers, kind, 'a.pdf'), '');
    writeFileSync(join(papers, kind, 'a.json'), '{ "total": "1" }');
  }
  const groups = await groupsIn(papers, undefined);
  assert.equal(
    groups.map(({ kind, scans }) => [kind, scans.length]),
    [
      ['form', 1],
      ['invoice', 1],
    ],
  );
  assert.match(groups[1]?.definition ?? '', /invoice\.workflow\.json$/);
});
