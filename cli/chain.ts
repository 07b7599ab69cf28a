import { type ChainBreak, chainBreak } from '../evidence/chain.ts';
import { counted } from '../kernel/counted.ts';
import type { Recorded } from '../kernel/event.ts';
import { hashOf } from '../stores/events/hash.ts';

/** Whether the chain of `prev` hashes of a stream is whole, for programs and on a line for people. */
export type Chain = Readonly<{
  document: Readonly<{
    whole: boolean;
    events: number;
    lastHash: string | null;
    brokenAt: ChainBreak | null;
    /** Of every event, in the stream's order. */
    hashes: readonly string[];
  }>;
  text: string;
}>;

/**
 * Checks a stream's chain as it is stored. The last event's hash is what to write down: nothing in the log
 * vouches for that event yet.
 */
export const chainOf = (events: readonly Recorded[]): Chain => {
  const brokenAt = chainBreak(events);
  const hashes = events.map(hashOf);
  const lastHash = hashes.at(-1) ?? null;
  const document = { whole: brokenAt === null, events: events.length, lastHash, brokenAt, hashes };
  if (brokenAt === null)
    return {
      document,
      text: `Chain whole: ${counted(events.length, 'event')}, the last one’s hash is ${lastHash}`,
    };
  const { revision, type, id, detail } = brokenAt;
  return { document, text: `CHAIN BROKEN at revision ${revision} (${type}, ${id}): ${detail}` };
};
