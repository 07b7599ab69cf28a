import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, jsonEvent, START, streamNameFilter } from '@eventstore/db-client';
import { eventStoreDb } from '../stores/events/eventstoredb.ts';
import type { EventStore } from '../stores/events/port.ts';
import { startStandInProcess } from '../test/standIn/process.ts';
import { vendorClient } from '../test/support/vendorClient.ts';
import { event } from './append.ts';
import { compare, cost, type Goal, type Row } from './measure.ts';
import { optionsOf } from './options.ts';

/** What `npm run bench -- --help` says of this. */
export const summary =
  'the EventStoreDB driver against a bare loop on its client; on a stand-in unless EVENTSTOREDB_URL is set';

const CALLERS = 32;
const APPENDS = 3_200;
const CAUGHT_UP = 12_800;
const P11 = { figure: 'P11', yardstick: 'a bare loop on its client' } as const;
const GOALS = {
  append: { ...P11, what: `EventStoreDB: append, ${CALLERS} in flight`, goal: 0.85 },
  catchUp: { ...P11, what: 'EventStoreDB: catch-up', goal: 0.75 },
} satisfies Record<string, Goal>;

/**
 * Measures the EventStoreDB driver; `--rounds N` (default 7). Without EVENTSTOREDB_URL, which names a server
 * that may be written to, it is measured on the tests' stand-in, and the rows say so.
 */
export const run = async (options: readonly string[]): Promise<readonly Row[]> => {
  const { rounds } = optionsOf(options, { rounds: 7 });
  const given = process.env.EVENTSTOREDB_URL;
  const standIn = given ? null : await startStandInProcess();
  const connectionString = given || standIn?.connectionString || '';
  const store = eventStoreDb({ connectionString });
  const client = vendorClient(connectionString);
  try {
    const rows = await measure(store, client, Math.max(5, rounds));
    return standIn === null ? rows : rows.map((row) => ({ ...row, detail: `${row.detail}; ${ALONE}` }));
  } finally {
    await store.close();
    await client.dispose();
    await standIn?.close();
  }
};

const ALONE = 'on a stand-in: the driver alone, as EVENTSTOREDB_URL is not set';

const measure = async (
  store: EventStore,
  client: EventStoreDBClient,
  rounds: number,
): Promise<readonly Row[]> => {
  const bench = `bench${randomUUID().replaceAll('-', '')}`;
  const filled = `${bench}x`;
  await appendAll(`${filled}-`, CAUGHT_UP, byDriver(store));
  return [
    await compare(
      { ...GOALS.append, by: 'elapsed' },
      rounds,
      (round) => cost(APPENDS, () => appendAll(`${bench}a${round}-`, APPENDS, byClient(client))),
      (round) => cost(APPENDS, () => appendAll(`${bench}b${round}-`, APPENDS, byDriver(store))),
    ),
    await compare(
      { ...GOALS.catchUp, by: 'elapsed' },
      rounds,
      () => cost(CAUGHT_UP, () => catchUpByClient(client, filled)),
      () => cost(CAUGHT_UP, () => catchUpByDriver(store, filled)),
    ),
  ];
};

type AppendOne = (stream: string, revision: number) => Promise<unknown>;

const byDriver =
  (store: EventStore): AppendOne =>
  (stream, revision) =>
    store.append(stream, revision === 0 ? 'none' : revision - 1, [event()]);

const byClient =
  (client: EventStoreDBClient): AppendOne =>
  (stream, revision) => {
    const { id, type, data, metadata } = event();
    const expectedRevision = revision === 0 ? 'no_stream' : BigInt(revision - 1);
    const proposed = jsonEvent({ id, type, data, metadata: { ...metadata } });
    return client.appendToStream(stream, proposed, { expectedRevision });
  };

/**
 * Each caller appends to a stream of its own, one event after the other, each when the last one is answered.
 */
const appendAll = async (prefix: string, count: number, append: AppendOne): Promise<void> => {
  const caller = async (_: unknown, n: number): Promise<void> => {
    for (let revision = 0; revision < count / CALLERS; revision += 1) await append(`${prefix}${n}`, revision);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
};

const catchUpByClient = async (client: EventStoreDBClient, prefix: string): Promise<void> => {
  // The same window as the driver's: a smaller one makes the server send more checkpoints.
  const filter = streamNameFilter({ prefixes: [prefix], maxSearchWindow: 1_000, checkpointInterval: 10 });
  const subscription = client.subscribeToAll({ fromPosition: START, filter });
  let count = 0;
  for await (const { event: found } of subscription) {
    count += found === undefined ? 0 : 1;
    if (count === CAUGHT_UP) break;
  }
  await subscription.unsubscribe();
};

const catchUpByDriver = async (store: EventStore, prefix: string): Promise<void> => {
  const { signal } = new AbortController();
  let count = 0;
  for await (const { events } of store.follow(null, { prefixes: [prefix], page: 500, signal })) {
    count += events.length;
    if (count === CAUGHT_UP) break;
  }
};
