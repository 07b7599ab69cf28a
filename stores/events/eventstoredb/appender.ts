import { randomUUID } from 'node:crypto';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { createSemaphore } from '../../../kernel/semaphore.ts';
import type { NewRow } from '../newRows.ts';
import { appendedOf } from './answers.ts';
import { endCall } from './calls.ts';
import { type Connection, callsOn, type Line } from './connection.ts';
import { noAnswer, notNow } from './failures.ts';
import { appendRequest, type Expected } from './requests.ts';

type Options = Readonly<{ connection: Connection; answerMs: number; inFlight: number }>;
export type Appender = ReturnType<typeof createAppender>;

/**
 * Appends in one long call. The server ignores the deadline of such an append: one without an answer after
 * `answerMs` is sent again on a new line, with the same ids and the same expected revision, which stores
 * nothing twice.
 */
export const createAppender = ({ connection, answerMs, inFlight }: Options) => {
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
    /** Throws `WrongExpectedRevision`, `StoreUnavailable`, `StoreMisconfigured`. */
    append: async (stream: string, expected: Expected, rows: readonly NewRow[]) => {
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
    close: (): void => pipe?.retire(),
  };
};

type Pipe = ReturnType<typeof openPipe>;
type Settle = (outcome: BatchAppendResp | Error) => void;

/**
 * Opens a call on a line that takes appends and gives their answers, in any order; `onBroken` is called when
 * it can't be used any longer. Throws `StoreUnavailable` for a lost line.
 */
export const openPipe = (line: Line, onBroken: () => void) => {
  const waiting = new Map<string, Settle>();
  let broken: Error | null = null;
  let retired = false;
  const call = callsOn(line).batchAppend(line.metadata);
  const endIfRetired = (): void => {
    if (retired && waiting.size === 0) endCall(call);
  };
  const fail = (error: Error): void => {
    broken ??= error;
    onBroken();
    for (const settle of [...waiting.values()]) settle(error);
  };
  // An answer that comes too late has no entry any more.
  call.on('data', (answer: BatchAppendResp) =>
    waiting.get(answer.getCorrelationId()?.getString() ?? '')?.(answer),
  );
  // A server that shuts down may end the call without an error.
  call.on('end', () => fail(notNow(`${line.node} ended the call`)));
  call.on('error', fail);
  return {
    line,
    /** Throws `StoreUnavailable` when no answer comes in time, or the call ends before it. */
    ask: (id: string, request: BatchAppendReq, answerMs: number): Promise<BatchAppendResp> =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        const settle: Settle = (outcome) => {
          clearTimeout(late);
          waiting.delete(id);
          endIfRetired();
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        const late = setTimeout(() => settle(noAnswer(line, answerMs)), answerMs);
        waiting.set(id, settle);
        call.write(request);
      }),
    /** Ends the call once every request is answered. */
    retire: (): void => {
      retired = true;
      endIfRetired();
    },
  };
};
