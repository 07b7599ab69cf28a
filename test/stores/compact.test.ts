import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { compacting } from '../../stores/sqlite/compact.ts';
import { type Database, openDatabase } from '../../stores/sqlite/database.ts';
import { suite } from '../harness.ts';

const test = suite('compacting a SQLite file');

const withFile = (body: (database: Database, path: string) => Promise<void>) => async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-compact-'));
  const path = join(folder, 'x.db');
  const database = openDatabase(path, { synchronous: 'NORMAL', schema: SCHEMA });
  try {
    await body(database, path);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
};
const SCHEMA =
  'PRAGMA secure_delete = ON; CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID';

/** Whether any file of the folder holds a text. */
const isStored = (path: string, text: string): boolean =>
  readdirSync(join(path, '..')).some((name) => readFileSync(join(path, '..', name)).includes(text));

const secret = 'the name of the planted person';
const run = (database: Database, sql: string, ...values: string[]): void =>
  database.transaction(() => void database.prepare(sql).run(...values));
const insert = (database: Database, key: string, body: string): void =>
  run(database, 'INSERT OR REPLACE INTO rows VALUES (?, ?)', key, body);
const check = (database: Database): void =>
  assert.equal(database.prepare('PRAGMA integrity_check').all(), [['ok']]);

/** Overwrites rows with bodies of many lengths, and gives those that are there no longer. */
const overwrite = (database: Database): readonly string[] => {
  const bodies = new Map<number, string>();
  let random = 1;
  const below = (end: number): number => {
    random = (random * 48_271) % 2_147_483_647;
    return random % end;
  };
  const written = Array.from({ length: 200 }, (_, step) => {
    const [key, body] = [below(150), `secret ${step};`];
    bodies.set(key, body);
    insert(database, `k${key}`, body.padEnd([20, 100, 400, 900][below(4)] ?? 0, '.'));
    return body;
  });
  const present = new Set(bodies.values());
  return written.filter((body) => !present.has(body));
};

test(
  'words that are no longer in an index of words are cleared, others are found',
  withFile(async (database, path) => {
    database.exec(`CREATE VIRTUAL TABLE found USING fts5(
      words, content='', contentless_delete=1, detail='column', prefix='1 2 3 4 5 6 7 8', tokenize='ascii')`);
    const secretOf = (row: number) => hash('sha256', `${row}`, 'hex').slice(0, 40);
    const put = (row: string, words: string) =>
      run(database, 'INSERT OR REPLACE INTO found (rowid, words) VALUES (?, ?)', row, words);
    for (let row = 1; row <= 300; row += 1) put(`${row}`, `${secretOf(row)} word${row} kept`);
    for (let row = 1; row <= 300; row += 1) if (row % 3 !== 0) put(`${row}`, `word${row} kept`);
    run(database, 'DELETE FROM found WHERE rowid = ?', '300');
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    // What words have in common with the one before is stored once.
    const isLeft = (row: number) => isStored(path, secretOf(row).slice(20));
    const changed = Array.from({ length: 300 }, (_, n) => n + 1).filter(
      (row) => row % 3 !== 0 || row === 300,
    );
    assert.ok(changed.some(isLeft));
    await compacting(path)();
    assert.equal(changed.filter(isLeft), []);
    const count = database.prepare<[number]>('SELECT count(*) FROM found WHERE found MATCH ?');
    assert.equal(
      ['kept', `${secretOf(3)}*`, `${secretOf(1)}*`, 'word7*'].map((text) => count.get(text)?.[0]),
      [299, 1, 0, 11],
    );
    check(database);
  }),
);

test(
  'copies of overwritten rows that SQLite leaves where others moved to another page are cleared',
  withFile(async (database, path) => {
    const overwritten = overwrite(database);
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    const left = () => overwritten.filter((body) => isStored(path, body));
    assert.ok(left().length > 0, 'SQLite has become better: this test proves nothing');
    await compacting(path)();
    assert.equal(left(), []);
    check(database);
  }),
);

test(
  'the write-ahead log is cleared once its last reader is gone; calls meanwhile share the next run',
  withFile(async (database, path) => {
    insert(database, 'k1', secret);
    run(database, 'DELETE FROM rows WHERE key = ?', 'k1');
    const reader = openDatabase(path, { synchronous: 'NORMAL' });
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM rows').all();
    insert(database, 'k2', 'another');
    const compact = compacting(path);
    const first = compact();
    const [second, third] = [compact(), compact()];
    assert.is(second, third);
    reader.exec('ROLLBACK');
    reader.close();
    await Promise.all([first, second]);
    assert.not.ok(isStored(path, secret));
    assert.ok(isStored(path, 'another'));
  }),
);

test(
  'rows are written and read while a file of many pages is compacted',
  withFile(async (database, path) => {
    const many = database.prepare(
      'INSERT INTO rows SELECT value * 7919 % 100003, hex(randomblob(200)) FROM generate_series(1, 5000)',
    );
    database.transaction(() => void many.run());
    const compact = compacting(path);
    let isRunning = true;
    const compacted = compact().finally(() => {
      isRunning = false;
    });
    let written = 0;
    for (; isRunning; written += 1) {
      insert(database, `w${written}`, 'written');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await compacted;
    assert.equal(database.texts<[string]>('SELECT count(*) FROM rows')(), [[String(5_000 + written)]]);
    check(database);
  }),
);
