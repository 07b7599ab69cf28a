import type { Db } from './client.ts';

/**
 * The server's time is at least `earliest` and at most `latest`, in milliseconds since 1970. Leases expire at
 * `earliest` for others, at `latest` for their holder.
 */
type Bounds = Readonly<{ earliest: number; latest: number }>;

export type ServerClock = ReturnType<typeof serverClock>;

type Answer = Readonly<{ server: number; sentAt: number; answeredAt: number }>;

/** How long an answer is reused; a jump of the server's clock may stay unnoticed for so long. */
const CACHE_MS = 2_000;
/** How much faster or slower than the server's clock a node's steady clock may run. */
const DRIFT = 0.001;

/**
 * The server's clock: leases are judged by it, not by the clocks of the nodes. Between two answers the time
 * advances by the node's steady clock, which nobody sets: the server's time lies between "it was read at the
 * request" and "at the answer".
 */
export const serverClock = (database: Db, steady: () => number = () => performance.now()) => {
  let last: Answer | null = null;
  const read = async (): Promise<Answer> => {
    const sentAt = steady();
    const { localTime } = await database.admin().command({ hello: 1 });
    last = { server: (localTime as Date).getTime(), sentAt, answeredAt: steady() };
    return last;
  };
  return {
    bounds: async (): Promise<Bounds> => {
      const answer = last && steady() - last.sentAt < CACHE_MS ? last : await read();
      const now = steady();
      return {
        earliest: Math.floor(answer.server + (now - answer.answeredAt) * (1 - DRIFT)),
        // An answer is cut to whole milliseconds.
        latest: Math.ceil(answer.server + 1 + (now - answer.sentAt) * (1 + DRIFT)),
      };
    },
  };
};
