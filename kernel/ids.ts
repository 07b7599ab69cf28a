import { randomFillSync } from 'node:crypto';
import { encodeTime, ulid } from 'ulid';
import { v7 } from 'uuid';

/** Makes identifiers: injected, so that tests can foresee them. */
export type Ids = Readonly<{
  /** A UUID (version 7) for an event. */
  event(): string;
  /** 26 lower-case Crockford characters that start with the time, for every other identifier. */
  ulid(): string;
}>;

const DRAWN_BYTES = 4_096;

/** Fractions of 1 in steps of 1/256, drawn in bulk: to draw a byte by itself costs 2 µs, an identifier needs 16. */
const bulkRandom = (): (() => number) => {
  const drawn = Buffer.alloc(DRAWN_BYTES);
  let used = DRAWN_BYTES;
  return () => {
    if (used === DRAWN_BYTES) {
      randomFillSync(drawn);
      used = 0;
    }
    used += 1;
    return (drawn[used - 1] ?? 0) / 256;
  };
};

const random = bulkRandom();

/** Identifiers from the machine's clock and random source. */
export const systemIds: Ids = { event: () => v7(), ulid: () => ulid(undefined, random).toLowerCase() };

/** The lower bound of all identifiers that `Ids.ulid` makes at this time or later. */
export const ulidFrom = (time: Date): string =>
  `${encodeTime(time.getTime()).toLowerCase()}${'0'.repeat(16)}`;
