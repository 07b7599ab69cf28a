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
const NEEDED_BYTES = 16;

/**
 * Gives 16 random bytes, drawn in bulk: a call of the random source costs more than all else that an id
 * needs.
 */
const bulkRandom = (): (() => Uint8Array) => {
  const drawn = Buffer.alloc(DRAWN_BYTES);
  let used = DRAWN_BYTES;
  return () => {
    if (used === DRAWN_BYTES) {
      randomFillSync(drawn);
      used = 0;
    }
    used += NEEDED_BYTES;
    return drawn.subarray(used - NEEDED_BYTES, used);
  };
};

const draw = bulkRandom();

/** Identifiers from the machine's clock and random source. */
export const systemIds: Ids = {
  event: () => v7({ random: draw() }),
  ulid: () => {
    const bytes = draw();
    let next = 0;
    // Called for each random character; 256 is a multiple of their 32.
    return ulid(undefined, () => (bytes[next++] ?? 0) / 256).toLowerCase();
  },
};

/** The lower bound of all identifiers that `Ids.ulid` makes at this time or later. */
export const ulidFrom = (time: Date): string =>
  `${encodeTime(time.getTime()).toLowerCase()}${'0'.repeat(16)}`;
