import { createHmac } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Position } from '../domain/kernel.ts';
import { allProjections } from '../projections/all.ts';
import { shownUpTo } from '../projections/runner.ts';
import type { DocumentStore, Tables } from '../stores/documents/port.ts';
import type { EventLog } from '../stores/events/log.ts';
import { DataDirDamaged } from './embedded.ts';

/**
 * Refuses a folder that lost a file which can't be made again: with a new one in its place private data would be gone without a
 * word. `keyGiven`: MASTER_KEY is set, so that no file need hold it. Throws `DataDirDamaged`.
 */
export const checkFolder = (dataDir: string, keyGiven: boolean): void => {
  const folder = resolve(dataDir);
  // In this order, for another process may be making the folder now: key, tables, log.
  const hasLog = holdsData(join(folder, 'log.db'));
  const hasTables = holdsData(join(folder, 'tables.db'));
  if (hasLog && !hasTables) {
    throw new DataDirDamaged(
      `${join(folder, 'tables.db')} is missing or empty, but ${join(folder, 'log.db')} is there: without it no API key is known and no private data can be read. Restore it from a backup.`,
    );
  }
  if (hasTables && !keyGiven && !holdsData(join(folder, 'master.key'))) {
    throw new DataDirDamaged(
      `${join(folder, 'master.key')} is missing or empty, but the folder holds data sealed under it. Restore the file, or set MASTER_KEY to the key that was used.`,
    );
  }
};

const holdsData = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

type Stores = Readonly<{ documents: DocumentStore; log: EventLog; masterKey: Buffer }>;

/**
 * Refuses stores that don't belong together, before anything new is sealed under the wrong key or stored where no read model
 * would look. Throws `DataDirDamaged`.
 */
export const checkStores = async ({ documents, log, masterKey }: Stores): Promise<void> => {
  await checkMasterKey(documents.tables, masterKey);
  // In this order: the log grows meanwhile.
  const shown = await shownUpTo(allProjections, documents.models);
  const end = await endOf(log);
  if (shown === null || shown <= end) return;
  throw new DataDirDamaged(
    'The log (log.db) ends before what the read models (models.db) have seen: it is missing, or an older copy. Restore the newest one; if there is none, remove models.db, which is made again from the log that you have.',
  );
};

/** The position of the newest event; of an empty log where its read models stand that have seen all of it. */
const endOf = async (log: EventLog): Promise<Position> => {
  const head = await log.head();
  if (head !== null) return head;
  const stop = new AbortController();
  for await (const { upTo } of log.follow(null, { prefixes: [], page: 1, signal: stop.signal })) return upTo;
  throw new Error('the log gave no page');
};

const checkMasterKey = async (tables: Tables, masterKey: Buffer): Promise<void> => {
  const fingerprint = createHmac('sha256', masterKey).update('fingerprint of MASTER_KEY').digest('hex');
  const look = () => tables.read<{ fingerprint: string }>('masterKey', 'fingerprint');
  let found = await look();
  if (!found) {
    await tables.insert('masterKey', 'fingerprint', { fingerprint });
    found = await look();
  }
  if (found?.row.fingerprint === fingerprint) return;
  throw new DataDirDamaged(
    'MASTER_KEY (or master.key in DATA_DIR) is not the key that this data was sealed under. Set the one that was used: no other can read it.',
  );
};
