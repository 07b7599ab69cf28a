import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Call } from '@grpc/grpc-js';
import { eventOf, type Received } from './answers.ts';
import { callsOn, type Line } from './connection.ts';
import { noAnswer } from './failures.ts';

/** What a call brings next: a message, nothing in time, its end by the server, or the abort of a signal. */
type Next = Readonly<{ message: ReadResp }> | 'nothing' | 'end' | 'aborted';

/**
 * Sends a request and gives the messages of its answer in their order, one by one, until a signal is aborted.
 * Messages that are not read hold the server back. Throws `StoreUnavailable` for a lost line.
 */
export const openCall = (line: Line, request: ReadReq, ...signals: readonly AbortSignal[]) => {
  const call = callsOn(line).read(request, line.metadata);
  let failure: Error | null = null;
  let isEnded = false;
  let settle = (_changed: boolean): void => undefined;
  const wake = (): void => settle(true);
  call.on('readable', wake);
  call.on('end', () => {
    isEnded = true;
    wake();
  });
  // Never removed: an error without a listener would end the process, and cancelling makes one.
  call.on('error', (error: Error) => {
    failure = error;
    wake();
  });
  for (const signal of signals) signal.addEventListener('abort', wake);
  const change = async (withinMs: number | null): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const changed = await new Promise<boolean>((resolve) => {
      settle = resolve;
      if (withinMs !== null) timer = setTimeout(resolve, withinMs, false);
    });
    clearTimeout(timer);
    return changed;
  };
  return {
    /** Waits so many milliseconds at most (null: no limit). Throws what the call failed with. */
    next: async (withinMs: number | null): Promise<Next> => {
      for (;;) {
        if (signals.some(({ aborted }) => aborted)) return 'aborted';
        const message: ReadResp | null = call.read();
        if (message !== null) return { message };
        if (failure) throw failure;
        if (isEnded) return 'end';
        if (withinMs === 0 || !(await change(withinMs))) return 'nothing';
      }
    },
    close: (): void => {
      for (const signal of signals) signal.removeEventListener('abort', wake);
      endCall(call);
    },
  };
};

/**
 * The events that answer a request. Each may be `answerMs` after the one before. Throws `StoreUnavailable`
 * for one that does not come, and what the server gives as a reason.
 */
export async function* requestEvents(
  line: Line,
  request: ReadReq,
  answerMs: number,
): AsyncGenerator<Received> {
  const messages = openCall(line, request);
  try {
    for (;;) {
      const next = await messages.next(answerMs);
      if (next === 'nothing') throw noAnswer(line, answerMs);
      if (typeof next === 'string') return;
      const event = eventOf(next.message);
      if (event) yield event;
    }
  } finally {
    messages.close();
  }
}

// Cancelling a call makes Node send at once what its connection has to send. A call is often cancelled
// because another one of its connection was just reset: in that turn Node 20.20 still asks the latter for
// data that it had queued, finds none, and retries for ever. The process spins and its memory grows until
// it dies (test/stores/eventStoreDb/reset.process.ts).

/** Cancels a call, in a turn of its own. */
export const endCall = (call: Pick<Call, 'cancel'>): void => void setImmediate(() => call.cancel());
