import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteEventStore } from '../../stores/events/sqlite.ts';
import { eventStoreContract } from './events.ts';

eventStoreContract('sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'intake-events-'));
  return {
    connect: async () => sqliteEventStore({ path: join(folder, 'events.db') }),
    remove: () => rm(folder, { recursive: true }),
  };
});
