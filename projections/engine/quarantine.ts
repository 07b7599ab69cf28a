import type { Position } from '../../kernel/event.ts';
import type { Tables } from '../../stores/documents/port.ts';
import { type Quarantined, quarantineKey } from './fold.ts';

/** A quarantined document, and behind which position the event is to be looked for that it is held at; null: from the origin on. */
export type QuarantinedDocument = Quarantined & Readonly<{ after: Position | null }>;

/** The table of documents that are held because an event of theirs made their projection throw. */
export const QUARANTINE = 'quarantine';

/** The quarantined documents of all collections, or of one, in pages: there may be many. */
export async function* quarantinedIn(
  tables: Tables,
  collection?: string,
): AsyncGenerator<QuarantinedDocument> {
  const prefix = collection === undefined ? '' : quarantineKey(collection, '');
  for (let after: string | undefined = prefix; after !== undefined; ) {
    const rows: Awaited<ReturnType<typeof tables.list<QuarantinedDocument>>> =
      await tables.list<QuarantinedDocument>(QUARANTINE, { after, limit: AT_ONCE });
    for (const { key, row } of rows) {
      if (!key.startsWith(prefix)) return;
      yield row;
    }
    after = rows.at(-1)?.key;
  }
}

const AT_ONCE = 500;

/** The position from which on each of them is held. */
export const loadQuarantine = async (tables: Tables): Promise<Map<string, string>> => {
  const held = new Map<string, string>();
  for await (const { collection, key, position } of quarantinedIn(tables))
    held.set(quarantineKey(collection, key), position);
  return held;
};

/** Holds a document from now on. One that is held already stays held where it is. */
export const quarantine = async (
  tables: Tables,
  held: Map<string, string>,
  quarantined: QuarantinedDocument,
): Promise<void> => {
  const key = quarantineKey(quarantined.collection, quarantined.key);
  await tables.insert(QUARANTINE, key, quarantined);
  held.set(key, quarantined.position);
};

/** Forgets the quarantined documents of a collection. */
export const releaseCollection = async (tables: Tables, collection: string): Promise<void> => {
  for await (const { key } of quarantinedIn(tables, collection))
    await release(tables, quarantineKey(collection, key));
};

/** Lets those go on that have not thrown `again`; what is known of the others is what they threw last. */
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
    else await release(tables, name);
  }
};

const release = async (tables: Tables, name: string): Promise<void> => {
  const found = await tables.read(QUARANTINE, name);
  if (found) await tables.remove(QUARANTINE, name, found.version);
};
