import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { parts } from '../../scripts/testAll/parts.ts';
import { keptResults, partsToRun } from '../../scripts/testAll/results.ts';
import { runPart } from '../../scripts/testAll/runPart.ts';
import { suite } from '../harness.ts';

const test = suite('npm run test:all');
const script = fileURLToPath(new URL('../../scripts/testAll.js', import.meta.url));

const ended = async (body: string) => {
  const printed: string[] = [];
  const { minutes, ...result } = await runPart('some', [process.execPath, '-e', body], (line) =>
    printed.push(line),
  );
  assert.ok(minutes >= 0);
  return { printed, result };
};

test('a part is counted by its last line, with the reasons of what it skipped', async () => {
  const { printed, result } = await ended(
    "console.log('skipped: a: no b'); console.log('skipped: a: no b'); console.error('engines: skipped: no c'); console.log('7 passed, 0 failed, 3 skipped')",
  );
  assert.equal(
    { ...result, skipped: [...result.skipped].sort() },
    { part: 'some', passed: 7, failed: 0, skipped: ['a: no b', 'no c'] },
  );
  assert.is(printed.length, 4);
});

test('a part that ends with a failure has failed, whatever it printed', async () => {
  const { result } = await ended("console.log('7 passed, 0 failed'); process.exitCode = 1");
  assert.equal([result.passed, result.failed], [7, 1]);
  assert.is((await ended("console.log('7 passed, 2 failed'); process.exitCode = 1")).result.failed, 2);
});

test('a part that counts nothing is one test', async () => {
  assert.is((await ended('')).result.passed, 1);
  const { result } = await ended("console.log('skipped: no Python')");
  assert.equal([result.passed, result.failed], [0, 0]);
});

test('a part that can not be started has failed', async () => {
  assert.is((await runPart('some', ['no-such-command-here'], () => undefined)).failed, 1);
});

test('an unknown part is refused, and the parts are named', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, 'everything'], { encoding: 'utf8' });
  assert.is(status, 2);
  for (const name of Object.keys(parts)) assert.ok(stderr.includes(name));
});

test('results of another commit, or of changed files, count for nothing', () => {
  const result = (part: string, failed: number) => ({ part, passed: 1, failed, skipped: [], minutes: 1 });
  const found = { commit: 'a', clean: true, parts: [result('long', 0), result('fuzz', 2)] };
  const toRun = (commit: string, clean: boolean, onlyFailed: boolean, named: readonly string[] = []) =>
    partsToRun(['long', 'fuzz', 'chaos'], keptResults(found, { commit, clean }), { named, onlyFailed });
  assert.equal(toRun('a', true, true), ['fuzz', 'chaos']);
  assert.equal(toRun('a', true, true, ['long']), []);
  assert.equal(toRun('a', true, false, ['long']), ['long']);
  assert.equal(toRun('b', true, true), ['long', 'fuzz', 'chaos']);
  assert.equal(toRun('a', false, true), ['long', 'fuzz', 'chaos']);
  assert.is(keptResults(null, { commit: 'a', clean: true }).size, 0);
});
