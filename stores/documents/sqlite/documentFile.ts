import { type Database, type DatabaseOptions, openDatabase } from '../../sqlite/database.ts';

/** Opens a file of the document store, and makes what its schema lacks. */
export const openDocumentFile = (
  path: string,
  options: DatabaseOptions,
  schema: readonly string[],
): Database => {
  const database = openDatabase(path, options);
  // No transaction: what is there takes no lock, for which a server that writes would have to be waited for.
  database.exec(schema.join(';'));
  // From here on it is the callers that wait, not the event loop. 32 MiB cache the upper pages of all
  // indexes. What is deleted must not stay in free pages; `compacting` clears the rest.
  database.exec('PRAGMA busy_timeout = 5; PRAGMA cache_size = -32768; PRAGMA secure_delete = ON');
  return database;
};
