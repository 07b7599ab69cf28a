import { randomUUID } from 'node:crypto';
import type { NewRow } from '../newRows.ts';
import { type Appended, appendedOf } from './answers.ts';
import type { Connection, Line } from './connection.ts';
import { openPipe, type Pipe } from './pipe.ts';
import { appendRequest, type Expected } from './requests.ts';
import { createSlots } from './slots.ts';

type Options = Readonly<{ connection: Connection; answerMs: number; inFlight: number }>;

/** Appends through one long call, `inFlight` at once. Throws `WrongExpectedRevision`, `StoreUnavailable`, `StoreMisconfigured`. */
export type Appender = Readonly<{
  append(stream: string, expected: Expected, rows: readonly NewRow[]): Promise<Appended>;
  close(): void;
}>;

/**
 * The server ignores the deadline of such an append: one without an answer after `answerMs` is sent again on a new line, with the same ids
 * and the same expected revision, which stores nothing twice.
 */
export const createAppender = ({ connection, answerMs, inFlight }: Options): Appender => {
  const slots = createSlots(inFlight);
  let pipe: Pipe | null = null;
  const pipeOn = (line: Line): Pipe => {
    if (pipe?.line === line) return pipe;
    pipe?.retire();
    const opened = openPipe(line, () => {
      if (pipe === opened) pipe = null;
    });
    pipe = opened;
    return opened;
  };
  return {
    append: async (stream, expected, rows) => {
      // Who waits in vain for a place has met no fault of the line.
      await slots.take(answerMs);
      try {
        return await connection.patiently(async (line) => {
          const id = randomUUID();
          const answer = await pipeOn(line).ask(id, appendRequest(id, stream, expected, rows), answerMs);
          return appendedOf(answer, stream, expected, line);
        });
      } finally {
        slots.give();
      }
    },
    close: () => pipe?.retire(),
  };
};
