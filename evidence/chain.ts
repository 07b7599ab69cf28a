import type { RecordedEvent } from '../stores/events/port.ts';
import { said } from './verify/findings.ts';
import type { Said } from './verify/sentences.ts';

/** The first event that breaks a stream's chain, and how. */
export type ChainBreak = Readonly<{ revision: number; id: string; type: string; why: Said }>;

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
    const why =
      linkFault(event, before, hashOf, mayBeTruncated) ?? (ids.has(event.id) ? said('chainTwice') : null);
    if (why !== null) return { revision: event.revision, id: event.id, type: event.type, why };
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
): Said | null => {
  const { revision, stream, position, metadata } = event;
  if (before === null) {
    if (revision > 0) return mayBeTruncated ? null : said('chainStart');
    return metadata.prev === null ? null : said('chainBeforeFirst');
  }
  if (stream !== before.stream) return said('otherStream', { found: stream });
  if (revision !== before.revision + 1) return said('chainGap', { revision: before.revision });
  if (position <= before.position) return said('chainOrder');
  return metadata.prev === hashOf(before)
    ? null
    : said('chainHash', { revision: before.revision, id: before.id });
};
