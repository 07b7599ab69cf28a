import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import type { EventStore, Page, RecordedEvent } from '../../../stores/events/port.ts';
import type { Proposed } from '../../standIn/log.ts';
import { type StandIn, startStandIn } from '../../standIn/standIn.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts';

/** A stand-in, and a store that reaches it through a proxy. */
export type Stage = Readonly<{
  standIn: StandIn;
  proxy: TcpProxy;
  store: EventStore;
  close(): Promise<void>;
}>;

/** The store waits half a second for answers, so that tests of those that never come need not wait long. */
export const openStage = async (answerMs = 500): Promise<Stage> => {
  const standIn = await startStandIn();
  const proxy = await startTcpProxy({ port: standIn.port });
  const connectionString = `esdb://${proxy.address}?tls=false`;
  const store = eventStoreDb({ connectionString, answerMs });
  return {
    standIn,
    proxy,
    store,
    close: async () => {
      await store.close();
      await proxy.close();
      await standIn.stop();
    },
  };
};

/** A follower that runs in the background and keeps what it gets. */
export type Background = Readonly<{
  events: readonly RecordedEvent[];
  pages: readonly Page[];
  isLive(): boolean;
  /** How often it had to start again after an outage. */
  restarts(): number;
  stop(): Promise<void>;
}>;

/**
 * Follows streams that start with `prefix`, and after an outage again from where it was: as the service's
 * loops do.
 */
export const followInBackground = (store: EventStore, prefix: string, page = 100): Background => {
  const stop = new AbortController();
  const noted = { events: [] as RecordedEvent[], pages: [] as Page[], restarts: 0 };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const after = noted.pages.at(-1)?.upTo ?? null;
      try {
        for await (const next of store.follow(after, { prefixes: [prefix], page, signal: stop.signal })) {
          noted.pages.push(next);
          noted.events.push(...next.events);
        }
        if (!stop.signal.aborted) throw new Error('a follower ended by itself');
      } catch (error) {
        if ((error as Error).name !== 'StoreUnavailable') throw error;
        noted.restarts += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  };
  const running = run();
  return {
    events: noted.events,
    pages: noted.pages,
    isLive: () => noted.pages.at(-1)?.live ?? false,
    restarts: () => noted.restarts,
    stop: () => {
      stop.abort();
      return running;
    },
  };
};

/** An event to put into a stand-in's log past the driver. */
export const proposed = (data: object = {}): Proposed => ({
  id: crypto.randomUUID(),
  type: 'SomethingHappened',
  contentType: 'application/json',
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.from('{}'),
});

/** Puts so many events into a stream of a stage's stand-in past the driver, numbered from 0 on. */
export const appendPast = ({ standIn }: Stage, stream: string, count: number): void => {
  for (const n of upTo(count)) standIn.log.append(stream, 'any', [proposed({ n })]);
};

/** The numbers of events that were numbered. */
export const numbersOf = (
  events: readonly Readonly<{ data: Readonly<Record<string, unknown>> }>[],
): readonly unknown[] => events.map(({ data }) => data.n);

/** Whole numbers from 0 on. */
export const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);
