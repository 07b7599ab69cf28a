import { randomUUID } from 'node:crypto';
import { WrongExpectedRevision } from '../../errors.ts';
import type { Received } from './answers.ts';
import type { Appender } from './appender.ts';
import type { Reader } from './reader.ts';

/** How often somebody else may be quicker to change the metadata. */
const ATTEMPTS = 10;

/**
 * Gives up a stream's events before a revision, by its metadata (`$tb`); the server clears them away at its next scavenge. Never its last
 * event, never less than before, and whatever else the metadata say stays, whoever wrote it. Throws `WrongExpectedRevision` when others change
 * them all the time, and an error that names the stream when they can't be kept, since they are no JSON object.
 */
export const truncater =
  (reader: Reader, appender: Appender) =>
  async (stream: string, before: number): Promise<void> => {
    const metastream = `$$${stream}`;
    for (let attempt = 1; ; attempt += 1) {
      const last = await reader.newest(stream);
      if (!last) return;
      const newest = await reader.newest(metastream);
      const known = newest ? membersOf(newest) : {};
      const $tb = Math.min(before, last.revision);
      if (Number(known.$tb ?? 0) >= $tb) return;
      const data = JSON.stringify({ ...known, $tb });
      const row = { id: randomUUID(), type: '$metadata', data, metadata: '{}' };
      try {
        await appender.append(metastream, newest?.revision ?? 'none', [row]);
        return;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision) || attempt === ATTEMPTS) throw error;
      }
    }
  };

/** The metadata that an event of a metadata stream sets. Without a body it sets none. */
const membersOf = ({ stream, data }: Received): Readonly<Record<string, unknown>> => {
  const text = Buffer.from(data).toString();
  if (text === '') return {};
  const refused = `the metadata of the stream ${stream.slice(2)} are no JSON object that can be kept: its events are not truncated`;
  const members = parse(text, refused);
  if (typeof members !== 'object' || members === null || Array.isArray(members)) throw new Error(refused);
  return members as Record<string, unknown>;
};

const parse = (text: string, refused: string): unknown => {
  try {
    return JSON.parse(text, (_member, value) => {
      if (typeof value === 'number' && !isKept(value)) throw new Error(`${value} is not what was written`);
      return value;
    });
  } catch (cause) {
    throw new Error(refused, { cause });
  }
};

/** Whether a number is written as it was read. Of those with a fraction the last digits may be lost, of which nobody relies on more. */
const isKept = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
