import type { Appender } from './appender.ts';
import { changeMetadata } from './metadata.ts';
import type { Reader } from './reader.ts';

/**
 * Gives up a stream's events before a revision, by its metadata (`$tb`); the server clears them away at its next scavenge. Never its last
 * event, never less than before, and whatever else the metadata say stays, whoever wrote it. Throws as
 * `changeMetadata` does.
 */
export const truncater =
  (reader: Reader, appender: Appender) =>
  async (stream: string, before: number): Promise<void> => {
    const last = await reader.newest(stream);
    if (!last) return;
    const $tb = Math.min(before, last.revision);
    await changeMetadata({ reader, appender }, stream, (known) =>
      Number(known.$tb ?? 0) >= $tb ? null : { ...known, $tb },
    );
  };
