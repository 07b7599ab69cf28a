import type { Position } from '../../../kernel/event.ts';

/** Where the server says that an event lies: two numbers, in decimal digits. */
type Place = Readonly<{ commit: string; prepare: string }>;

// What fits into 63 bits.
const DIGITS = 19;

/** A place as a position: commit and prepare, each of 19 digits, ordered as text. */
export const positionOf = ({ commit, prepare }: Place): Position =>
  `${commit.padStart(DIGITS, '0')}/${prepare.padStart(DIGITS, '0')}` as Position;

/** The position before the first event. */
export const origin = positionOf({ commit: '0', prepare: '0' });

const FORM = /^0*(\d+)\/0*(\d+)$/;

/** The place of a position. Throws for one of another kind of log. */
export const placeOf = (position: Position): Place => {
  const [, commit, prepare] = FORM.exec(position) ?? [];
  if (commit === undefined || prepare === undefined)
    throw new Error(`"${position}" is no position of an EventStoreDB log`);
  return { commit, prepare };
};
