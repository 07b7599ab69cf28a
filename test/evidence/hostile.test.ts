import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { openPackage } from '../../evidence/package/open.ts';
import { verifyPackage } from '../../evidence/verify.ts';
import { failure } from '../controls/stores.ts';
import { suite } from '../harness.ts';
import type { Files } from './changes.ts';
import { exportStage, key } from './stage.ts';

const test = suite('evidence: folders of strangers [audit-3]');
const folder = mkdtempSync(join(tmpdir(), 'intake-hostile-'));
let whole: Files;
test.before(async () => {
  const stage = await exportStage();
  await stage.exportTo('package');
  whole = stage.filesOf('package');
  await stage.remove();
});
test.after(() => rmSync(folder, { recursive: true }));

const findingsAt = async (path: string): Promise<readonly string[]> => {
  const source = await openPackage(path);
  try {
    const { findings } = await verifyPackage(source, key.publicKey);
    return findings.map(({ file, detail }) => `${file}: ${detail}`);
  } finally {
    await source.close();
  }
};

const asFolder = (name: string): string => {
  const path = join(folder, name);
  for (const [file, bytes] of whole) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), bytes);
  }
  return path;
};

test('what is not there is no package', async () =>
  assert.is((await failure(openPackage(join(folder, 'nothing')))).name, 'NoPackage'));

test('links are refused and never followed, nor are folders, pipes and hidden files overlooked', async () => {
  const path = asFolder('links');
  symlinkSync('/etc/passwd', join(path, 'files/secret.txt'));
  symlinkSync('/etc', join(path, 'etc'));
  mkdirSync(join(path, 'more/deeper'), { recursive: true });
  mkdirSync(join(path, 'files/more'));
  writeFileSync(join(path, '.hidden'), '');
  assert.is(spawnSync('mkfifo', [join(path, 'pipe')]).status, 0);
  const findings = [...(await findingsAt(path))].sort();
  assert.equal(findings, [
    '.hidden: was added: the manifest does not name it',
    'etc: is a link: a package has files only',
    'files/more: is a folder: a package has files only',
    'files/secret.txt: is a link: a package has files only',
    'more: is a folder: a package has files only',
    'pipe: is no file: a package has files only',
  ]);
  // The very bytes that were exported, but by a link to elsewhere.
  const linked = asFolder('linked');
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, whole.get('state.json') ?? '');
  rmSync(join(linked, 'state.json'));
  symlinkSync(elsewhere, join(linked, 'state.json'));
  assert.equal(await findingsAt(linked), [
    'state.json: is missing',
    'state.json: is a link: a package has files only',
  ]);
});
