import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { makeDataDir } from '../../../stores/dataFolder/folder.ts';
import {
  embeddedCredentials,
  embeddedEvidenceKey,
  embeddedMasterKeys,
} from '../../../stores/dataFolder/keys.ts';
import { claimDataDir } from '../../../stores/dataFolder/lock.ts';
import { keyringOf } from '../../controls/keyring.ts';
import { rounds, suite } from '../../harness.ts';

const test = suite('embedded data folder [operations-8]');
const script = fileURLToPath(new URL('./dataFolder.process.js', import.meta.url));

const inFolder = (body: (folder: string) => void | Promise<void>) => async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-embedded-'));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const children = async (count: number, role: string, folder: string): Promise<readonly ChildProcess[]> => {
  const all = Array.from({ length: count }, () => fork(script, [role, folder]));
  await Promise.all(all.map((child) => once(child, 'message')));
  return all;
};
/** Tells all of them to begin, and gives what they answer. */
const begin = async (all: readonly ChildProcess[]): Promise<readonly string[]> => {
  const answers = all.map(async (child) => String((await once(child, 'message'))[0]));
  for (const child of all) child.send('go');
  return Promise.all(answers);
};
const end = async (all: readonly ChildProcess[]): Promise<void> => {
  await Promise.all(
    all.map((child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      return ended;
    }),
  );
};

test(
  'a master key is made once, for its owner alone [settings-6]',
  inFolder((folder) => {
    const [key] = embeddedMasterKeys(folder);
    assert.is(key?.length, 32);
    assert.equal(embeddedMasterKeys(folder), [key]);
    assert.is(statSync(join(folder, 'master.key')).mode & 0o777, 0o600);
    assert.equal(readdirSync(folder), ['master.key'], 'no draft is left');
    assert.not.equal(embeddedEvidenceKey(folder), key, 'evidence is signed with another one');
    assert.equal(embeddedEvidenceKey(folder), embeddedEvidenceKey(folder));
  }),
);

test(
  'processes that start at once have the same key',
  async () => {
    for (let round = 0; round < rounds(2, 30); round += 1) {
      await inFolder(async (folder) => {
        const all = await children(3, 'key', folder);
        const keys = await begin(all);
        await end(all);
        assert.is(new Set(keys).size, 1);
        assert.equal(readdirSync(folder), ['master.key']);
      })();
    }
  },
  { timeoutMs: 120_000 },
);

test(
  'the draft of a process that died while it made the key is ignored',
  inFolder((folder) => {
    writeFileSync(join(folder, `master.key.${process.pid}`), 'half');
    assert.is(embeddedMasterKeys(folder)[0]?.length, 32);
  }),
);

test(
  'a key file that is damaged is refused, never replaced',
  inFolder((folder) => {
    writeFileSync(join(folder, 'master.key'), 'half a key');
    assert.throws(() => embeddedMasterKeys(folder), /32 bytes/);
    writeFileSync(join(folder, 'master.key'), '');
    assert.throws(() => embeddedMasterKeys(folder), /32 bytes/);
  }),
);

test(
  'one process serves a folder: a second one is refused by name, and takes over when the first has died',
  inFolder(async (folder) => {
    const all = await children(2, 'claim', folder);
    const [first, second] = all;
    if (!first || !second) throw new Error('no children');
    assert.equal(await begin([first]), ['claimed']);
    const [refusal = ''] = await begin([second]);
    assert.match(refusal, `process ${first.pid} already`);
    await end([first]);
    assert.equal(await begin([second]), ['claimed']);
    await end([second]);
  }),
);

test(
  'a claim that was given back is free',
  inFolder((folder) => {
    const release = claimDataDir(folder);
    assert.throws(() => claimDataDir(folder), new RegExp(`process ${process.pid} already`));
    release();
    assert.not.ok(existsSync(join(folder, 'serve.pid')));
    claimDataDir(folder)();
  }),
);

test(
  'a folder is made for its owner alone; one that can’t be made is an error that says so',
  inFolder((folder) => {
    const made = join(folder, 'a', 'b');
    makeDataDir(made);
    makeDataDir(made);
    assert.is(statSync(made).mode & 0o777, 0o700);
    writeFileSync(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(folder, 'file', 'c')])
      assert.throws(
        () => makeDataDir(path),
        `DATA_DIR ${path} is a file, or lies below one: set DATA_DIR to`,
      );
  }),
);

/** What a user without rights is told of a folder. */
const toldToOthers = (folder: string): string => {
  const module = new URL('../../../stores/dataFolder/folder.js', import.meta.url).href;
  const script = `import(${JSON.stringify(module)}).then(({ makeDataDir }) => {
    if (process.getuid() === 0) process.setuid(65534);
    try { makeDataDir(${JSON.stringify(folder)}); } catch (error) { console.log(error.name + ': ' + error.message); }
  })`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout;
};

test(
  'a folder that can’t be written names its user and what to do',
  inFolder((folder) => {
    chmodSync(folder, 0o500);
    const id = process.getuid?.() || 65534;
    const told = toldToOthers(folder);
    assert.match(told, `StoreUnavailable: DATA_DIR ${folder} can’t be written by the user with the id ${id}`);
    assert.match(told, `chown -R ${id} '${folder}'`);
    assert.match(toldToOthers(join(folder, 'below')), `DATA_DIR ${folder}/below can’t be written by`);
  }),
);

const readOnly = (existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8') : '')
  .split('\n')
  .map((line) => line.split(' '))
  .find(
    ([, path, , options]) =>
      options?.startsWith('ro') && path && statSync(path, { throwIfNoEntry: false })?.isDirectory(),
  )?.[1];
if (readOnly)
  test('a folder on a file system that is mounted read-only is an error that says so', () => {
    assert.throws(
      () => makeDataDir(readOnly),
      `DATA_DIR ${readOnly} is on a file system that is mounted read-only: mount it for writing`,
    );
  });
else test.skip('a folder on a file system that is mounted read-only', 'this machine has none');

test('the object store’s credentials follow from the naming key', () => {
  const one = embeddedCredentials(keyringOf(Buffer.alloc(32, 1)).derive);
  assert.is(one.secretAccessKey, embeddedCredentials(keyringOf(Buffer.alloc(32, 1)).derive).secretAccessKey);
  assert.is.not(
    one.secretAccessKey,
    embeddedCredentials(keyringOf(Buffer.alloc(32, 2)).derive).secretAccessKey,
  );
});
