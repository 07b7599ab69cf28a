import type { RecordedEvent } from '../stores/events/port.ts';

/** The first event that breaks a stream's chain, and how. */
export type ChainBreak = Readonly<{ revision: number; id: string; type: string; detail: string }>;

/**
 * Where the chain of `prev` hashes breaks; null for an unbroken one. `mayBeTruncated`: the first events may
 * be missing. A chain can't show what was cut off after its last event. `hashOf` gives the hash of one of the
 * events.
 */
export const chainBreak = (
  events: readonly RecordedEvent[],
  hashOf: (event: RecordedEvent) => string,
  mayBeTruncated = false,
): ChainBreak | null => {
  let before: RecordedEvent | null = null;
  const ids = new Set<string>();
  for (const event of events) {
    const detail =
      linkFault(event, before, hashOf, mayBeTruncated) ??
      (ids.has(event.id) ? 'its id occurs twice in the stream' : null);
    if (detail !== null) return { revision: event.revision, id: event.id, type: event.type, detail };
    ids.add(event.id);
    before = event;
  }
  return null;
};

const linkFault = (
  event: RecordedEvent,
  before: RecordedEvent | null,
  hashOf: (event: RecordedEvent) => string,
  mayBeTruncated: boolean,
): string | null => {
  const { revision, stream, position, metadata } = event;
  if (before === null) {
    if (revision > 0) return mayBeTruncated ? null : `the stream starts with it, and not with revision 0`;
    return metadata.prev === null ? null : 'it is the first of the stream, and names an event before it';
  }
  if (stream !== before.stream) return `it is of the stream ${stream}`;
  if (revision !== before.revision + 1) return `it follows on revision ${before.revision}`;
  if (position <= before.position) return 'its place in the log is not after that of the event before it';
  return metadata.prev === hashOf(before)
    ? null
    : `its prev is not the hash of revision ${before.revision} (${before.id}): one of the two was changed`;
};
