import type { Tables } from '../../stores/documents/port.ts';

const PAGE = 500;

/** The rows of a table whose keys begin with `prefix`, by key, read in pages. */
export async function* tableRows<R>(tables: Tables, table: string, prefix = ''): AsyncGenerator<R> {
  let after = prefix;
  for (;;) {
    const rows = await tables.list<R>(table, { after, limit: PAGE });
    for (const { key, row } of rows) {
      if (!key.startsWith(prefix)) return;
      yield row;
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.key;
  }
}

/** Removes a row, if it is there. */
export const removeRow = async (tables: Tables, table: string, key: string): Promise<void> => {
  const found = await tables.read(table, key);
  if (found) await tables.remove(table, key, found.version);
};
