import { randomUUID } from 'node:crypto';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import type { BatchAppendReq, ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Metadata } from '@grpc/grpc-js';
import * as assert from 'uvu/assert';
import { parsePosition } from '../../../stores/events/eventstoredb/positions.ts';
import { MARKER } from '../../../stores/events/eventstoredb/requests.ts';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import type { EventStore, StoredEvent } from '../../../stores/events/port.ts';
import { collect, numbered, storedEvent, untilLive } from '../../contract/events/controls.ts';
import { suite } from '../../harness.ts';
import { type StandIn, startStandIn } from '../../standIn/standIn.ts';

// The client is proved on every release of the server, and the stand-in on none: so what the driver asks must
// be what the client asks, field by field.
const test = suite('eventstoredb: the same requests as the client');

type Request = Readonly<{ message: unknown; headers: unknown }>;

let standIn: StandIn;
let driver: EventStore;
let client: EventStoreDBClient;
const requests: Request[] = [];

test.before(async () => {
  standIn = await startStandIn({ seen: (request, metadata) => requests.push(comparable(request, metadata)) });
  driver = eventStoreDb({ connectionString: standIn.connectionString });
  client = EventStoreDBClient.connectionString(`${standIn.connectionString}&connectionName=intake`);
});
test.after(async () => {
  await driver.close();
  await client.dispose();
  await standIn.stop();
});

type Plain = { correlationId?: unknown; options?: { deadline?: unknown } };

/**
 * A request without what differs on purpose: the id that its answer bears, and the client's deadline, a
 * moment by its own clock, which a server whose clock is ahead takes as past (without one the server's own
 * time-out for writes holds).
 */
const comparable = (request: ReadReq | BatchAppendReq, metadata: Metadata): Request => {
  const message = request.toObject() as Plain;
  delete message.correlationId;
  delete message.options?.deadline;
  return {
    message,
    headers: [
      metadata.get('requires-leader'),
      metadata.get('connection-name'),
      metadata.get('authorization'),
    ],
  };
};

const END_OF_ALL = '"all":{"end"';
const MARKS = [
  ...[MARKER, `$$${MARKER}`].map((stream) => Buffer.from(stream).toString('base64')),
  END_OF_ALL,
];

/**
 * The requests that a piece of work makes, but for those that mark the log's end: they come half a second
 * after an append, at any time.
 */
const asked = async (work: () => Promise<unknown>): Promise<readonly Request[]> => {
  requests.length = 0;
  await work();
  return requests.filter((request) => !isMark(request));
};

const isMark = ({ message }: Request): boolean =>
  MARKS.some((mark) => JSON.stringify(message).includes(mark));

const same = async (ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<void> => {
  const mine = await asked(ours);
  assert.is(mine.length, 1);
  assert.equal(mine, await asked(theirs));
};

const leader = { requiresLeader: true };
const proposed = (event: StoredEvent) =>
  jsonEvent({ ...event, data: { ...event.data }, metadata: { ...event.metadata } });

test('an append to a new stream, and after a revision', async () => {
  const stream = `same-${randomUUID()}`;
  const [first, ...more] = numbered(3);
  if (!first) throw new Error('three events were made');
  await same(
    () => driver.append(stream, 'none', [first]),
    () => client.appendToStream(stream, proposed(first), { ...leader, expectedRevision: 'no_stream' }),
  );
  await same(
    () => driver.append(stream, 0, more),
    () => client.appendToStream(stream, more.map(proposed), { ...leader, expectedRevision: 0n }),
  );
});

test('a stream from a revision on', async () => {
  const stream = `same-${randomUUID()}`;
  await driver.append(stream, 'none', numbered(3));
  await same(
    () => collect(driver.read(stream, 1)),
    () => collect(client.readStream(stream, { ...leader, fromRevision: 1n, maxCount: 500 })),
  );
});

test('the newest event of a stream, and a stream that is cut off', async () => {
  const [mine, another] = [`same-${randomUUID()}`, `same-${randomUUID()}`];
  for (const stream of [mine, another]) await driver.append(stream, 'none', numbered(3));
  const [newest, , metadata] = await asked(() => driver.truncate(mine, 2));
  const read = () =>
    collect(client.readStream(mine, { ...leader, direction: BACKWARDS, fromRevision: END, maxCount: 1 }));
  assert.equal([newest], await asked(read));
  const [cut] = await asked(() =>
    client.setStreamMetadata(another, { truncateBefore: 2 }, { ...leader, expectedRevision: 'no_stream' }),
  );
  // Streams and ids are their own; the client writes no metadata of metadata.
  const bare = (request: Request | undefined): string =>
    JSON.stringify(request)
      .replace(/"streamName":"[^"]*"/, '')
      .replace(/"string":"[^"]*"/, '')
      .replace(/"customMetadata":"[^"]*"/, '');
  assert.is(bare(metadata), bare(cut));
});

test('a subscription from the origin, and after a position', async () => {
  const stream = `same${randomUUID()}-1`;
  const { position } = await driver.append(stream, 'none', [storedEvent()]);
  const prefixes = [stream, 'another-'];
  const filter = streamNameFilter({
    prefixes: [...prefixes, MARKER],
    maxSearchWindow: 1_000,
    checkpointInterval: 10,
  });
  const { commit, prepare } = parsePosition(position);
  const place = { commit: BigInt(commit), prepare: BigInt(prepare) };
  const follow = (fromPosition: typeof START | typeof place) => async () => {
    const subscription = client.subscribeToAll({ ...leader, fromPosition, filter });
    await new Promise((resolve) => subscription.once('confirmation', resolve));
    await subscription.unsubscribe();
  };
  await same(() => untilLive(driver, null, { prefixes }), follow(START));
  await same(() => untilLive(driver, position, { prefixes }), follow(place));
});

test('the end of the whole log', async () => {
  const looked = async (work: () => Promise<unknown>): Promise<Request | undefined> => {
    requests.length = 0;
    await work();
    // A marker may be written at any time.
    return requests.find(({ message }) => JSON.stringify(message).includes(END_OF_ALL));
  };
  const end = { ...leader, direction: BACKWARDS, fromPosition: END, maxCount: 16 } as const;
  const ours = await looked(() => driver.head());
  assert.ok(ours);
  assert.equal(ours, await looked(() => collect(client.readAll(end))));
});
