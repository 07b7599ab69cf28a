import type { Tables } from '../stores/documents/port.ts';
import { type Held, heldKey, type Quarantined } from './fold.ts';

/** The table of documents that are held because an event of theirs made their projection throw. */
export const QUARANTINE = 'quarantine';

/** The quarantined documents of all collections, or of one, in pages: there may be many. */
export async function* quarantinedIn(tables: Tables, collection?: string): AsyncGenerator<Quarantined> {
  const prefix = collection === undefined ? '' : heldKey(collection, '');
  for (let after: string | undefined = prefix; after !== undefined; ) {
    const rows: Awaited<ReturnType<typeof tables.list<Quarantined>>> = await tables.list<Quarantined>(
      QUARANTINE,
      { after, limit: AT_ONCE },
    );
    for (const { key, row } of rows) {
      if (!key.startsWith(prefix)) return;
      yield row;
    }
    after = rows.at(-1)?.key;
  }
}

const AT_ONCE = 500;

/** The position from which on each of them is held. */
export const loadHeld = async (tables: Tables): Promise<Map<string, string>> => {
  const held = new Map<string, string>();
  for await (const { collection, key, position } of quarantinedIn(tables))
    held.set(heldKey(collection, key), position);
  return held;
};

/** Holds a document from now on. One that is held already stays held where it is. */
export const quarantine = async (
  tables: Tables,
  held: Map<string, string>,
  quarantined: Quarantined,
): Promise<void> => {
  const key = heldKey(quarantined.collection, quarantined.key);
  await tables.insert(QUARANTINE, key, quarantined);
  held.set(key, quarantined.position);
};

/** Lets documents of a collection go on: all of them, or those that are not among the `held`. */
export const releaseHeld = async (
  tables: Tables,
  collection: string,
  held: Held = new Map(),
): Promise<void> => {
  for await (const { key } of quarantinedIn(tables, collection)) {
    const name = heldKey(collection, key);
    if (held.has(name)) continue;
    const found = await tables.read(QUARANTINE, name);
    if (found) await tables.remove(QUARANTINE, name, found.version);
  }
};
