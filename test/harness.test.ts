import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from './harness.ts';

const test = suite('the test harness');
const harness = new URL('./harness.js', import.meta.url).href;

const exitOf = (body: string): number | null => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-harness-'));
  const file = join(folder, 'case.mjs');
  writeFileSync(
    file,
    `import { suite } from ${JSON.stringify(harness)};\nconst test = suite('case');\n${body}`,
  );
  const { status } = spawnSync(process.execPath, [file], { stdio: 'ignore' });
  rmSync(folder, { recursive: true });
  return status;
};

test('passes what passes', () => assert.is(exitOf("test('a', () => {});"), 0));
test('fails a throwing test', () => assert.is(exitOf("test('a', () => { throw new Error('no'); });"), 1));
test('fails every test after a throwing before', () =>
  assert.is(exitOf("test.before(() => { throw new Error('no'); });\ntest('a', () => {});"), 1));
test('fails on a throwing after', () =>
  assert.is(exitOf("test.after(() => { throw new Error('no'); });\ntest('a', () => {});"), 1));
test('fails a test that hangs', () =>
  assert.is(exitOf("test('a', () => new Promise(() => setInterval(() => {}, 50)), { timeoutMs: 100 });"), 1));
test('counts in the runner', () => {
  const runner = new URL('./run.js', import.meta.url).pathname;
  const { stdout, status } = spawnSync(process.execPath, [runner, 'no-such-test-file'], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.match(stdout, /\n?0 passed, 1 failed\n$/);
});
