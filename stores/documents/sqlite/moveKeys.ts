import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StoreMisconfigured } from '../../../kernel/errors.ts';
import { DataDirDamaged } from '../../dataFolder/folder.ts';
import { type Database, openDatabase } from '../../sqlite/database.ts';
import { openDocumentFile } from './documentFile.ts';
import { ROWS, SMALL_ROWS } from './tables.ts';

/** What a release before keys.db kept in tables.db. Each start stored a row of `masterKey` first. */
const MOVED = `kind IN ('subjectKeys', 'masterKey')`;
const PAGE = 10_000;

/** Whether an older release left the sealing keys of the folder in tables.db. Only reads it. */
export const hasUnmovedKeys = (folder: string): boolean =>
  isFilled(join(folder, 'tables.db')) && inTables(folder, (tables) => count(tables, `WHERE ${MOVED}`) > 0);

/**
 * Moves sealing keys out of tables.db, where an older release left them, into keys.db. No process of that
 * release may use the folder: it would make a second key where it finds none. Stopped at any point it is
 * continued by the next call; what keys.db has already stays.
 */
export const moveKeys = (folder: string): void => {
  if (!hasUnmovedKeys(folder)) return;
  const keys = openDocumentFile(join(folder, 'keys.db'), { synchronous: 'FULL' }, [SMALL_ROWS]);
  inTables(folder, (tables) => {
    while (movePage(tables, keys, 'subjectKeys'));
    // No copy stays behind: neither within pages and free ones nor in the write-ahead log.
    tables.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    movePage(tables, keys, 'masterKey'); // the last: until then the move is not done
  });
  keys.close();
};

/** Refuses tables that still hold sealing keys: they would not be found. Throws `StoreMisconfigured`. */
export const refuseUnmoved = (tables: Database): void => {
  if (count(tables, `WHERE ${MOVED}`) === 0) return;
  throw new StoreMisconfigured(
    'tables.db holds sealing keys, as releases before keys.db left them: start the service once, which moves them.',
  );
};

/**
 * Refuses a folder whose keys.db was lost: with a new one nobody could tell lost keys from destroyed ones.
 * Throws `DataDirDamaged`.
 */
export const refuseWithoutKeys = (folder: string): void => {
  // In this order: another process that makes the folder makes keys.db first.
  if (!isFilled(join(folder, 'tables.db')) || isFilled(join(folder, 'keys.db'))) return;
  if (hasUnmovedKeys(folder)) return;
  throw new DataDirDamaged(
    `${join(resolve(folder), 'keys.db')} is missing or empty, but ${join(resolve(folder), 'tables.db')} is there: without it no private data can be read. Restore it from a backup.`,
  );
};

/** Moves some rows, durable in keys.db before they leave tables.db; false when there are none. */
const movePage = (tables: Database, keys: Database, kind: string): boolean => {
  const rows = tables.texts<[key: string, version: string, body: string]>(
    `SELECT key, version, body FROM rows WHERE kind = ? LIMIT ${PAGE}`,
  )(kind);
  const insert = keys.prepare('INSERT INTO rows VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING');
  keys.transaction(() => {
    for (const [key, version, body] of rows) insert.run(kind, key, Number(version), body);
  });
  const remove = tables.prepare('DELETE FROM rows WHERE kind = ? AND key = ?');
  tables.transaction(() => {
    for (const [key] of rows) remove.run(kind, key);
  });
  return rows.length > 0;
};

const inTables = <T>(folder: string, read: (tables: Database) => T): T => {
  const tables = openDatabase(join(folder, 'tables.db'), { synchronous: 'FULL', schema: ROWS });
  try {
    return read(tables);
  } finally {
    tables.close();
  }
};

/** Up to one: which is all that is asked. */
const count = (tables: Database, where: string): number =>
  tables.prepare<[number]>(`SELECT count(*) FROM (SELECT 1 FROM rows ${where} LIMIT 1)`).get()?.[0] ?? 0;

const isFilled = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
