import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { makeWorkFolder } from '../../processing/engine/workFolder.ts';
import { suite } from '../harness.ts';

const MODULE = new URL('../../processing/engine/workFolder.js', import.meta.url).href;

const test = suite('processing/engine/workFolder');

const inFolder = (body: (folder: string) => void) => () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-folder-'));
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    body(folder);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    rmSync(folder, { recursive: true });
  }
};

test(
  'in DATA_DIR it is emptied: files of a process that died are removed',
  inFolder((folder) => {
    mkdirSync(join(folder, 'work', 'attempt-dead'), { recursive: true });
    const { path, remove } = makeWorkFolder(folder);
    assert.equal([path, readdirSync(path), statSync(path).mode & 0o777], [join(folder, 'work'), [], 0o700]);
    remove();
    assert.not.ok(existsSync(path));
  }),
);

test(
  'without a DATA_DIR it is a temporary folder beside others, of which only old files are removed',
  inFolder((folder) => {
    const first = makeWorkFolder(null);
    assert.match(basename(first.path), /^intake-work-/);
    assert.equal([dirname(first.path), statSync(first.path).mode & 0o777], [folder, 0o700]);
    const [young, old] = [join(first.path, 'attempt-young'), join(first.path, 'attempt-old')];
    for (const attempt of [young, old]) mkdirSync(join(attempt, 'files'), { recursive: true });
    const long = (Date.now() - 7_200_000) / 1_000;
    utimesSync(old, long, long);
    const second = makeWorkFolder(null);
    assert.is.not(second.path, first.path);
    assert.equal(readdirSync(first.path), ['attempt-young']);
    first.remove();
    assert.equal(readdirSync(folder), [basename(second.path)]);
    second.remove();
  }),
);

test(
  'of a process of this machine that was killed all is removed, also what is young',
  inFolder((folder) => {
    const script = `const { makeWorkFolder } = await import(${JSON.stringify(MODULE)});
      const { mkdirSync } = await import('node:fs');
      mkdirSync(makeWorkFolder(null).path + '/attempt-young');
      process.kill(process.pid, 'SIGKILL');`;
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    assert.equal([signal, readdirSync(folder).length], ['SIGKILL', 1]);
    const { path, remove } = makeWorkFolder(null);
    assert.equal(readdirSync(folder), [basename(path)]);
    remove();
  }),
);

test(
  'an unusable TMPDIR stops the start, and is named',
  inFolder((folder) => {
    process.env.TMPDIR = join(folder, 'none');
    assert.throws(() => makeWorkFolder(null), /TMPDIR\) can't be used: ENOENT/);
  }),
);
