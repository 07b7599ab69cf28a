import type { Db } from './client.ts';

/** The server's time is at least `earliest` and at most `latest`, in milliseconds since 1970. */
export type Bounds = Readonly<{ earliest: number; latest: number }>;

/** The server's clock: leases are judged by it, whatever the clocks of the nodes say. */
export type ServerClock = Readonly<{
  /** Bounds of the server's time. Leases expire at `earliest` for others, at `latest` for their holder. */
  bounds(): Promise<Bounds>;
}>;

type Answer = Readonly<{ server: number; asked: number; answered: number }>;

/** How long an answer is gone by; for so long a jump of the server's clock may go unseen. */
const KEPT_MS = 2_000;
/** How much faster or slower than the server's the steady clock of a node may go. */
const DRIFT = 0.001;

/**
 * Between two answers the time goes on by the node's steady clock, which nobody sets: the server's time lies
 * between "it was read just when it was asked for" and "just when the answer came".
 */
export const serverClock = (database: Db, steady: () => number = () => performance.now()): ServerClock => {
  let last: Answer | null = null;
  const ask = async (): Promise<Answer> => {
    const asked = steady();
    const { localTime } = await database.admin().command({ hello: 1 });
    last = { server: (localTime as Date).getTime(), asked, answered: steady() };
    return last;
  };
  return {
    bounds: async () => {
      const answer = last && steady() - last.asked < KEPT_MS ? last : await ask();
      const now = steady();
      return {
        earliest: Math.floor(answer.server + (now - answer.answered) * (1 - DRIFT)),
        // An answer is cut to whole milliseconds.
        latest: Math.ceil(answer.server + 1 + (now - answer.asked) * (1 + DRIFT)),
      };
    },
  };
};
