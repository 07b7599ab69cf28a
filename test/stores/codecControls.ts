import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tables } from '../../stores/documents/port.ts';
import type { OpenEvent } from '../../stores/events/codec.ts';
import { sqliteEventStore } from '../../stores/events/sqlite.ts';

export const MASTER_KEY = Buffer.alloc(32, 7);

/** Tables in memory that answer in a later turn of the event loop and count what they are asked. */
export const countedTables = () => {
  const rows = new Map<string, Readonly<{ row: object; version: number }>>();
  const count = { reads: 0, atOnce: 0, most: 0 };
  const later = async <T>(body: () => T): Promise<T> => {
    count.atOnce += 1;
    count.most = Math.max(count.most, count.atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    count.atOnce -= 1;
    return body();
  };
  const put = (key: string, version: number, row: object, when: boolean): boolean => {
    if (when) rows.set(key, { row: JSON.parse(JSON.stringify(row)) as object, version });
    return when;
  };
  const held = (key: string, version: number): boolean => rows.get(key)?.version === version;
  const tables: Tables = {
    read: <R>(table: string, key: string) => {
      count.reads += 1;
      return later(
        () => (rows.get(`${table}/${key}`) ?? null) as Readonly<{ row: R; version: number }> | null,
      );
    },
    readMany: <R>(table: string, keys: readonly string[]) => {
      count.reads += 1;
      return later(
        () =>
          new Map(
            keys.flatMap((key) => {
              const found = rows.get(`${table}/${key}`);
              return found ? [[key, found as Readonly<{ row: R; version: number }>] as const] : [];
            }),
          ),
      );
    },
    insert: (table, key, row) => later(() => put(`${table}/${key}`, 1, row, !rows.has(`${table}/${key}`))),
    replace: (table, key, version, row) =>
      later(() => put(`${table}/${key}`, version + 1, row, held(`${table}/${key}`, version))),
    remove: (table, key, version) =>
      later(() => held(`${table}/${key}`, version) && rows.delete(`${table}/${key}`)),
    list: async () => [],
    otherCommits: () => null,
  };
  return { tables, rows, count };
};

/** An embedded log in a temporary folder. */
export const temporaryStore = () => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-codec-'));
  const path = join(folder, 'events.db');
  const store = sqliteEventStore({ path });
  const remove = async (): Promise<void> => {
    await store.close();
    rmSync(folder, { recursive: true });
  };
  return { store, path, remove };
};

/** An event about to be appended. */
export const newEvent = (data: Readonly<Record<string, unknown>>, id = randomUUID()): OpenEvent => ({
  id,
  type: 'SomethingHappened',
  data,
  metadata: {
    schema: 1,
    at: '2026-11-21T10:00:00.000Z',
    $correlationId: 'c',
    $causationId: 'c',
    actor: { kind: 'key', id: 'key_1' },
  },
});
