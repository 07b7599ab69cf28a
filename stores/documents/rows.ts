import type { Tables } from './port.ts';

const PAGE = 500;

/** The rows of a table whose keys start with `prefix`, by key, read in pages. */
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

/** Rows of a page, by key; `next` is the key after which the next page starts, null at the end. */
export type RowPage<R> = Readonly<{ items: readonly R[]; next: string | null }>;

/** A page of the rows of a table whose keys start with `prefix`; null for the first page. */
export const rowPage = async <R>(
  tables: Tables,
  table: string,
  prefix: string,
  limit: number,
  after: string | null,
): Promise<RowPage<R>> => {
  const rows = await tables.list<R>(table, { after: after ?? prefix, limit: limit + 1 });
  const own = rows.filter(({ key }) => key.startsWith(prefix));
  const items = own.slice(0, limit);
  return { items: items.map(({ row }) => row), next: own[limit] ? (items.at(-1)?.key ?? null) : null };
};

/**
 * Changes a row, however many others do: `next` gives it anew from what is there (null: no row), or null to
 * leave it. Gives the row as it is then.
 */
export const changeRow = async <R extends object>(
  tables: Tables,
  table: string,
  key: string,
  next: (row: R | null) => R | null,
): Promise<R | null> => {
  for (;;) {
    const found = await tables.read<R>(table, key);
    const row = next(found?.row ?? null);
    if (row === null) return found?.row ?? null;
    const isStored = found
      ? await tables.replace(table, key, found.version, row)
      : await tables.insert(table, key, row);
    if (isStored) return row;
  }
};

/** Removes a row, if it is there. */
export const removeRow = async (tables: Tables, table: string, key: string): Promise<void> => {
  for (let found = await tables.read(table, key); found; found = await tables.read(table, key))
    if (await tables.remove(table, key, found.version)) return;
};

/**
 * Removes what has expired among the next `limit` rows of a table, after those of the call before; false at
 * the table's end, from which the next call starts anew.
 */
export const createPurge = <R>(tables: Tables, table: string, limit: number) => {
  let after = '';
  return async (isExpired: (row: R) => boolean): Promise<boolean> => {
    const rows = await tables.list<R>(table, { after, limit });
    const expired = rows.filter(({ row }) => isExpired(row));
    await Promise.all(expired.map(({ key, version }) => tables.remove(table, key, version)));
    after = rows.length < limit ? '' : (rows.at(-1)?.key ?? '');
    return after !== '';
  };
};
