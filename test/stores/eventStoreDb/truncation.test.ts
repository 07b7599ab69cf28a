import streams from '@eventstore/db-client/generated/streams_pb.js';
import * as assert from 'uvu/assert';
import { eventStoreDb } from '../../../stores/events/eventstoredb.ts';
import type { EventStore } from '../../../stores/events/port.ts';
import { failure, newCategory, numbered } from '../../contract/events/controls.ts';
import { suite } from '../../harness.ts';
import { type StandIn, startStandIn } from '../../standIn/standIn.ts';

const test = suite('EventStoreDB driver: truncating a stream whose metadata others set');

let standIn: StandIn;
let store: EventStore;
/** Called as a stream's metadata are about to be written, by what comes through the server's door. */
let writing: (metastream: string) => void = () => undefined;

test.before(async () => {
  standIn = await startStandIn({
    seen: (request) => {
      if (!(request instanceof streams.BatchAppendReq)) return;
      const name = request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? [];
      const stream = Buffer.from(name).toString();
      if (stream.startsWith('$$')) writing(stream);
    },
  });
  store = eventStoreDb({ connectionString: standIn.connectionString });
});
test.after(async () => {
  await store.close();
  await standIn.stop();
});

/** Sets metadata past the driver, as the server's pages and its clients do: without metadata of their own. */
const setByHand = (metastream: string, body: string): void => {
  const event = { id: crypto.randomUUID(), type: '$metadata', contentType: 'application/json' };
  standIn.log.append(metastream, 'any', [{ ...event, data: Buffer.from(body), metadata: Buffer.alloc(0) }]);
};

/** A stream of four events, with such metadata. */
const streamWith = async (body: string): Promise<string> => {
  const stream = `${newCategory()}1`;
  await store.append(stream, 'none', numbered(4));
  setByHand(`$$${stream}`, body);
  return stream;
};

const bodies = (stream: string): readonly string[] =>
  standIn.log.stream(`$$${stream}`).map(({ data }) => Buffer.from(data).toString());

const revisions = (stream: string): readonly number[] =>
  standIn.log.stream(stream).map(({ revision }) => revision);

test('when somebody else is quicker their change stays, and the stream is truncated all the same', async () => {
  const stream = await streamWith('{"custom":0}');
  let times = 0;
  writing = (metastream) => {
    if (times < 3) setByHand(metastream, JSON.stringify({ custom: ++times }));
  };
  await store.truncate(stream, 2);
  assert.equal(bodies(stream).at(-1), '{"custom":3,"$tb":2}');
  assert.is(bodies(stream).length, 5);
});

test('when somebody else is always quicker it ends, with the reason', async () => {
  const stream = await streamWith('{"custom":0}');
  let times = 0;
  writing = (metastream) => setByHand(metastream, JSON.stringify({ custom: ++times }));
  const { name, message } = await failure(store.truncate(stream, 2));
  writing = () => undefined;
  assert.equal([name, message.includes(stream)], ['WrongExpectedRevision', true]);
  // On a slow machine a write may go out twice, as one whose answer is late does.
  assert.ok(times >= 10 && times < 20, `${times} tries`);
  assert.equal(revisions(stream), [0, 1, 2, 3]);
});
