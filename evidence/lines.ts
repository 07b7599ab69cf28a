import { createHash } from 'node:crypto';
import type { Metadata, Position, Recorded } from '../kernel/event.ts';
import type { RecordedEvent } from '../stores/events/port.ts';
import type { Line } from './format.ts';

/** An event's line, without its end. `opened` is the same event with its private part readable. */
export const lineOf = (event: RecordedEvent, opened: Recorded): string => {
  const { stream, revision, position, id, type, data, metadata } = event;
  const { private: part = null } = opened.data as Readonly<{ private?: unknown }>;
  // The hash of the chain is that of the very text that stands behind "stored".
  return JSON.stringify({ stream, revision, position, stored: [id, type, data, metadata], private: part });
};

/** The event of a line as it was stored. */
export const storedOf = ({ stream, revision, position, stored }: Line): RecordedEvent => {
  // Lines are checked against the schema `Line` before.
  const [id, type, data, metadata] = stored as unknown as readonly [
    string,
    string,
    RecordedEvent['data'],
    Metadata,
  ];
  return { stream, revision, position: position as Position, id, type, data, metadata };
};

/** The event of a line as it was read: with its private part. */
export const openedOf = (line: Line): Recorded => {
  const event = storedOf(line);
  return line.private === null ? event : { ...event, data: { ...event.data, private: line.private } };
};

/** The SHA-256 of a text or bytes, in hex. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');
