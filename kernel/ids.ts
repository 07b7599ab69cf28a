import { encodeTime, ulid } from 'ulid';
import { v7 } from 'uuid';

/** Makes identifiers: injected, so that tests can foresee them. */
export type Ids = Readonly<{
  /** A UUID (version 7) for an event. */
  event(): string;
  /** 26 lower-case Crockford characters that start with the time, for every other identifier. */
  ulid(): string;
}>;

/** Identifiers from the machine's clock and random source. */
export const systemIds: Ids = { event: () => v7(), ulid: () => ulid().toLowerCase() };

/** The lower bound of all identifiers that `Ids.ulid` makes at this time or later. */
export const ulidFrom = (time: Date): string =>
  `${encodeTime(time.getTime()).toLowerCase()}${'0'.repeat(16)}`;
