import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { StoreUnavailable } from '../../kernel/errors.ts';
import { type Database, openDatabase } from '../../stores/sqlite/database.ts';
import { isBusy } from '../../stores/sqlite/guard.ts';
import { suite } from '../harness.ts';

const test = suite('database [operations-8]');
const folder = mkdtempSync(join(tmpdir(), 'intake-database-'));
const path = join(folder, 'test.db');
const database = openDatabase(path, { synchronous: 'FULL' });
const other = openDatabase(path, { synchronous: 'NORMAL', busyMs: 10 });
database.exec('CREATE TABLE things (number INTEGER PRIMARY KEY, thing BLOB)');
const add = database.prepare('INSERT INTO things VALUES (?, ?)');
const numbers = (from: Database): readonly number[] =>
  from
    .prepare<[number]>('SELECT number FROM things ORDER BY number')
    .all()
    .map(([number]) => number);
const thrown = (body: () => unknown): Error => {
  try {
    body();
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a failure');
};

test.after(() => {
  database.close();
  other.close();
  rmSync(folder, { recursive: true });
});

test('each connection is in WAL mode, with the durability that is set', () => {
  const setting = (of: Database, name: string): unknown => of.prepare<[unknown]>(`PRAGMA ${name}`).get()?.[0];
  assert.equal([setting(database, 'journal_mode'), setting(database, 'synchronous')], ['wal', 2]);
  assert.equal([setting(other, 'journal_mode'), setting(other, 'synchronous')], ['wal', 1]);
});

test('another process that opens and closes the file costs no write of a process with two connections', () => {
  const shared = join(folder, 'shared.db');
  const first = openDatabase(shared, { synchronous: 'FULL', schema: 'CREATE TABLE things (number INTEGER)' });
  const second = openDatabase(shared, { synchronous: 'FULL' });
  const visit = (): string => {
    const script = `const d = new (require('libsql'))(${JSON.stringify(shared)});
      console.log(d.prepare('SELECT count(*) AS found FROM things').get().found); d.close();`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    return `${stdout}${stderr}`.trim();
  };
  first.exec('INSERT INTO things VALUES (1)');
  assert.is(visit(), '1');
  first.exec('INSERT INTO things VALUES (2)');
  assert.is(visit(), '2');
  second.close();
  first.close();
  assert.is(visit(), '2');
});

test('what a column can hold goes in and comes back', () => {
  const values = [null, 'text 😀', 1.5, 9_007_199_254_740_991, Buffer.from([0, 255])];
  const echo = database.prepare<[unknown]>('SELECT ?');
  for (const value of values) assert.equal(echo.get(value)?.[0], value);
  const [blob] = echo.get(new Uint8Array([1, 2])) ?? [];
  assert.equal(blob, Buffer.from([1, 2]));
});

test('a transaction keeps all or nothing, and an error comes through', () => {
  database.transaction(() => add.run(1, null));
  const broken = thrown(() =>
    database.transaction(() => {
      add.run(2, null);
      throw new Error('changed my mind');
    }),
  );
  assert.is(broken.message, 'changed my mind');
  assert.equal(numbers(other), [1]);
  const duplicate = thrown(() =>
    database.transaction(() => {
      add.run(3, null);
      add.run(1, null);
    }),
  );
  assert.is.not(duplicate.name, 'StoreUnavailable');
  assert.equal(numbers(other), [1]);
  assert.is(
    database.transaction(() => 'result'),
    'result',
  );
});

test('another connection’s lock is a passing failure, distinct from the others', () => {
  const error = database.transaction(() => thrown(() => other.transaction(() => undefined)));
  assert.is(error.name, 'StoreUnavailable');
  assert.ok(isBusy(error));
  other.transaction(() => undefined);
  assert.not(isBusy(thrown(() => openDatabase(join(folder, 'none', 'test.db'), { synchronous: 'FULL' }))));
});

test('a full file is StoreUnavailable, leaves nothing half done, and heals', () => {
  const [pages] = database.prepare<[number]>('PRAGMA page_count').get() ?? [0];
  database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const error = thrown(() =>
    database.transaction(() => {
      add.run(10, null);
      add.run(11, Buffer.alloc(100_000));
    }),
  );
  assert.is(error.name, 'StoreUnavailable');
  assert.not(isBusy(error));
  assert.equal(numbers(other), [1]);
  database.exec('PRAGMA max_page_count = 1000000');
  database.transaction(() => add.run(11, Buffer.alloc(100_000)));
  assert.equal(numbers(other), [1, 11]);
});

test('a closed connection and its statements are StoreUnavailable', () => {
  const closing = openDatabase(path, { synchronous: 'FULL' });
  const statement = closing.prepare('SELECT 1');
  closing.close();
  closing.close();
  for (const use of [() => statement.get(), () => statement.all(), () => closing.exec('SELECT 1')])
    assert.is(thrown(use).name, 'StoreUnavailable');
});

test('the file and those beside it are for their owner alone', () => {
  const own = join(folder, 'own.db');
  const opened = openDatabase(own, { synchronous: 'FULL', schema: 'CREATE TABLE t (x)' });
  for (const name of [own, `${own}-wal`, `${own}-shm`]) assert.is(statSync(name).mode & 0o777, 0o600, name);
  opened.close();
});

test('a file that is damaged or no database is StoreDamaged, and says what to do', () => {
  const sound = join(folder, 'sound.db');
  const made = openDatabase(sound, { synchronous: 'FULL', schema: 'CREATE TABLE t (x); CREATE TABLE u (x)' });
  made.close();
  const [foreign, cut, rotten] = ['foreign.db', 'cut.db', 'rotten.db'].map((name) => join(folder, name));
  if (!foreign || !cut || !rotten) throw new Error('no names');
  writeFileSync(foreign, 'no database at all, but longer than its header is. '.repeat(100));
  copyFileSync(sound, cut);
  truncateSync(cut, 5_000);
  const bytes = readFileSync(sound);
  writeFileSync(rotten, bytes.fill(0xff, 4_096));
  const use = (path: string, remedy?: string): Error =>
    thrown(() => {
      const database = openDatabase(path, { synchronous: 'FULL', ...(remedy && { remedy }) });
      try {
        database.prepare('SELECT * FROM t').all();
      } finally {
        database.close();
      }
    });
  for (const path of [foreign, cut, rotten]) {
    const error = use(path);
    assert.is(error.name, 'StoreDamaged', path);
    assert.instance(error, StoreUnavailable);
    assert.ok(error.message.startsWith(`${path} is damaged (`), error.message);
    assert.match(error.message, /restore the data folder from a backup$/);
  }
  assert.match(use(foreign, 'make it anew').message, /: make it anew$/);
});

const small = join(folder, 'small');
mkdirSync(small);
const isMounted =
  process.platform === 'linux' &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]).status === 0;
if (isMounted)
  test('a disk that is full is named, though SQLite says only that something could not be read or written', () => {
    try {
      writeFileSync(join(small, 'filler'), Buffer.alloc(65_536));
      const error = thrown(() => openDatabase(join(small, 'test.db'), { synchronous: 'FULL' }));
      assert.is(error.name, 'StoreUnavailable');
      assert.match(
        error.message,
        new RegExp(`^${small}/test.db: .*: the disk that holds ${small} is full, free space on it$`),
      );
    } finally {
      spawnSync('umount', ['-l', small]);
    }
  });
else test.skip('a disk that is full is named', 'no small file system can be mounted here');
