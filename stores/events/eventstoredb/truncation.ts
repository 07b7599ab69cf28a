import { randomUUID } from 'node:crypto';
import { WrongExpectedRevision } from '../../errors.ts';
import type { Appender } from './appender.ts';
import type { Reader } from './reader.ts';

/**
 * Gives up a stream's events before a revision, by its metadata (`$tb`); the server clears them away at its next scavenge. Never its last
 * event, never less than before, and whatever else the metadata say stays.
 */
export const truncater =
  (reader: Reader, appender: Appender) =>
  async (stream: string, before: number): Promise<void> => {
    for (;;) {
      const last = await reader.newest(stream);
      if (!last) return;
      const metastream = `$$${stream}`;
      const newest = await reader.newest(metastream);
      const known = newest?.data ?? {};
      const $tb = Math.min(before, last.revision);
      if (Number(known.$tb ?? 0) >= $tb) return;
      const data = JSON.stringify({ ...known, $tb });
      const row = { id: randomUUID(), type: '$metadata', data, metadata: '{}' };
      try {
        await appender.append(metastream, newest?.revision ?? 'none', [row]);
        return;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  };
