import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { endCall } from './calls.ts';
import { callsOn, type Line } from './connection.ts';
import { noAnswer, notNow } from './failures.ts';

/** One long call that takes appends and gives their answers, in any order. */
export type Pipe = Readonly<{
  line: Line;
  /** Throws `StoreUnavailable` when no answer comes in time, or the call ends before it. */
  ask(id: string, request: BatchAppendReq, answerMs: number): Promise<BatchAppendResp>;
  /** Ends the call once every request is answered. */
  retire(): void;
}>;

type Waiting = Readonly<{ settle(outcome: BatchAppendResp | Error): void }>;

/** Opens a call on a line; `onBroken` is called when it can't be used any longer. */
export const openPipe = (line: Line, onBroken: () => void): Pipe => {
  const waiting = new Map<string, Waiting>();
  let broken: Error | null = null;
  let retired = false;
  const call = callsOn(line).batchAppend(line.metadata);
  const leave = (id: string): void => {
    waiting.delete(id);
    if (retired && waiting.size === 0) endCall(call);
  };
  const fail = (error: Error): void => {
    broken ??= error;
    onBroken();
    for (const { settle } of [...waiting.values()]) settle(error);
  };
  // An answer that comes too late is nobody's any more.
  call.on('data', (answer: BatchAppendResp) =>
    waiting.get(answer.getCorrelationId()?.getString() ?? '')?.settle(answer),
  );
  // A server that shuts down may end the call without an error.
  call.on('end', () => fail(notNow(`${line.node} ended the call`)));
  call.on('error', fail);
  return {
    line,
    ask: (id, request, answerMs) =>
      new Promise((resolve, reject) => {
        if (broken) return reject(broken);
        const settle = (outcome: BatchAppendResp | Error): void => {
          clearTimeout(late);
          leave(id);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        const late = setTimeout(() => settle(noAnswer(line, answerMs)), answerMs);
        waiting.set(id, { settle });
        call.write(request);
      }),
    retire: () => {
      retired = true;
      if (waiting.size === 0) endCall(call);
    },
  };
};
