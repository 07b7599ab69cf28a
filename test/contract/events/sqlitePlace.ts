import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteEventStore } from '../../../stores/events/sqlite.ts';
import type { Place } from './controls.ts';

/** A log of its own in a temporary folder. */
export const sqlitePlace = (): Place & Readonly<{ folder: string; path: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'intake-events-'));
  const path = join(folder, 'events.db');
  return {
    folder,
    path,
    connect: async () => sqliteEventStore({ path }),
    remove: async () => rmSync(folder, { recursive: true }),
  };
};
