import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { certificateFor } from '../../scripts/certificate.ts';

/** The domain of all receivers. */
export const SINK_HOST = 'receiver.example';

/** When a webhook came first, and when its event occurred (ms since 1970; NaN where it says nothing). */
export type Arrival = Readonly<{ at: number; occurredAt: number }>;

/** A receiver in a process of its own; `dead` is the port of one that never answers. */
export type Sink = Awaited<ReturnType<typeof startSink>>;

/** Starts it; `arrivals` are by the webhooks' identifiers. */
export const startSink = async () => {
  const pair = await certificateFor(`*.${SINK_HOST}`);
  const child = fork(new URL('./sink.process.js', import.meta.url));
  const awaited = new Map<string, () => void>();
  const answers = new EventEmitter();
  child.on('message', (message: Readonly<{ path: string } | { answer: unknown }>) => {
    if ('answer' in message) answers.emit('answer', message.answer);
    else awaited.get(message.path)?.();
  });
  const ask = async <T>(question: 'count' | 'arrivals' | typeof pair): Promise<T> => {
    const answered = once(answers, 'answer');
    child.send(question);
    return (await answered)[0] as T;
  };
  const ports = await ask<Readonly<{ live: number; dead: number }>>(pair);
  return {
    ...ports,
    ca: pair.cert,
    count: () => ask<number>('count'),
    arrivals: async () => new Map(await ask<readonly (readonly [string, Arrival])[]>('arrivals')),
    /** Resolves at the first webhook at a path that comes from now on. */
    arrival: (path: string, withinMs: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no webhook came at ${path}`)), withinMs);
        awaited.set(path, () => {
          clearTimeout(timer);
          awaited.delete(path);
          resolve();
        });
      }),
    close: async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};
