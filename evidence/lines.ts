import type { Metadata, Position, Recorded } from '../kernel/event.ts';
import type { RecordedEvent } from '../stores/events/port.ts';
import type { Line } from './format.ts';

/** An event's line, without its line end. `opened` is the same event with its private part readable. */
export const lineOf = (event: RecordedEvent, opened: Recorded): string => {
  const { stream, revision, position, id, type, data, metadata } = event;
  const { private: part = null } = opened.data as Readonly<{ private?: unknown }>;
  // The chain's hash is that of the exact text after "stored":.
  return JSON.stringify({ stream, revision, position, stored: [id, type, data, metadata], private: part });
};

/** The event of a line as it was stored. */
export const storedOf = ({ stream, revision, position, stored }: Line): RecordedEvent => {
  // Lines have been checked against the schema `Line`.
  const [id, type, data, metadata] = stored as unknown as readonly [
    string,
    string,
    RecordedEvent['data'],
    Metadata,
  ];
  return { stream, revision, position: position as Position, id, type, data, metadata };
};

/** The event of a line with its private part readable. */
export const openedOf = (line: Line): Recorded => {
  const event = storedOf(line);
  return line.private === null ? event : { ...event, data: { ...event.data, private: line.private } };
};
