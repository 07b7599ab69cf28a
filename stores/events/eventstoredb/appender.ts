import { randomUUID } from 'node:crypto';
import { createSemaphore } from '../../../kernel/semaphore.ts';
import type { NewRow } from '../newRows.ts';
import { type Appended, appendedOf } from './answers.ts';
import type { Connection, Line } from './connection.ts';
import { notNow } from './failures.ts';
import { openPipe, type Pipe } from './pipe.ts';
import { appendRequest, type Expected } from './requests.ts';

type Options = Readonly<{ connection: Connection; answerMs: number; inFlight: number }>;

/** Appends in one long call. Throws `WrongExpectedRevision`, `StoreUnavailable`, `StoreMisconfigured`. */
export type Appender = Readonly<{
  append(stream: string, expected: Expected, rows: readonly NewRow[]): Promise<Appended>;
  close(): void;
}>;

/**
 * The server ignores the deadline of such an append: one without an answer after `answerMs` is sent again on
 * a new line, with the same ids and the same expected revision, which stores nothing twice.
 */
export const createAppender = ({ connection, answerMs, inFlight }: Options): Appender => {
  const slots = createSemaphore(inFlight);
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
      // Outside `retrying`: a time-out of the wait is no fault of the line.
      if (!slots.tryAcquire())
        await slots.acquire(AbortSignal.timeout(answerMs)).catch(() => {
          throw notNow('too many appends wait for an answer');
        });
      try {
        return await connection.retrying(async (line) => {
          const id = randomUUID();
          const answer = await pipeOn(line).ask(id, appendRequest(id, stream, expected, rows), answerMs);
          return appendedOf(answer, stream, expected, line);
        });
      } finally {
        slots.release();
      }
    },
    close: () => pipe?.retire(),
  };
};
