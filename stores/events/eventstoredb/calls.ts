import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Call } from '@grpc/grpc-js';
import { callsOn, type Line } from './connection.ts';
import { noAnswer } from './failures.ts';

/**
 * Hands each message that answers a request to `take`, until that returns true. Each may be `answerMs`
 * behind the one before. Throws `StoreUnavailable` for one that does not come, and what the server gives as a
 * reason.
 */
export const readMessages = (
  line: Line,
  request: ReadReq,
  answerMs: number,
  take: (message: ReadResp) => boolean,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const call = callsOn(line).read(request, line.metadata);
    const late = setTimeout(() => end(noAnswer(line, answerMs)), answerMs);
    const end = (error?: Error): void => {
      clearTimeout(late);
      call.removeListener('data', onMessage);
      // What is on its way may still come, and cancelling is an error of its own: both find the promise
      // settled.
      endCall(call);
      if (error) reject(error);
      else resolve();
    };
    const onMessage = (message: ReadResp): void => {
      late.refresh();
      if (take(message)) end();
    };
    call.on('data', onMessage);
    call.on('end', () => end());
    call.on('error', end);
  });

// Cancelling a call makes Node send at once what its connection has to send. A call is often cancelled
// because another one of its connection was just reset: in that turn Node 20.20 still asks the latter for
// data that it had queued, finds none, and retries for ever. The process spins and its memory grows until
// it dies (test/stores/eventStoreDb/reset.process.ts).

/** Cancels a call, in a turn of its own. */
export const endCall = (call: Pick<Call, 'cancel'>): void => void setImmediate(() => call.cancel());
