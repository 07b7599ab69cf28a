import type { Database } from '../../sqlite/database.ts';

/** Runs `body` so that all it reads is of one moment, whatever other processes write meanwhile. It must only read. */
export const snapshot = <T>(database: Database, body: () => T): T => {
  database.exec('BEGIN');
  try {
    return body();
  } finally {
    database.exec('ROLLBACK'); // there is nothing to keep, and unlike COMMIT it also ends what a failed read left open
  }
};
