import type { Database } from './database.ts';

/**
 * So many pages are looked at in one statement, and so many changed in one transaction: others write between.
 */
const PAGES_AT_ONCE = 512;
const CHANGES_AT_ONCE = 16;
/**
 * Pages of other kinds begin with a page number, whose first byte is less than the kind of a b-tree page up
 * to here.
 */
const MAX_PAGES = 2 ** 25 - 1;

/**
 * Clears what the pages of a file hold between their list of cells and their cells. `secure_delete` clears
 * what is deleted, but where cells move to another page, their copies stay in that gap, and no later delete
 * finds them (https://www.sqlite.org/fileformat.html, b-tree pages).
 */
export const scrub = (database: Database): void => {
  const pages = database.prepare<[number]>('PRAGMA page_count').all()[0]?.[0] ?? 0;
  if (pages > MAX_PAGES) throw new Error(`${pages} pages are too many to tell their kinds apart`);
  const dirtyIn = database.prepare<[page: number]>(DIRTY);
  const read = database.prepare<[data: Uint8Array]>('SELECT data FROM sqlite_dbpage WHERE pgno = ?');
  const write = database.prepare('UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?');
  /** Reads the page anew: it may have changed. */
  const clear = (page: number): void => {
    const data = read.all(page)[0]?.[0];
    const gap = data && gapOf(data, page);
    if (gap) write.run(data.fill(0, gap.start, gap.end), page);
  };
  for (let first = 1; first <= pages; first += PAGES_AT_ONCE) {
    const dirty = dirtyIn.all(first, Math.min(pages, first + PAGES_AT_ONCE - 1)).map(([page]) => page);
    for (let from = 0; from < dirty.length; from += CHANGES_AT_ONCE)
      database.transaction(() => dirty.slice(from, from + CHANGES_AT_ONCE).forEach(clear));
  }
};

/** The gap of a b-tree page, null for another page. */
const gapOf = (data: Uint8Array, page: number): Readonly<{ start: number; end: number }> | null => {
  const at = page === 1 ? 100 : 0;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const kind = view.getUint8(at);
  if (![2, 5, 10, 13].includes(kind)) return null;
  const start = at + (kind < 10 ? 12 : 8) + 2 * view.getUint16(at + 3);
  return { start, end: view.getUint16(at + 5) || 65_536 };
};

const BYTES = `x'${Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)).toString('hex')}'`;
const byteAt = (offset: string): string => `(instr(${BYTES}, substr(head, ${offset}, 1)) - 1)`;
const numberAt = (offset: number): string => `(256 * ${byteAt(`${offset}`)} + ${byteAt(`${offset + 1}`)})`;

/** As `gapOf`, without a copy of each page. */
const DIRTY = `
  WITH page AS MATERIALIZED (
    SELECT pgno, data, iif(pgno = 1, 100, 0) AS at FROM generate_series(?1, ?2) AS n JOIN sqlite_dbpage ON pgno = n.value
  ), headed AS (SELECT pgno, data, at, substr(data, at + 1, 8) AS head FROM page),
  tree AS (
    SELECT pgno, data, at + iif(${byteAt('1')} < 10, 12, 8) + 2 * ${numberAt(4)} AS start,
      coalesce(nullif(${numberAt(6)}, 0), 65536) AS end
    FROM headed WHERE ${byteAt('1')} IN (2, 5, 10, 13)
  )
  SELECT pgno FROM tree WHERE substr(data, start + 1, end - start) <> zeroblob(end - start)`;
