import { fork } from 'node:child_process';
import { once } from 'node:events';
import { certificateFor } from '../../scripts/certificate.ts';

/** The domain of all receivers. */
export const SINK_HOST = 'receiver.example';

/** A receiver in a process of its own; `dead` is the port of one that never answers. */
export type Sink = Awaited<ReturnType<typeof startSink>>;

/** Starts it; `arrivals` gives when each webhook came first (ms since 1970), by its identifier. */
export const startSink = async () => {
  const pair = await certificateFor(`*.${SINK_HOST}`);
  const child = fork(new URL('./sink.process.js', import.meta.url));
  const ask = async <T>(question: 'count' | 'arrivals' | typeof pair): Promise<T> => {
    child.send(question);
    const [answer] = await once(child, 'message');
    return answer as T;
  };
  const ports = await ask<Readonly<{ live: number; dead: number }>>(pair);
  return {
    ...ports,
    ca: pair.cert,
    count: () => ask<number>('count'),
    arrivals: async () => new Map(await ask<readonly (readonly [string, number])[]>('arrivals')),
    close: async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};
