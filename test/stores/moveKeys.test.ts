import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../kernel/clock.ts';
import { StoreMisconfigured } from '../../kernel/errors.ts';
import { hasUnmovedKeys, moveKeys } from '../../stores/documents/sqlite/moveKeys.ts';
import { ROWS } from '../../stores/documents/sqlite/tables.ts';
import { sqliteDocumentStore } from '../../stores/documents/sqlite.ts';
import { openDatabase } from '../../stores/sqlite/database.ts';
import { suite } from '../harness.ts';

const test = suite('sealing keys of an older release [sealing-1]');

const withFolder = async (body: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-keys-'));
  await body(folder).finally(() => rmSync(folder, { recursive: true }));
};

const open = (folder: string) => sqliteDocumentStore({ folder, clock: systemClock });

/** Rows as an older release left them in a file. */
const leave = (
  folder: string,
  file: 'keys.db' | 'tables.db',
  ...rows: readonly (readonly [kind: string, key: string, text: string])[]
) => {
  const tables = openDatabase(join(folder, file), { synchronous: 'FULL', schema: ROWS });
  const insert = tables.prepare('INSERT INTO rows VALUES (?, ?, 3, ?)');
  for (const [kind, key, text] of rows) insert.run(kind, key, JSON.stringify({ text }));
  tables.close();
};

const keysOf = async (folder: string): Promise<readonly unknown[]> => {
  const store = open(folder);
  const rows = await store.tables.list<{ text: string }>('subjectKeys');
  await store.close();
  return rows.map(({ key, row, version }) => [key, row.text, version]);
};

const bytesOf = (folder: string, name: string): string =>
  readdirSync(folder)
    .filter((file) => file.startsWith(name))
    .map((file) => readFileSync(join(folder, file), 'latin1'))
    .join();

test('are read from the table of an older release, and stored beside the others', () =>
  withFolder(async (folder) => {
    leave(folder, 'keys.db', ['masterKey', 'fingerprint', 'f'], ['subjectKeys', 'sub_1', 'wrapped']);
    const store = open(folder);
    assert.ok(await store.tables.insert('subjectKeys', 'sub_0', { text: 'new' }));
    assert.not.ok(await store.tables.insert('subjectKeys', 'sub_1', { text: 'another' }));
    await store.close();
    assert.equal(await keysOf(folder), [
      ['sub_0', 'new', 1],
      ['sub_1', 'wrapped', 3],
    ]);
  }));

test('are moved into keys.db, and no byte of them stays in tables.db', () =>
  withFolder(async (folder) => {
    const many = Array.from({ length: 300 }, (_, n) => ['subjectKeys', `sub_${n}`, `wrapped ${n}`] as const);
    leave(folder, 'tables.db', ['credentials', 'c', 'stays'], ['masterKey', 'fingerprint', 'f'], ...many);
    assert.ok(hasUnmovedKeys(folder));
    assert.throws(
      () => open(folder),
      (error: Error) => error instanceof StoreMisconfigured,
    );
    moveKeys(folder);
    assert.not.ok(hasUnmovedKeys(folder));
    const keys = await keysOf(folder);
    assert.equal(keys.slice(0, 2), [
      ['sub_0', 'wrapped 0', 3],
      ['sub_1', 'wrapped 1', 3],
    ]);
    assert.is(keys.length, 300);
    assert.not.match(bytesOf(folder, 'tables.db'), 'wrapped');
    assert.match(bytesOf(folder, 'tables.db'), 'stays');
  }));

test('a move that was cut short is continued; what keys.db has already stays', () =>
  withFolder(async (folder) => {
    const store = open(folder);
    await store.tables.insert('subjectKeys', 'sub_1', { text: 'destroyed since' });
    await store.close();
    leave(
      folder,
      'tables.db',
      ['subjectKeys', 'sub_1', 'came back'],
      ['subjectKeys', 'sub_2', 'not yet moved'],
    );
    moveKeys(folder);
    moveKeys(folder);
    assert.equal(await keysOf(folder), [
      ['sub_1', 'destroyed since', 1],
      ['sub_2', 'not yet moved', 3],
    ]);
  }));
