import { randomUUID } from 'node:crypto';
import { WrongExpectedRevision } from '../../../kernel/errors.ts';
import type { Received } from './answers.ts';
import type { Appender } from './appender.ts';
import type { Reader } from './reader.ts';

/** The members of a stream's metadata. */
export type Members = Readonly<Record<string, unknown>>;

/** How often somebody else may be quicker to change the metadata. */
const ATTEMPTS = 10;

/**
 * Changes a stream's metadata: `change` gives their members anew from those that are there, or null to leave
 * them. Tells whether they were written. Throws `WrongExpectedRevision` when others change them all the time,
 * and an error that names the stream when they can't be kept, since they are no JSON object.
 */
export const changeMetadata = async (
  { reader, appender }: Readonly<{ reader: Reader; appender: Appender }>,
  stream: string,
  change: (members: Members) => Members | null,
): Promise<boolean> => {
  const metastream = `$$${stream}`;
  for (let attempt = 1; ; attempt += 1) {
    const newest = await reader.newest(metastream);
    const changed = change(newest ? membersOf(newest, `the metadata of the stream ${stream}`) : {});
    if (!changed) return false;
    const row = { id: randomUUID(), type: '$metadata', data: JSON.stringify(changed), metadata: '{}' };
    try {
      await appender.append(metastream, newest?.revision ?? 'none', [row]);
      return true;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || attempt === ATTEMPTS) throw error;
    }
  }
};

/** What an event sets, none without a body; `what` it is, for the error of one that is no JSON object. */
export const membersOf = ({ data }: Received, what: string): Members => {
  const text = Buffer.from(data).toString();
  if (text === '') return {};
  const refused = `${what} are no JSON object that can be kept: they are left as they are`;
  const members = parse(text, refused);
  if (typeof members !== 'object' || members === null || Array.isArray(members)) throw new Error(refused);
  return members as Members;
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

/** Whether a number is written back as it was read; the last digits of a fraction don't matter. */
const isKept = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));

/**
 * Gives up a stream's events before a revision, by its metadata (`$tb`); the server removes them at its
 * next scavenge. Never its last event, never less than before, and all other metadata stay,
 * whoever wrote it. Throws as `changeMetadata` does.
 */
export const truncater =
  (reader: Reader, appender: Appender) =>
  async (stream: string, before: number): Promise<void> => {
    const last = await reader.newest(stream);
    if (!last) return;
    const $tb = Math.min(before, last.revision);
    await changeMetadata({ reader, appender }, stream, (members) =>
      Number(members.$tb ?? 0) >= $tb ? null : { ...members, $tb },
    );
  };
