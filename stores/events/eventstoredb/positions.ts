import type { Position } from '../../../kernel/event.ts';

/** A position as the server has it: two numbers, in decimal digits. */
type LogPosition = Readonly<{ commit: string; prepare: string }>;

// What fits into 63 bits.
const DIGITS = 19;

/** The server's position as ours: commit and prepare, each of 19 digits, ordered as text. */
export const positionOf = ({ commit, prepare }: LogPosition): Position =>
  `${commit.padStart(DIGITS, '0')}/${prepare.padStart(DIGITS, '0')}` as Position;

/** The position before the first event. */
export const origin = positionOf({ commit: '0', prepare: '0' });

const FORM = /^0*(\d+)\/0*(\d+)$/;

/** The server's position of ours. Throws for one of another kind of log. */
export const parsePosition = (position: Position): LogPosition => {
  const [, commit, prepare] = FORM.exec(position) ?? [];
  if (commit === undefined || prepare === undefined)
    throw new Error(`"${position}" is no position of an EventStoreDB log`);
  return { commit, prepare };
};
