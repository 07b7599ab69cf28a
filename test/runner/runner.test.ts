import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { eventually, suite } from '../harness.ts';
import type { Summary } from './summary.ts';

const test = suite('the runner of the tests');
const harness = new URL('../harness.js', import.meta.url).href;
const runner = new URL('../run.js', import.meta.url).pathname;

type Ran = Readonly<{ status: number | null; stdout: string; summary: Summary; left: readonly string[] }>;

/**
 * Runs test files with these bodies as `npm test` runs its own; `left` are the folders that the run leaves.
 */
const ran = (files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): Ran => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-runner-'));
  const temporary = mkdtempSync(join(tmpdir(), 'intake-runner-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    for (const [name, body] of Object.entries(files))
      writeFileSync(
        join(folder, `${name}.test.js`),
        `import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
        import { spawn } from 'node:child_process';
        import { tmpdir } from 'node:os';
        import { suite } from ${JSON.stringify(harness)};
        const test = suite(${JSON.stringify(name)});
        ${body}`,
      );
    const { stdout, status } = spawnSync(process.execPath, [runner, '--in', folder], {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: temporary, MARK: join(folder, 'mark'), ...env },
    });
    const summary = JSON.parse(readFileSync(join(folder, 'test-run.json'), 'utf8')) as Summary;
    return { status, stdout, summary, left: readdirSync(temporary) };
  } finally {
    for (const path of [folder, temporary]) rmSync(path, { recursive: true });
  }
};

const THROWS = "() => { throw new Error('no'); }";
const PASSES = "test('a', () => {});";

test('what passes passes, and nothing is left behind', () => {
  const { status, stdout, summary, left } = ran({ one: PASSES, two: PASSES });
  assert.is(status, 0);
  assert.equal([summary.passed, summary.failed, summary.skipped], [2, 0, 0]);
  assert.equal(summary.unsteady, []);
  assert.not.match(stdout, /^left:/m);
  assert.equal(left, []);
});

test('a test that fails is tried once more, and fails the run', () => {
  const { status, stdout, summary } = ran({ one: `test('a', ${THROWS});`, two: PASSES });
  assert.is(status, 1);
  assert.is(summary.failed, 1);
  assert.is(stdout.match(/^FAIL one\.test|^FAIL .*one\.test\.js 0 passed/gm)?.length, 2);
  assert.match(stdout, /one › a\n/);
});

test('beside one that fails both times it is named too, and what passed is counted once', () => {
  const { status, summary } = ran({
    one: `${PASSES} test('b', ${THROWS}); test('c', () => { if (existsSync(process.env.MARK)) return; writeFileSync(process.env.MARK, ''); throw new Error('no'); });`,
  });
  assert.is(status, 1);
  assert.equal([summary.passed, summary.failed], [2, 1]);
  assert.equal(
    summary.unsteady.map((name) => name.replace(/.* › /, '')),
    ['c'],
  );
});

test('a test that fails the first time only is named unsteady', () => {
  const { status, stdout, summary } = ran({
    one: "test('a', () => { if (existsSync(process.env.MARK)) return; writeFileSync(process.env.MARK, ''); throw new Error('no'); });",
  });
  assert.is(status, 0);
  assert.is(summary.failed, 0);
  assert.match(stdout, /^unsteady: .*one\.test\.js › one › a$/m);
  assert.is(summary.unsteady.length, 1);
});

for (const [what, body] of Object.entries({
  'a throwing before fails its tests': `test.before(${THROWS}); ${PASSES}`,
  'a throwing after fails': `test.after(${THROWS}); ${PASSES}`,
  'a file that throws fails': "throw new Error('no');",
  'a file whose process ends fails': "test('a', () => process.exit(0));",
  'a file without a test fails': '',
}))
  test(what, () => {
    const { status, summary } = ran({ one: body, two: PASSES });
    assert.is(status, 1);
    assert.is(summary.failed, 1);
  });

test('a test that hangs fails', () => {
  const hangs = "test('a', () => new Promise(() => setInterval(() => {}, 50)));";
  const { status, stdout } = ran({ one: hangs }, { TEST_PATIENCE: '0.02' });
  assert.is(status, 1);
  assert.match(stdout, /took longer than 3600 ms/);
});

test('what a failed test has started ends with the run', async () => {
  const { status, stdout, left } = ran({
    one: `test('a', () => {
      mkdtempSync(tmpdir() + '/left-');
      console.log('started ' + spawn('sleep', ['300'], { stdio: 'ignore' }).pid);
      throw new Error('no');
    });`,
  });
  assert.is(status, 1);
  assert.equal(left, []);
  const pids = [...stdout.matchAll(/started (\d+)/g)].map(([, pid]) => `/proc/${pid}/exe`);
  assert.is(pids.length, 2);
  if (existsSync('/proc/self/exe'))
    await eventually('all have ended', () => !pids.some((path) => existsSync(path)));
});

test('what a test that passes has left, apart from its group, is named and ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-runner-'));
  const pids = join(folder, 'pid');
  try {
    const { status, stdout } = ran(
      {
        one: PASSES,
        two: `test('a', () => {
          const child = spawn('sleep', ['301'], { stdio: 'ignore', detached: true });
          child.unref();
          writeFileSync(process.env.PIDS, String(child.pid));
        });`,
      },
      { PIDS: pids },
    );
    assert.is(status, 0);
    if (!existsSync('/proc/self/environ')) return assert.not.match(stdout, /^left:/m);
    assert.match(stdout, /^left: \S*two\.test\.js sleep 301$/m);
    const left = `/proc/${readFileSync(pids, 'utf8')}/exe`;
    await eventually('it has ended', () => !existsSync(left));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a part of a path that no file has fails', () => {
  const { stdout, status } = spawnSync(process.execPath, [runner, 'no-such-test-file'], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.match(stdout, /\n0 passed, 1 failed\n$/);
});
