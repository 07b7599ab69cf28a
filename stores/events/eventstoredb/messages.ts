import type { ClientReadableStream } from '@grpc/grpc-js';
import { endCall } from './calls.ts';

/** What a call has brought: a message, nothing yet, or no more ever. */
export type Next<M> = Readonly<{ message: M }> | 'nothing' | 'end';

/** The messages of a call in their order, taken one by one: what is not taken holds the server back. */
export type Messages<M> = Readonly<{
  /** The next message within so many milliseconds (null: no limit). Throws what the call failed with. */
  next(withinMs: number | null): Promise<Next<M>>;
  close(): void;
}>;

/** Takes a call over. `signal` ends it: then there are no more messages. */
export const messagesOf = <M>(call: ClientReadableStream<M>, signal: AbortSignal): Messages<M> => {
  let failure: Error | null = null;
  let ended = false;
  let wake = (): void => undefined;
  const end = (): void => {
    ended = true;
    wake();
  };
  call.on('readable', () => wake());
  call.on('end', end);
  // Stays to the last: an error that nobody listens to would end the process, and cancelling makes one.
  call.on('error', (error: Error) => {
    failure = error;
    wake();
  });
  signal.addEventListener('abort', end);
  const change = (withinMs: number | null): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = withinMs === null ? undefined : setTimeout(() => settle(false), withinMs);
      const settle = (changed: boolean): void => {
        clearTimeout(timer);
        wake = () => undefined;
        resolve(changed);
      };
      wake = () => settle(true);
    });
  return {
    next: async (withinMs) => {
      for (;;) {
        const message: M | null = call.read();
        if (message !== null) return { message };
        if (failure) throw failure;
        if (ended) return 'end';
        if (withinMs === 0 || !(await change(withinMs))) return 'nothing';
      }
    },
    close: () => {
      signal.removeEventListener('abort', end);
      end();
      endCall(call);
    },
  };
};
