import type { Position } from '../../kernel/event.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { type RowPage, removeRow, rowPage, tableRows } from '../../stores/documents/rows.ts';
import { type Quarantined, quarantineKey } from './fold.ts';
import { collectionsOf } from './readModels.ts';

/** A quarantined document as it is stored. Its event comes after the position `after`; null: anywhere. */
export type QuarantinedDocument = Quarantined & Readonly<{ after: Position | null }>;

/** The table of quarantined documents. */
export const QUARANTINE = 'quarantine';

/** The quarantined documents of all collections, or of one. */
export const quarantinedIn = (tables: Tables, collection?: string): AsyncGenerator<QuarantinedDocument> =>
  tableRows(tables, QUARANTINE, collection === undefined ? '' : quarantineKey(collection, ''));

/** A page of the quarantined documents of all collections, or of those of one projection; by their names. */
export const quarantinedPage = (
  tables: Tables,
  projection: string | null,
  limit: number,
  after: string | null,
): Promise<RowPage<QuarantinedDocument>> =>
  rowPage(tables, QUARANTINE, projection === null ? '' : collectionsOf(projection), limit, after);

/** Whether a document of a collection is quarantined. */
export const isQuarantined = async (tables: Tables, collection: string, key: string): Promise<boolean> =>
  (await tables.read(QUARANTINE, quarantineKey(collection, key))) !== null;

/** The position from which on each quarantined document is not folded. */
export const loadQuarantine = async (tables: Tables): Promise<Map<string, string>> => {
  const from = new Map<string, string>();
  for await (const { collection, key, position } of quarantinedIn(tables))
    from.set(quarantineKey(collection, key), position);
  return from;
};

/** Quarantines a document. One that is quarantined already stays as it is. */
export const quarantine = async (
  tables: Tables,
  quarantinedFrom: Map<string, string>,
  document: QuarantinedDocument,
): Promise<void> => {
  const key = quarantineKey(document.collection, document.key);
  await tables.insert(QUARANTINE, key, document);
  quarantinedFrom.set(key, document.position);
};

/** Removes the quarantined documents of a collection. */
export const releaseCollection = async (tables: Tables, collection: string): Promise<void> => {
  for await (const { key } of quarantinedIn(tables, collection))
    await removeRow(tables, QUARANTINE, quarantineKey(collection, key));
};

/** Removes those that have not thrown `again`; the rows of the others get their latest fault. */
export const replaceQuarantined = async (
  tables: Tables,
  before: readonly QuarantinedDocument[],
  again: ReadonlyMap<string, QuarantinedDocument>,
): Promise<void> => {
  for (const { collection, key } of before) {
    const name = quarantineKey(collection, key);
    const row = again.get(key);
    const found = row && (await tables.read(QUARANTINE, name));
    if (row && found) await tables.replace(QUARANTINE, name, found.version, row);
    else await removeRow(tables, QUARANTINE, name);
  }
};
